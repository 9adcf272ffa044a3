import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Trx } from '#app/db/client.server.ts';
import { demand, type StaffActor } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { takeBackSeconds } from '#app/outbox/mail.ts';
import { demandAct, type EnrolmentAct, mostItems, type RunAct } from './acts.ts';
import { planEnrolments } from './chosen-enrolments.server.ts';
import { type ChosenRecords, chosenRecipients } from './chosen-recipients.server.ts';
import { type Message, whoGets } from './message.server.ts';
import type { Audience } from './recipients.server.ts';

type Started = { ok: true; runId: number; count: number };
type NotStarted = { ok: false; reason: 'nobody' | 'too-many' };
/** Other items than the page showed: somebody acted meanwhile, or a row left the filter or came into it. */
type Changed = { ok: false; reason: 'changed' };

/** `sessionId` of a message that names a course date of its own. */
type ItemKey = { kind: string; id: number; sessionId?: number };

/**
 * Fixes who gets a message to a course date and has it sent: after a minute, or from `dueAt` on (P80). Those who cannot
 * get it are not in the run; the page that fixed them has named them. Those who share an address are in it: one of them
 * gets the email, and another one if the first has left by then.
 */
export async function startMessage(
  trx: Trx,
  {
    sessionId,
    message,
    to,
    dueAt,
    form,
    expects,
    actor,
  }: {
    sessionId: number;
    message: Message;
    to: readonly Audience[];
    dueAt: Date | null;
    /** The key of the form: pressed twice, it is one run. */
    form?: string;
    /** Who gets it by the preview, by `planKey`. */
    expects?: string;
    actor: StaffActor;
  },
  moment: Moment,
): Promise<Started | NotStarted | Changed> {
  demandAct(actor, 'message');
  const plan = await whoGets(trx, sessionId, { to, marketing: message.marketing });
  if (expects !== undefined && planKey(plan) !== expects) return { ok: false, reason: 'changed' };
  return start(trx, plan, {
    act: 'message',
    training_session_id: sessionId,
    once_for: 'address',
    ...(form !== undefined && { form }),
    ...message,
    ...madeBy(actor, dueAt, moment),
  });
}

type Pressed = {
  actor: StaffActor;
  /** The key of the form: pressed twice, it is one run. */
  form: string;
  /** The plan that the page showed, by `planKey`. */
  expects: string;
};

/** Fixes which of the chosen enrolments an act is for, and starts it after a minute (P79). */
export async function startForEnrolments(
  trx: Trx,
  {
    act,
    ids,
    more,
    ...pressed
  }: Pressed & { act: EnrolmentAct; ids: readonly number[]; more: { until: Day; reason: string } | null },
  moment: Moment,
): Promise<Started | NotStarted | Changed> {
  const { actor, form, expects } = pressed;
  demandAct(actor, act);
  const plan = await planEnrolments(trx, ids, { act, until: more?.until ?? null }, moment);
  if (planKey(plan) !== expects) return { ok: false, reason: 'changed' };
  return start(trx, plan, { act, form, ...more, ...madeBy(actor, null, moment) });
}

/** Fixes which of the people chosen in a list get a message, and sends it as `startMessage` does. */
export async function startWriting(
  trx: Trx,
  {
    records,
    to,
    message,
    dueAt,
    ...pressed
  }: Pressed & { records: ChosenRecords; to: readonly Audience[]; message: Message; dueAt: Date | null },
  moment: Moment,
): Promise<Started | NotStarted | Changed> {
  const { actor, form, expects } = pressed;
  demandAct(actor, 'write');
  demand(actor, `${records.of}:read`);
  const plan = await chosenRecipients(trx, records, { to, marketing: message.marketing, today: moment.today });
  if (planKey(plan) !== expects) return { ok: false, reason: 'changed' };
  const once_for = records.of === 'sessions' && !message.marketing ? 'address and date' : 'address';
  return start(trx, plan, { act: 'write', once_for, form, ...message, ...madeBy(actor, dueAt, moment) });
}

type Considered = ItemKey & { leftOut: string | null };

const wanted = <Item extends Considered>(plan: readonly Item[]) => plan.filter(({ leftOut }) => leftOut === null);

/** Names the items for which something would be done: another one as soon as one of them is another. */
export function planKey(plan: readonly Considered[]): string {
  const items = wanted(plan).map(({ kind, id, sessionId }) => [kind, id, sessionId].join(':'));
  return createHash('sha256').update(items.sort().join()).digest('hex').slice(0, 32);
}

