import { sql } from 'kysely';
import { fieldsChangedSince, wasDoneSince } from '#app/audit/history.server.ts';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Trx } from '#app/db/client.server.ts';
import { askForNames } from '#app/features/enrolments/ask-names.server.ts';
import { giveMoreTime } from '#app/features/enrolments/more-time.server.ts';
import { remindNow } from '#app/features/enrolments/payment-reminders.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { writeNote } from '#app/features/people/notes.server.ts';
import { readActor } from '#app/features/people/queries.server.ts';
import { namedInTexts } from '#app/features/sessions/changed-times.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { type EnrolmentAct, mayDo, type RunAct } from './acts.ts';
import { planEnrolments } from './chosen-enrolments.server.ts';
import { chosenRecipient } from './chosen-recipients.server.ts';
import { sendTo, sessionRecipient } from './message.server.ts';

/** A run as an item of it is done: the columns that say what. */
export type Run = {
  id: number;
  act: RunAct;
  made_by: number | null;
  made_at: Date;
  training_session_id: number | null;
  once_for: 'address' | 'address and date' | null;
  subject: string | null;
  body: string | null;
  marketing: boolean;
  until: Day | null;
  reason: string | null;
};

type Item = { id: number; about_kind: string; about_id: number; training_session_id: number | null };

/** The result of an item: done, with the email where it is one; left out with the reason; or to be tried again. */
export type Outcome =
  | { state: 'done'; mailId: string | null }
  | { state: 'left-out'; why: string }
  | { state: 'to-do' };

const done = (mailId: string | null): Outcome => ({ state: 'done', mailId });
const leftOut = (why: string): Outcome => ({ state: 'left-out', why });

/**
 * Does an item of a run, if the person who asked for it may still do it and nothing speaks against it any more. What is
 * said before the press holds here too, computed anew.
 */
export async function doItem(trx: Trx, run: Run, item: Item, moment: Moment): Promise<Outcome> {
  const act = run.act;
  const actor = run.made_by === null ? null : await readActor(trx, run.made_by);
  if (!mayDo(actor, act)) return leftOut('not-permitted');
  const key = `run-item:${item.id}`;
  if (act === 'message' || act === 'write') return write(trx, { act, run, item, key }, moment);
  return actOn(trx, { act, run, enrolmentId: item.about_id, actor, key }, moment);
}

type Writing = { act: 'message' | 'write'; run: Run; item: Item; key: string };

async function write(trx: Trx, { act, run, item, key }: Writing, moment: Moment): Promise<Outcome> {
  const { subject, body, marketing } = run;
  // In a message to several course dates, or to people chosen in a list, each item has its own date.
  const sessionId = item.training_session_id ?? run.training_session_id;
  // The text of staff is erased with a person whom it names; then nobody gets it.
  if (subject === null || body === null) return leftOut('words-erased');
  const message = { subject, body, marketing };
  const { about_kind: kind, about_id: id } = item;
  if (kind === 'attendee' && (await isGivenSince(trx, id, run.made_at))) return leftOut('handed-over');
  // A check constraint of the table allows no message without it.
  if (act === 'message' && sessionId === null) throw new Error('a message to a course date without the date');
  if (sessionId !== null) {
    const changed = await changedSince(trx, sessionId, run.made_at);
    if (changed) return leftOut(changed);
  } else if (kind === 'enrolment' && (await isCancelledSince(trx, { kind, id }, run.made_at))) {
    return leftOut('cancelled');
  }
  const recipient =
    sessionId === null
      ? await chosenRecipient(trx, { kind, id, today: moment.today })
      : await sessionRecipient(trx, sessionId, { kind, id });
  if (!recipient) return leftOut((await isCancelledSince(trx, { kind, id }, run.made_at)) ? 'cancelled' : 'gone');
  if (recipient.email !== null && (await isToldByRun(trx, run, item, recipient.email))) return leftOut('same-address');
  const sent = await sendTo(trx, recipient, { message, course: recipient.course, moment }, key);
  return sent.ok ? done(sent.mailId) : leftOut(sent.reason);
}

