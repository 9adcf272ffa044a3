import { sql } from 'kysely';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { wholeJob } from '#app/jobs/each-item.server.ts';
import { lateSince, readRuns } from '#app/jobs/runs.server.ts';
import { type Clock, trueTime } from '#app/lib/clock.ts';
import { minuteMs } from '#app/lib/durations.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { runSoon, scheduledJobs } from '#app/outbox/queue.server.ts';

/** A fault of a periodic job, with its subject if that is known. */
export type JobFault = {
  job: string;
  /** Kind and id, such as `place:12`. */
  item: string;
  message: string;
  since: Date;
  last: Date;
  times: number;
  /** The page of it: an enrolment by its reference, a course date or a course's waiting list by slug, a chat. */
  about: { kind: 'enrolment' | 'course-date' | 'waiting-list' | 'course-list' | 'conversation'; name: string } | null;
};

const mostListed = 200;

/** The faults of jobs, at most 200; the fault that began last is on top. */
export async function listFaults(db: Db, actor: StaffActor): Promise<JobFault[]> {
  requirePermission(actor, 'faults:read');
  const { rows } = await sql<Omit<JobFault, 'about'> & { enrolment: string | null; list: string | null }>`
    with fault as (
      select *, split_part(item, ':', 1) as kind,
        case when split_part(item, ':', 2) ~ '^[0-9]{1,18}$' then split_part(item, ':', 2)::bigint end as id
      from job_faults order by first_at desc, job, item limit ${mostListed}
    )
    select job, item, message, first_at as since, last_at as last, times, enrolment, list
    from fault
      left join lateral (select reference as enrolment from enrolments where id = case kind
        when 'enrolment' then fault.id
        when 'place' then (select enrolment_id from places where places.id = fault.id)
        when 'tax-invoice' then (select enrolment_id from tax_invoices i where i.id = fault.id)
        when 'invoice' then (select enrolment_id from tax_invoices i where i.id = fault.id)
        when 'adjustment-note' then (select enrolment_id from adjustment_notes n
          join tax_invoices i on i.id = n.tax_invoice_id where n.id = fault.id)
        when 'refund' then (select coalesce(r.enrolment_id, p.enrolment_id)
          from refunds r join payments p on p.id = r.payment_id where r.id = fault.id)
        when 'card-checkout' then (select enrolment_id from card_checkouts c where c.id = fault.id)
        when 'waiting-entry' then (select enrolment_id from waiting_entries w where w.id = fault.id)
        when 'waiting-offer' then (select enrolment_id from waiting_offers o
          join waiting_entries w on w.id = o.entry_id where o.id = fault.id)
      end) e on true
      left join lateral (select case kind
        when 'course-date' then (select 'course-date:' || slug from course_dates s where s.id = fault.id)
        when 'conversation' then (select 'conversation:' || c.id from conversations c where c.id = fault.id)
        when 'waiting-entry' then (select coalesce('waiting-list:' || s.slug, 'course-list:' || c.slug)
          from waiting_entries w join courses c on c.id = w.course_id
            left join course_dates s on s.id = w.course_date_id where w.id = fault.id)
        when 'waiting-offer' then (select 'waiting-list:' || slug
          from waiting_offers o join course_dates s on s.id = o.course_date_id where o.id = fault.id)
      end as list) l on true
    order by since desc, job, item`.execute(db);
  return rows.map(({ enrolment, list, ...fault }) => ({ ...fault, about: aboutOf(enrolment, list) }));
}

function aboutOf(enrolment: string | null, list: string | null): JobFault['about'] {
  if (enrolment !== null) return { kind: 'enrolment', name: enrolment };
  if (list === null) return null;
  const [kind, name = ''] = list.split(':');
  return { kind: kind as 'course-date' | 'waiting-list' | 'course-list' | 'conversation', name };
}

/** A job in words: when it ran last, how long that took, and when it is due again. */
export type ShownJob = { name: string; last: string; took: string; next: string; canRun: boolean };

