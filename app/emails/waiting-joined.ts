import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  reference: string;
  /** The course. */
  title: string;
  /** Days and time of the full session; null on the list for the next date. */
  when: string | null;
  /** Its first day for the subject, `15 September`. */
  day: string | null;
  seats: number;
  /** Whether the link was used before; otherwise nothing is reserved until it is. */
  confirmed: boolean;
  /** After how many days an entry that is not confirmed is deleted. */
  days: number;
  /** The private page, on which one confirms the address and leaves the list. */
  link: string;
  academy: MailAcademy;
};

/** Asks for the address to be confirmed, or acknowledges that somebody is on a waiting list (P48). */
export function waitingJoined({
  reference,
  title,
  when,
  day,
  seats,
  confirmed,
  days,
  link,
  academy,
}: Props): RenderedMail {
  return renderMail({
    subject: subjectOf(confirmed ? 'On the waiting list' : 'Confirm your place on the list', { title, day, reference }),
    heading: confirmed ? 'You are on the waiting list' : 'Confirm your place on the waiting list',
    parts: [
      ...(confirmed
        ? []
        : [
            `Open this page and press the button. Until then we keep no seats for you; after ${days} days without it we delete your entry.`,
            { action: 'Confirm my place', href: link },
          ]),
      {
        facts: [
          ['Course', title],
          ['Date', when ?? 'Its next date'],
          ['Seats', String(seats)],
          ['Reference', reference],
        ],
      },
      'It costs nothing and binds you to nothing. When it is your turn we offer you the seats by e-mail and keep them for 72 hours. Only then do you decide whether to enrol. Your turn depends on when you joined.',
      ...(confirmed ? [{ action: 'See your turn, or leave the list', href: link }] : []),
    ],
    academy,
    reason: confirmed
      ? 'You get this because somebody put this address on a waiting list. If that was not you, leave it by the link.'
      : 'You get this because somebody put this address on a waiting list. If that was not you, do nothing: nothing is reserved, and the entry is deleted.',
  });
}
