import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { demand, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import type { RunAct } from './acts.ts';

/** A run as its page shows it; null when there is none, or the person may not see its subject. */
export async function findRun(db: Db, actor: StaffActor, id: number) {
  demand(actor, 'mail:read');
  const run = await db
    .selectFrom('bulk_runs')
    .leftJoin('training_sessions', 'training_sessions.id', 'training_session_id')
    .leftJoin('courses', 'courses.id', 'course_id')
    .leftJoin('people as maker', 'maker.id', 'made_by')
    .leftJoin('people as stopper', 'stopper.id', 'stopped_by')
    .select([
      'bulk_runs.id',
      'act',
      'subject',
      'body',
      'until',
      'reason',
      'words_erased_at',
      'bulk_runs.made_at',
      'due_at',
      'stopped_at',
    ])
    .select([
      'ended_at',
      'training_sessions.slug',
      'courses.title',
      'maker.name as made_by',
      'stopper.name as stopped_by',
    ])
    .where('bulk_runs.id', '=', id)
    .executeTakeFirst();
  if (!run) return null;
  const counts = await db
    .selectFrom('bulk_run_items')
    .leftJoin('mails', 'mails.id', 'mail_id')
    .select(['bulk_run_items.state', 'mails.state as mail', sql<number>`count(*)::integer`.as('count')])
    .where('run_id', '=', id)
    .groupBy(['bulk_run_items.state', 'mails.state'])
    .execute();
  const countOf = (of: (one: (typeof counts)[number]) => boolean) =>
    counts.filter(of).reduce((sum, { count }) => sum + count, 0);
  const [done, leftOut, toDo] = (['done', 'left-out', 'to-do'] as const).map((state) =>
    countOf((one) => one.state === state),
  ) as [number, number, number];
  const ofMail = (email: EmailState) => countOf(({ state, mail }) => state === 'done' && emailState(mail) === email);
  const emails = {
    sent: ofMail('sent'),
    waits: ofMail('waits'),
    failed: ofMail('failed'),
    withdrawn: ofMail('withdrawn'),
    unknown: ofMail('unknown'),
  };
  return { ...run, done, leftOut, toDo, all: done + leftOut + toDo, emails };
}

/**
 * What became of an item's email: `withdrawn` where the program did not send it because what it says is no longer true;
 * `unknown` where it is not kept any more.
 */
export type EmailState = 'sent' | 'waits' | 'failed' | 'withdrawn' | 'unknown';

/** What became of an email, by its state in the outbox. */
export function emailState(mail: 'queued' | 'sent' | 'failed' | 'dropped' | null): EmailState {
  if (mail === 'queued') return 'waits';
  if (mail === 'dropped') return 'withdrawn';
  return mail ?? 'unknown';
}

/** A run that is not over and will do the same for `count` of some items. */
export type RunUnderWay = { id: number; by: string | null; dueAt: Date; count: number };

/** The runs that are not over and will do one of these acts for some of these items, the next one first. */
export async function runsUnderWay(
  db: Db,
  actor: StaffActor,
  acts: readonly RunAct[],
  items: readonly { kind: string; id: number }[],
): Promise<RunUnderWay[]> {
  demand(actor, 'mail:read');
  const kinds = items.map(({ kind }) => kind);
  const ids = items.map(({ id }) => id);
  const { rows } = await sql<RunUnderWay>`
    select run.id, people.name as by, due_at as "dueAt", count(distinct (about_kind, about_id))::integer as count
    from bulk_runs run
      join bulk_run_items item on run_id = run.id and item.state = 'to-do'
      join unnest(${kinds}::text[], ${ids}::bigint[]) as asked (kind, id) on kind = about_kind and asked.id = about_id
      left join people on people.id = made_by
    where ended_at is null and stopped_at is null and act = any(${[...acts]}::text[])
    group by run.id, people.id order by due_at, run.id`.execute(db);
  return rows;
}

/** The run that a form began; null for none. */
export async function runOfForm(db: Db, form: string): Promise<number | null> {
  const row = await db.selectFrom('bulk_runs').select('id').where('form', '=', form).executeTakeFirst();
  return row?.id ?? null;
}

/** The result of each item of a run, with its enrolment or waiting-list entry, and why its email was withdrawn. */
export async function runItems(db: Db, actor: StaffActor, id: number) {
  demand(actor, 'mail:read');
  const { rows } = await sql<{
    name: string | null;
    email: string | null;
    reference: string | null;
    state: string;
    why: string | null;
    mail: 'queued' | 'sent' | 'failed' | 'dropped' | null;
    withdrawn: string | null;
    date: string | null;
  }>`
    select coalesce(attendees.name, enrolments.buyer_name, waiting_entries.name) as name,
      coalesce(attendees.email, enrolments.email, waiting_entries.email) as email,
      coalesce(of_attendee.reference, enrolments.reference, waiting_entries.reference) as reference, item.state, item.why,
      mails.state as mail, case when mails.state = 'dropped' then mails.reason end as withdrawn, training_sessions.slug as date
    from bulk_run_items item
      left join mails on mails.id = item.mail_id
      left join training_sessions on training_sessions.id = item.training_session_id
      left join attendees on item.about_kind = 'attendee' and attendees.id = item.about_id
      left join enrolments of_attendee on of_attendee.id = attendees.enrolment_id
      left join enrolments on item.about_kind = 'enrolment' and enrolments.id = item.about_id
      left join waiting_entries on item.about_kind = 'waiting-entry' and waiting_entries.id = item.about_id
    where run_id = ${id} order by item.id`.execute(db);
  return rows;
}

/** The course dates that the emails of a message name, with how many of each are done; none for any other run. */
export async function runDates(db: Db, actor: StaffActor, id: number) {
  demand(actor, 'mail:read');
  const { rows } = await sql<{ slug: string; title: string; startsOn: Day; endsOn: Day; done: number; all: number }>`
    select session.slug, courses.title, starts_on as "startsOn", ends_on as "endsOn", count(*)::integer as all,
      (count(*) filter (where item.state = 'done'))::integer as done
    from bulk_run_items item
      join training_sessions session on session.id = item.training_session_id
      join courses on courses.id = course_id
    where run_id = ${id} group by session.id, courses.id order by starts_on, session.id`.execute(db);
  return rows;
}

/** The messages written to a course date, or to it and others, the latest first. */
export async function messagesTo(db: Db, actor: StaffActor, sessionId: number) {
  demand(actor, 'mail:read');
  return db
    .selectFrom('bulk_runs')
    .leftJoin('people', 'people.id', 'made_by')
    .select(['bulk_runs.id', 'subject', 'due_at', 'stopped_at', 'ended_at', 'people.name as made_by'])
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('training_session_id', '=', sessionId),
        eb(
          'bulk_runs.id',
          'in',
          selectFrom('bulk_run_items').select('run_id').where('bulk_run_items.training_session_id', '=', sessionId),
        ),
      ]),
    )
    .orderBy('bulk_runs.id', 'desc')
    .limit(20)
    .execute();
}

