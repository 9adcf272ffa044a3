import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  reference: string;
  /** The course. */
  title: string;
  /** Days and time of the full session; null on the list for the next date. */
  when: string | null;
  seats: number;
  /** The private page, on which one leaves the list. */
  link: string;
  academy: MailAcademy;
};

/** Acknowledges that somebody is on a waiting list (P48). */
export function waitingJoined({ reference, title, when, seats, link, academy }: Props): RenderedMail {
  return renderMail({
    subject: `On the waiting list: ${reference}`,
    heading: 'You are on the waiting list',
    parts: [
      {
        facts: [
          ['Course', title],
          ['Date', when ?? 'Its next date'],
          ['Seats', String(seats)],
          ['Reference', reference],
        ],
      },
      'It costs nothing and binds you to nothing. When it is your turn we offer you the seats by e-mail and keep them for 72 hours. Only then do you decide whether to enrol.',
      { action: 'See your turn, or leave the list', href: link },
    ],
    academy,
    reason:
      'You get this because somebody put this address on a waiting list. If that was not you, leave it by the link.',
  });
}
