import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import type { MailPart } from './mail-parts.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  reference: string;
  /** The course. */
  title: string;
  when: string;
  /** Its first day for the subject, `15 September`. */
  day: string;
  where: string;
  seats: number;
  /** Until when the seats are kept at least, in words. */
  until: string;
  /** The price of a seat, such as `AU$2,299 incl. GST`; null when the places were bought already. */
  price: string | null;
  /** The private page, on which one accepts or declines. */
  link: string;
  academy: MailAcademy;
};

/** Offers seats to somebody on a waiting list (P48). */
export function waitingOffer(props: Props): RenderedMail {
  const { reference, title, when, day, where, seats, until, price, link, academy } = props;
  const what = seats === 1 ? 'a seat' : `${seats} seats`;
  const parts: MailPart[] = [
    `${seats === 1 ? 'A seat is' : `${seats} seats are`} free on the date you wait for. Please tell us in time whether you want ${seats === 1 ? 'it' : 'them'}.`,
    { panel: title, lines: [when, where] },
    {
      facts: [
        ['Seats', String(seats)],
        ...(price === null ? [] : [['Price of a seat', price] as const]),
        ['Kept for you until', until],
        ['Reference', reference],
      ],
    },
    price === null
      ? 'You have already bought this at the agreed price. If you accept the date, we’ll email your tax invoice. If it does not suit you, decline it and wait for the next one.'
      : `To take ${seats === 1 ? 'it' : 'them, or fewer,'} open the link and enrol. If you don’t answer, the offer ends and you owe nothing.`,
    { action: 'Accept or decline the offer', href: link },
  ];
  return renderMail({
    subject: subjectOf(`${seats === 1 ? 'A seat' : `${seats} seats`} for you`, { title, day, reference }),
    preheader: `We keep ${what} for you until ${until}.`,
    heading: `We keep ${what} for you`,
    parts,
    academy,
    reason:
      price === null
        ? 'You get this because you enrolled for the next date of this course.'
        : 'You get this because this address is on the waiting list. Use the link to leave the list.',
  });
}