const listLength = 50;

/** The runs before a given run, latest first; `next` is the run for the next page. */
export async function listRuns(db: Db, actor: StaffActor, before: number | null) {
  demand(actor, 'mail:read');
  const { rows } = await sql<ListedRun>`
    select run.id, act, subject, people.name as by, made_at as "madeAt", due_at as "dueAt", stopped_at as "stoppedAt",
      ended_at as "endedAt", items.*
    from (select * from bulk_runs where ${before}::bigint is null or id < ${before} order by id desc
        limit ${listLength + 1}) as run
      left join people on people.id = run.made_by
      cross join lateral (select count(*)::integer as all, (count(*) filter (where state = 'done'))::integer as done,
        (count(*) filter (where state = 'left-out'))::integer as "leftOut"
        from bulk_run_items where run_id = run.id) as items
    order by run.id desc`.execute(db);
  return {
    runs: rows.slice(0, listLength),
    next: rows.length > listLength ? (rows[listLength - 1]?.id ?? null) : null,
  };
}

type ListedRun = {
  id: number;
  act: RunAct;
  subject: string | null;
  by: string | null;
  madeAt: Date;
  dueAt: Date;
  stoppedAt: Date | null;
  endedAt: Date | null;
  all: number;
  done: number;
  leftOut: number;
};