/** Whether the run has written to the address already, for another item. Of two items at once, one waits for the other. */
async function isToldByRun(trx: Trx, { id, once_for }: Run, item: Item, address: string): Promise<boolean> {
  if (once_for === null) return false;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`run:${id}:${address.toLowerCase()}`}, 0))`.execute(trx);
  const told = trx
    .selectFrom('bulk_run_items')
    .innerJoin('mails', 'mails.id', 'mail_id')
    .select('mails.id')
    .where('run_id', '=', id)
    .where(sql<boolean>`lower(recipient) = ${address.toLowerCase()}`)
    .$if(once_for === 'address and date', (query) =>
      query.where('training_session_id', 'is not distinct from', item.training_session_id),
    );
  return (await told.executeTakeFirst()) !== undefined;
}

/** Whether a buyer or an attendee who had a place at the press of the button has none any more. */
async function isCancelledSince(trx: Trx, { kind, id }: { kind: string; id: number }, since: Date): Promise<boolean> {
  if (kind === 'waiting-entry') return false;
  const places = await trx
    .selectFrom('places')
    .select(['state', 'cancelled_at'])
    .where(kind === 'attendee' ? 'attendee_id' : 'enrolment_id', '=', id)
    .execute();
  return (
    places.every(({ state }) => state === 'cancelled') &&
    places.some(({ cancelled_at: at }) => at !== null && at >= since)
  );
}

/** Whether the place has another attendee than at the press of the button: nobody who came later gets the message. */
async function isGivenSince(trx: Trx, attendeeId: number, since: Date): Promise<boolean> {
  const given = await trx
    .selectFrom('corrections')
    .select('id')
    .where('attendee_id', '=', attendeeId)
    .where('at', '>=', since)
    .where(sql<boolean>`'person' = any(fields)`)
    .executeTakeFirst();
  return given !== undefined;
}

/** Whether a course date was cancelled or moved after staff wrote: what they wrote about it may no longer be so. */
async function changedSince(trx: Trx, sessionId: number, since: Date): Promise<'date-cancelled' | 'date-moved' | null> {
  const { slug, state } = await trx
    .selectFrom('training_sessions')
    .select(['slug', 'state'])
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow();
  const subject = `training-session:${slug}`;
  if (state === 'cancelled' && (await wasDoneSince(trx, { subject, action: 'cancel-session', since }))) {
    return 'date-cancelled';
  }
  const fields = await fieldsChangedSince(trx, { subject, action: 'move-session', since });
  return namedInTexts.some((field) => fields.has(field)) ? 'date-moved' : null;
}

const notReminded = { 'sent-today': 'reminded', 'on-its-way': 'on-its-way', 'nothing-due': 'not-due' } as const;

type Acting = { act: EnrolmentAct; run: Run; enrolmentId: number; actor: StaffActor; key: string };

async function actOn(trx: Trx, { act, run, enrolmentId, actor, key }: Acting, moment: Moment): Promise<Outcome> {
  if (act === 'ask-names') {
    // Locked, so that a second run with the same enrolment sees the effect of the first.
    await trx.selectFrom('enrolments').select('id').where('id', '=', enrolmentId).forNoKeyUpdate().execute();
  }
  const [planned] = await planEnrolments(trx, [enrolmentId], { act, until: run.until }, moment);
  if (!planned) return leftOut('gone');
  if (planned.leftOut !== null) return leftOut(planned.leftOut);
  const record = (action: string, more: Pick<Parameters<typeof writeAuditEntry>[1], 'details' | 'changes'> = {}) =>
    writeAuditEntry(trx, {
      at: moment.now,
      personId: actor.person.id,
      action,
      subject: `enrolment:${planned.reference}`,
      ...more,
    });
  switch (act) {
    case 'remind': {
      const reminded = await remindNow(trx, { enrolmentId, actor, ofRun: true }, moment);
      if (!reminded.ok) return leftOut(notReminded[reminded.reason]);
      await record('remind');
      return done(reminded.mailId);
    }
    case 'ask-names': {
      const asked = await askForNames(trx, { enrolmentId, actor, key }, moment);
      if (!asked.ok) return leftOut(asked.reason);
      await record('ask-names');
      return done(asked.mailId);
    }
    case 'more-time': {
      const { until, reason } = run;
      // A check constraint guarantees it.
      if (until === null) throw new Error('more time without a day');
      if (reason === null) return leftOut('words-erased');
      if (until < moment.today) return leftOut('day-over');
      const result = await giveMoreTime(trx, { enrolmentId, until, actor }, moment);
      if (!result.ok) return result.reason === 'meanwhile' ? { state: 'to-do' } : leftOut(result.reason);
      for (const { invoice, changes } of result.given) {
        await record('agree-instalments', { details: { invoice, instalments: 1 }, changes });
      }
      const text = `More time to pay, until ${formatDay(until)}: ${reason}`;
      await writeNote(trx, { about: { kind: 'enrolment', id: enrolmentId }, text, actor }, moment);
      return done(result.mailId);
    }
  }
}
