import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import { dayMs } from '#app/lib/durations.ts';
import type { MailHealth } from '#app/outbox/mail-health.server.ts';

/** Mails are counted up to this number. */
export const mostMails = 10_000;

/**
 * What left in the last 24 hours and when the last did, by the true time, as `mails` are; what waits and came back; and
 * for how many places reminders go out on the academy's next day.
 */
export async function mailToday(db: Db, actor: StaffActor, { health, today }: { health: MailHealth; today: Day }) {
  requirePermission(actor, 'mail:read');
  const since = new Date(health.at.getTime() - dayMs);
  const { rows } = await sql<{ sent: number; lastAt: Date | null; cameBack: number; reminders: number }>`select
    (select count(*)::integer from (select from mails
      where settled_at > ${since} and state = 'sent' limit ${mostMails}) s) as sent,
    (select settled_at from mails where state = 'sent' and settled_at is not null
      order by settled_at desc limit 1) as "lastAt",
    (select count(*)::integer from (select from mails where state = 'failed' limit ${mostMails}) f) as "cameBack",
    (select count(*)::integer from course_dates s
      join places p on p.course_date_id = s.id and p.state = 'active'
      where s.starts_on in (${addDays(today, 2)}, ${addDays(today, 8)}) and s.state = 'confirmed')
      + (select count(*)::integer from places where state = 'active' and way = 'guided'
        and guided_from in (${addDays(today, 2)}, ${addDays(today, 8)})) as reminders`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('counts have one row');
  return { ...row, waiting: health.waiting, oldestAt: health.oldestAt };
}
