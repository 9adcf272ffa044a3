import type { Trx } from '#app/db/client.server.ts';
import { enrolmentLinks } from '#app/emails/enrolments.ts';
import { enrolmentLink, placeLink } from '#app/features/enrolments/links.server.ts';
import { markTold } from '#app/features/enrolments/mails.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';

/**
 * Sends the buyer of an enrolment, and everybody with a place and an address of their own, a mail with a fresh private
 * link (P32). Returns how many mails.
 */
export async function sendLinks(trx: Trx, enrolmentId: number, { academy }: Moment): Promise<number> {
  const { reference, title, email, places } = await readEnrolment(trx, enrolmentId);
  const active = places.filter(({ state }) => state === 'active');
  const attendees = new Map(active.map(({ attendee }) => [attendee.id, attendee.email]));
  // The modules of guided study are on the attendee's page only.
  const guided = new Set(active.flatMap(({ way, attendee }) => (way === 'guided' ? attendee.id : [])));
  const send = async (to: string, whose: 'buyer' | 'attendee', name: string) => {
    const links = [{ reference, title, href: placeholderOf(name), whose }];
    const mail = enrolmentLinks({ links, academy });
    const about = { kind: 'enrolment', id: enrolmentId } as const;
    await queueMail(trx, { kind: 'enrolment-links', about, to, replyTo: academy.email, links: [name], ...mail });
  };
  await send(email, 'buyer', enrolmentLink(enrolmentId));
  let sent = 1;
  for (const [attendeeId, to] of attendees) {
    if (to === null || (to === email && !guided.has(attendeeId))) continue;
    await send(to, 'attendee', placeLink(enrolmentId, attendeeId));
    sent++;
  }
  await markTold(trx, active);
  return sent;
}