/** All periodic jobs of all processes by name, in words. Only those on the schedule can be run by hand. */
export async function listJobs(db: Db, actor: StaffActor, clock: Clock): Promise<ShownJob[]> {
  requirePermission(actor, 'faults:read');
  const scheduled = await scheduledJobs(db);
  const faulty = await db.selectFrom('job_faults').select('job').where('item', '=', wholeJob).execute();
  // A run without a fault that did not come to its end was put off, because the database was away or busy.
  const isFaulty = new Set(faulty.map(({ job }) => job));
  return (await readRuns(db)).map((run) => {
    const { job, everySeconds, startedAt, endedAt, failed } = run;
    const everyMs = everySeconds * 1000;
    // The schedule is by the true time, at full minutes and hours.
    const due = (Math.floor(trueTime(clock).getTime() / everyMs) + 1) * everyMs + clock.aheadMs;
    const canRun = scheduled.has(job);
    const late = lateSince(run, clock.now());
    const soon = everyMs < minuteMs ? 'In a few seconds' : everyMs === minuteMs ? 'Within a minute' : 'Within the hour';
    const how = endedAt === null ? 'not ended yet' : failed ? (isFaulty.has(job) ? 'failed' : 'put off') : null;
    return {
      name: job,
      last: formatMoment(startedAt) + (how === null ? '' : `, ${how}`),
      took: endedAt === null ? '' : lengthOf(endedAt.getTime() - startedAt.getTime()),
      next: canRun ? (late === null ? formatMoment(new Date(due)) : `Late since ${formatMoment(late)}`) : soon,
      canRun,
    };
  });
}

function lengthOf(ms: number): string {
  if (ms < 1000) return 'Less than 1 s';
  return ms < 2 * minuteMs ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / minuteMs)} min`;
}

/**
 * Has a job done at once, whichever process does it, with everything that it could not do before. False when there is
 * no such job, or when it is not on the schedule.
 */
export function runJob(db: Db, { job, actor, at }: { job: string; actor: StaffActor; at: Date }): Promise<boolean> {
  requirePermission(actor, 'faults:retry');
  return db.transaction().execute(async (trx) => {
    if (!(await scheduledJobs(trx)).has(job)) return false;
    await runSoon(trx, job);
    await writeAuditEntry(trx, { at, personId: actor.person.id, action: 'run-job', subject: `job:${job}` });
    return true;
  });
}

/** Advice for staff about a job that failed, in a sentence or two; jobs that are not named here share one. */
export function adviceOf(job: string): string {
  return advice[job] ?? `Check whether it shows something unusual. ${always}`;
}

const always =
  'The program tries again automatically, and everything else continues. If it is still here tomorrow, send the message below to the person who looks after the program.';
const advice: Readonly<Record<string, string>> = {
  'give back seats': `Some holds on this date have ended, but nobody else can take the seats yet. ${always}`,
  'keep waiting lists': `Offer the seats by hand on the list, or call the person. ${always}`,
  'tell of waiting lists': `Someone who joined a waiting list did not get the link to confirm it. Email them. ${always}`,
  'attach documents to emails': `The customer has neither the document nor the email, because we could not make the document. Call them. ${always}`,
  'remind of bookings': `We did not remind the person of the booking. Email them. ${always}`,
  'remind of places': `We did not remind the attendee of the first day. Email them, or send the links again. ${always}`,
  'remind of payments': `We did not remind the buyer of the payment. Email them. ${always}`,
  'tell of conversations': `We sent no email about the new messages in this chat. Answer it here. ${always}`,
  'end card payments': `The buyer could still pay by card for something they no longer owe. If they do, refund it. ${always}`,
  'renew pages': `Visitors see courses, dates, prices and free seats as they were then, not what changed since. ${always}`,
  'send card refunds': `The buyer has not received the refund yet. Do not record it again. ${always}`,
};
