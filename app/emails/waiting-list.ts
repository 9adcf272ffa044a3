import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import type { MailPart } from './mail-parts.tsx';
import { subjectOf } from './subject.ts';

type Entry = {
  reference: string;
  /** The course. */
  title: string;
  /** Days and time of the full course date; null on the list for the next date. */
  when: string | null;
  /** Its first day for the subject, `15 September`. */
  day: string | null;
  seats: number;
  /** Whether the person has used the link before. Until they do, we reserve no seat. */
  confirmed: boolean;
  /** The private page, on which one confirms the address and leaves the list. */
  link: string;
};

type WaitingJoinedProps = {
  entries: readonly [Entry, ...Entry[]];
  /** After how many days an entry that is not confirmed is deleted. */
  days: number;
  academy: MailAcademy;
};

/** Asks the person to confirm the address, or tells them that they are on waiting lists (P48). */
export function waitingJoined({ entries, days, academy }: WaitingJoinedProps): RenderedMail {
  const [first, ...others] = entries;
  const confirmed = entries.every((entry) => entry.confirmed);
  const many = others.length > 0;
  const ask = many
    ? `Someone put this address on ${entries.length} waiting lists. Open the page of each list you want and press the button. Until then we keep no seats for you. If you don’t confirm within ${days} days, we delete the entry.`
    : `Someone put this address on our waiting list. To confirm, open this page and press the button. Until then we keep no seats for you. If you don’t confirm within ${days} days, we delete the entry.`;
  const heading = confirmed
    ? 'You are on the waiting list'
    : `Confirm your ${many ? 'places on the waiting lists' : 'place on the waiting list'}`;
  return renderMail({
    subject: many
      ? `Confirm your places on ${entries.length} waiting lists`
      : subjectOf(confirmed ? 'On the waiting list' : 'Confirm your place on the list', first),
    heading,
    parts: [
      confirmed ? 'You are on the list. We’ll email you when it is your turn.' : ask,
      ...(many ? entries.flatMap((entry) => [panel(entry), link(entry)]) : one(first)),
      'It is free, with no obligation. When it is your turn, we email you an offer and keep the seats for 72 hours, or until enrolment closes if that is sooner. You decide then whether to enrol. Your turn depends on when you joined.',
      ...(confirmed ? [{ action: 'See your turn, or leave the list', href: first.link }] : []),
    ],
    academy,
    reason: confirmed
      ? 'You get this because someone put this address on a waiting list. If that was not you, use the link to leave the list.'
      : 'You get this because someone put this address on a waiting list. If that was not you, do nothing: we keep no seats, and we delete the entry.',
  });
}

const one = (entry: Entry): MailPart[] =>
  entry.confirmed ? [panel(entry)] : [panel(entry), { action: 'Confirm my place', href: entry.link }];

const panel = ({ reference, title, when, seats }: Entry): MailPart => ({
  panel: title,
  lines: [when ?? 'The next date', seats === 1 ? '1 seat' : `${seats} seats`, `Reference: ${reference}`],
});

const link = ({ title, confirmed, link: href }: Entry): MailPart => ({
  link: confirmed ? 'See your turn, or leave the list' : `Confirm my place in ${title}`,
  href,
});

type WaitingOfferProps = {
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
export function waitingOffer(props: WaitingOfferProps): RenderedMail {
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

type WaitingOverProps = {
  why: OverWhy;
  reference: string;
  /** The course. */
  title: string;
  /** Days and time of the course date concerned; null for the list of a course. */
  when: string | null;
  /** Its first day for the subject, `15 September`. */
  day: string | null;
  /** Whether the person still waits. */
  waits: boolean;
  /** The course's page, all courses when it is retired, or the private page while the person still waits. */
  link: string;
  academy: MailAcademy;
};

const words = {
  lapsed: {
    subject: 'Offer ended',
    heading: 'Your offer has ended',
    text: 'The time to accept your seats has passed.',
  },
  withdrawn: {
    subject: 'Offer withdrawn',
    heading: 'We had to withdraw an offer',
    text: 'We are sorry: we cannot keep the seats for you any longer.',
  },
  cancelled: {
    subject: 'Date cancelled',
    heading: 'The date you waited for is cancelled',
    text: 'We are sorry: we have cancelled this date.',
  },
  moved: {
    subject: 'Date moved',
    heading: 'The date you wait for has changed',
    text: 'We are sorry: we had to change this date. It is now as below.',
  },
  closed: {
    subject: 'Waiting list closed',
    heading: 'No seat became free',
    text: 'Enrolment for this date has closed, and no seat became free for you.',
  },
  retired: {
    subject: 'Course ended',
    heading: 'We no longer offer this course',
    text: 'We are sorry: this course gets no further date.',
  },
} as const;

const afterwards = {
  waits: { text: 'You are still on the waiting list.', action: 'See your turn, or leave the list' },
  over: {
    text: 'You are no longer on this waiting list, and can join again at any time.',
    action: 'See the course and its dates',
  },
  retired: { text: 'You are no longer on its waiting list.', action: 'See all courses' },
} as const;

export type OverWhy = keyof typeof words;

/** Says that an offer, the waiting itself, or the date that was waited for is over (P48). */
export function waitingOver({
  why,
  reference,
  title,
  when,
  day,
  waits,
  link,
  academy,
}: WaitingOverProps): RenderedMail {
  const { subject, heading, text } = words[why];
  const now = afterwards[waits ? 'waits' : why === 'retired' ? 'retired' : 'over'];
  return renderMail({
    subject: subjectOf(subject, { title, day, reference }),
    heading,
    parts: [
      `${text} You owe nothing.`,
      { panel: title, lines: [...(when ? [when] : []), `Reference: ${reference}`] },
      now.text,
      { action: now.action, href: link },
    ],
    academy,
    reason: 'You get this because this address was on the waiting list.',
  });
}
