import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { brisbaneSecond } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import type { About } from '#app/outbox/mail.ts';
import { canBeTakenBack } from '#app/outbox/take-back.server.ts';
import type { MailToTakeBack } from '#app/ui/staff/take-back.tsx';

const needed = { enquiry: 'enquiries:read', enrolment: 'enrolments:read' } as const;

/**
 * The mails that staff sent by hand about a subject and can still take back (P101), for pages; `now` is by the academy's
 * clock.
 */
export async function mailsToTakeBack(
  db: Db,
  actor: StaffActor,
  about: About & { kind: keyof typeof needed },
  now: Date,
): Promise<MailToTakeBack[]> {
  requirePermission(actor, needed[about.kind]);
  const mails = await canBeTakenBack(db, about);
  return mails.map(({ mailId, subject, to, leftMs }) => ({
    mailId,
    subject,
    to: to.map(showControlCharacters),
    leftMs,
    until: brisbaneSecond(new Date(now.getTime() + leftMs)),
  }));
}
