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

type Props = {
  entries: readonly [Entry, ...Entry[]];
  /** After how many days an entry that is not confirmed is deleted. */
  days: number;
  academy: MailAcademy;
};

/** Asks the person to confirm the address, or tells them that they are on waiting lists (P48). */
export function waitingJoined({ entries, days, academy }: Props): RenderedMail {
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