type RunRow = ReturnType<typeof madeBy> & {
  act: RunAct;
  training_session_id?: number;
  once_for?: 'address' | 'address and date';
  form?: string;
  subject?: string;
  body?: string;
  marketing?: boolean;
  until?: Day;
  reason?: string;
};

async function start(trx: Trx, plan: readonly Considered[], row: RunRow): Promise<Started | NotStarted> {
  const count = wanted(plan).length;
  const items = plan.filter(({ leftOut }) => leftOut === null || leftOut === 'same-address');
  if (count === 0) return { ok: false, reason: 'nobody' };
  if (items.length > mostItems) return { ok: false, reason: 'too-many' };
  const { id: runId } = await trx.insertInto('bulk_runs').values(row).returning('id').executeTakeFirstOrThrow();
  await addItems(trx, runId, items);
  const { made_at: at, made_by: personId } = row;
  await writeAuditEntry(trx, { at, personId, action: 'begin-run', subject: `run:${runId}`, details: { count } });
  return { ok: true, runId, count };
}

const inAMinute = ({ now }: Moment) => new Date(now.getTime() + takeBackSeconds * 1000);

const madeBy = (actor: StaffActor, dueAt: Date | null, moment: Moment) => ({
  made_by: actor.person.id,
  made_at: moment.now,
  due_at: dueAt ?? inAMinute(moment),
});

/** In one statement, however many there are. */
async function addItems(trx: Trx, runId: number, items: readonly ItemKey[]): Promise<void> {
  const kinds = items.map(({ kind }) => kind);
  const ids = items.map(({ id }) => id);
  const dates = items.map(({ sessionId }) => sessionId ?? null);
  await sql`insert into bulk_run_items (run_id, about_kind, about_id, training_session_id)
    select ${runId}, kind, id, date from unnest(${kinds}::text[], ${ids}::bigint[], ${dates}::bigint[])
      with ordinality as asked (kind, id, date, place)
    order by place`.execute(trx);
}

/**
 * Stops a run: nothing more of it is done. Before its time that takes it back as a whole. What is done stays done;
 * returns how many items were done and how many were not.
 */
export async function stopRun(
  trx: Trx,
  { runId, actor }: { runId: number; actor: StaffActor },
  { now }: Moment,
): Promise<{ ok: true; done: number; undone: number } | { ok: false; reason: 'over' | 'unknown' }> {
  const run = await lockRun(trx, runId);
  if (!run) return { ok: false, reason: 'unknown' };
  demandAct(actor, run.act);
  if (run.stopped_at || run.ended_at) return { ok: false, reason: 'over' };
  await trx
    .updateTable('bulk_runs')
    .set({ stopped_at: now, stopped_by: actor.person.id })
    .where('id', '=', runId)
    .execute();
  const counted = await trx
    .selectFrom('bulk_run_items')
    .select([
      sql<number>`(count(*) filter (where state = 'done'))::integer`.as('done'),
      sql<number>`(count(*) filter (where state = 'to-do'))::integer`.as('undone'),
    ])
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow();
  return { ok: true, ...counted };
}

const lockRun = (trx: Trx, runId: number) =>
  trx
    .selectFrom('bulk_runs')
    .select(['act', 'stopped_at', 'ended_at', 'words_erased_at'])
    .where('id', '=', runId)
    .forUpdate()
    .executeTakeFirst();

/**
 * Continues a run that was stopped, in the name of whoever continues it: what was not done of it is done after a minute
 * or at its own time, whichever is later, if nothing speaks against it since it was made. Returns how many items that is.
 */
export async function continueRun(
  trx: Trx,
  { runId, actor }: { runId: number; actor: StaffActor },
  moment: Moment,
): Promise<{ ok: true; count: number } | { ok: false; reason: 'unknown' | 'not-stopped' | 'words-erased' | 'nobody' }> {
  const run = await lockRun(trx, runId);
  if (!run) return { ok: false, reason: 'unknown' };
  demandAct(actor, run.act);
  if (!run.stopped_at) return { ok: false, reason: 'not-stopped' };
  if (run.words_erased_at) return { ok: false, reason: 'words-erased' };
  const { count } = await trx
    .selectFrom('bulk_run_items')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('run_id', '=', runId)
    .where('state', '=', 'to-do')
    .executeTakeFirstOrThrow();
  if (count === 0) return { ok: false, reason: 'nobody' };
  await trx
    .updateTable('bulk_runs')
    .set({ stopped_at: null, stopped_by: null, made_by: actor.person.id })
    .set({ due_at: sql`greatest(due_at, ${inAMinute(moment)})` })
    .where('id', '=', runId)
    .execute();
  return { ok: true, count };
}
