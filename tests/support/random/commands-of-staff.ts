import { sql } from 'kysely';
import { expect } from 'vitest';
import { agreeOnInstalments, endAgreement } from '#app/features/enrolments/agree-instalments.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-enrolment.server.ts';
import { giveDiscount } from '#app/features/enrolments/give-discount.server.ts';
import {
  cancelSessionAndAsk,
  confirmSessionAndTell,
  moveSessionAndAsk,
} from '#app/features/enrolments/session-changes.server.ts';
import { recordRefund } from '#app/features/money/payments.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { datePlaces } from '#app/features/waiting/date-places.server.ts';
import { receive } from '#tests/support/money.ts';
import { chooseBy } from './acts-of-staff.ts';
import { addDays } from './calendar.ts';
import { drawPlace, expectAnswer, momentOf, openSession, type Refusal, type Scene, transaction } from './commands.ts';
import { promisesAgree } from './documents.ts';
import { jobsRun } from './jobs.ts';
import { remindersOfPlaces } from './place-reminders.ts';
import { confirm, type Outcome, owed, reach, settleContract } from './stage.ts';
import { charge, type Enrolment, type Place, type Session } from './world.ts';

const drawSession = ({ world, draw }: Scene) => {
  const session = draw.of(world.sessions);
  if (!session) throw new Error('a sequence has sessions');
  return session;
};

/** Those in a session choose within 14 days and before its first day (P40). */
function ask({ world }: Scene, session: Session, why: 'moved' | 'cancelled'): void {
  const by = chooseBy(world, session.startsOn);
  for (const place of world.places) if (place.active && place.session === session) place.choice = { by, why };
}

export async function cancelSession(scene: Scene): Promise<Outcome> {
  const { world } = scene;
  const session = drawSession(scene);
  const over = addDays(session.startsOn, 4) < world.today;
  const refused = session.state === 'cancelled' ? { reason: 'cancelled' } : over ? { reason: 'over' } : null;
  const result = await transaction(scene, (trx) => cancelSessionAndAsk(trx, session.id, theProgram, momentOf(world)));
  expectAnswer(result, refused);
  if (refused) return 'refused';
  session.state = 'cancelled';
  ask(scene, session, 'cancelled');
  return 'done';
}

export async function confirmSession(scene: Scene): Promise<Outcome> {
  const session = drawSession(scene);
  const refused = session.state === 'tentative' ? null : { reason: session.state };
  const result = await transaction(scene, (trx) =>
    confirmSessionAndTell(trx, session.id, theProgram, momentOf(scene.world)),
  );
  expectAnswer(result, refused);
  if (refused) return 'refused';
  confirm(scene.world, session);
  return 'done';
}

export const moveSession = (scene: Scene) => moveSessionByAWeek(scene, drawSession(scene));

/** Staff move a session by a week; the buyers in it choose. */
export async function moveSessionByAWeek(scene: Scene, session: Session): Promise<Outcome> {
  const { db, world } = scene;
  const startDate = addDays(session.startsOn, 7);
  const { instructor_slug, decided_by } = await db
    .selectFrom('training_sessions')
    .select(['instructor_slug', 'decided_by'])
    .where('id', '=', session.id)
    .executeTakeFirstOrThrow();
  const times = {
    startDate,
    endDate: addDays(startDate, 4),
    startTime: '09:00',
    endTime: '17:00',
    breakMinutes: 60,
    delivery: 'online',
    venue: null,
    instructor: instructor_slug,
    enrolmentEnds: addDays(startDate, -1),
    decidedBy: decided_by,
  } as const;
  const result = await transaction(scene, (trx) =>
    moveSessionAndAsk(trx, { sessionId: session.id, times, actor: theProgram }, momentOf(world)),
  );
  expectAnswer(result, immovable(scene, session, decided_by));
  if (!result.ok) return 'refused';
  session.startsOn = startDate;
  ask(scene, session, 'moved');
  return 'done';
}

function immovable({ world }: Scene, { state, startsOn }: Session, decidedBy: string | null): Refusal | null {
  if (state === 'cancelled') return { reason: 'cancelled' };
  if (startsOn <= world.today) return { reason: 'begun' };
  const isLate = state === 'tentative' && decidedBy !== null && decidedBy < world.today;
  return isLate ? { reason: 'faults', faults: [{ field: 'decidedBy', message: 'is over' }] } : null;
}

/** Staff give back all of a place, for a reason. */
export async function cancelInFull(scene: Scene): Promise<Outcome> {
  const { world } = scene;
  const found = drawPlace(scene, ({ active }) => active);
  if (!found) return 'nothing to act on';
  const { enrolment, place } = found;
  const inFull = { reason: 'Illness' };
  const cancellation = { enrolmentId: enrolment.id, placeIds: [place.id], shownCents: null, inFull } as const;
  const result = await transaction(scene, (trx) =>
    cancelPlaces(trx, { ...cancellation, why: 'staff', actor: theProgram }, momentOf(world)),
  );
  expectAnswer(result, null);
  await settleContract(scene, enrolment, world.cancel(enrolment, [place], 'full'));
  return 'done';
}

/** Money comes in: all that is owed, a part of it, or too much. */
export async function pay(scene: Scene): Promise<Outcome> {
  const { db, world, draw } = scene;
  const enrolment = draw.of(world.enrolments.filter((one) => owed(one) > 0));
  if (!enrolment) return 'nothing to act on';
  const all = owed(enrolment);
  const amountCents = draw.of([all, Math.ceil(all / 3), all + 5000]) ?? all;
  await receive(db, enrolment.id, amountCents, world);
  enrolment.paid += amountCents;
  return 'done';
}

/** The payments of an enrolment with what is left of each after its refunds, in cents. */
async function paymentsOf({ db }: Scene, enrolment: Enrolment) {
  const payments = await db
    .selectFrom('payments')
    .leftJoin('refunds', (join) => join.onRef('payment_id', '=', 'payments.id').on('refunds.state', '=', 'sent'))
    .select(({ fn }) => [
      'payments.id',
      'payments.amount_cents as paid',
      fn.sum<number | null>('refunds.amount_cents').as('back'),
    ])
    .where('payments.enrolment_id', '=', enrolment.id)
    .groupBy('payments.id')
    .orderBy('payments.id')
    .execute();
  return payments.map(({ id, paid, back }) => ({ id, left: paid - Number(back ?? 0) }));
}

/** Staff send back what was paid too much, and not more than came in with one payment. */
export async function refund(scene: Scene): Promise<Outcome> {
  const { world, draw } = scene;
  const enrolment = draw.of(world.enrolments.filter((one) => owed(one) < 0));
  if (!enrolment) return 'nothing to act on';
  const payment = draw.of(await paymentsOf(scene, enrolment));
  if (!payment) return 'nothing to act on';
  const leftCents = payment.left;
  const amountCents = -owed(enrolment);
  const result = await transaction(scene, (trx) =>
    recordRefund(trx, {
      paymentId: payment.id,
      amountCents,
      reason: 'Paid too much',
      actor: theProgram,
      at: world.now,
      idempotencyKey: crypto.randomUUID(),
    }),
  );
  expectAnswer(result, amountCents > leftCents ? { reason: 'more-than-paid', leftCents } : null);
  if (!result.ok) return 'refused';
  enrolment.refunded += amountCents;
  return 'done';
}

/**
 * Staff give a discount on one place, or on all that an enrolment has invoiced. What was paid beyond what is owed then goes
 * back with it: without a payment that has so much it is refused (P83).
 */
export async function discount(scene: Scene): Promise<Outcome> {
  const { db, world, draw } = scene;
  const fits = ({ active, way, bare, withdrawn }: Place) =>
    active && way !== 'next-date' && bare > 20_000 && withdrawn === 0;
  const found = drawPlace(scene, fits);
  if (!found) return 'nothing to act on';
  const { enrolment } = found;
  const places = draw.chance(0.5) ? [found.place] : enrolment.places.filter(fits);
  const cents = draw.chance(0.1) ? sumOf(places.map(charge)) + 1 : 1 + draw.below(20_000);
  const back = Math.max(0, cents - Math.max(0, owed(enrolment)));
  const payment = draw.of(await paymentsOf(scene, enrolment));
  const refundOf = draw.chance(0.7) ? (payment?.id ?? null) : null;
  const asked = { placeIds: places.map(({ id }) => id), cents, reason: 'Colleagues of one company', refundOf };
  const by = { actor: theProgram, idempotencyKey: crypto.randomUUID() };
  const result = await transaction(scene, (trx) =>
    giveDiscount(trx, { enrolmentId: enrolment.id, ...asked, ...by }, momentOf(world)),
  );
  const tooMuch = cents > sumOf(places.map(charge));
  const unpaid = back > 0 && (refundOf === null || back > (payment?.left ?? 0));
  expectAnswer(
    result,
    tooMuch
      ? { reason: 'more-than-charged', chargedCents: sumOf(places.map(charge)) }
      : unpaid
        ? { reason: 'refund-needed', refundCents: back, leftCents: refundOf === null ? null : (payment?.left ?? 0) }
        : null,
  );
  if (!result.ok) return 'refused';
  expect(result.refundCents).toBe(back);
  enrolment.refunded += back;
  await shareAgrees(db, places, { cents, numbers: result.notes });
  return 'done';
}

/** Each place bears its part by its charge, within a cent; which one bears the odd cents, the program says. */
export async function shareAgrees(
  db: Scene['db'],
  places: readonly Place[],
  { cents, numbers }: { cents: number; numbers: readonly string[] },
): Promise<void> {
  const { rows } = await sql<{ id: number; cents: number }>`
    with recursive chain as (
      select id, id as root from places where transferred_from is null
      union all select later.id, root from chain join places later on transferred_from = chain.id
    )
    select chain.id, sum(line.amount_cents)::integer as cents
    from adjustment_note_lines line join adjustment_notes note on note.id = adjustment_note_id
      join chain on chain.root = line.place_id
    where note.facts ->> 'number' = any(${[...numbers]}) group by chain.id`.execute(db);
  const all = sumOf(places.map(charge));
  const shares = places.map((place) => rows.find(({ id }) => id === place.id)?.cents ?? 0);
  expect(sumOf(shares)).toBe(cents);
  for (const [at, place] of places.entries()) {
    expect(Math.abs((shares[at] ?? 0) - (cents * charge(place)) / all)).toBeLessThan(1);
  }
  for (const [at, place] of places.entries()) place.bare -= shares[at] ?? 0;
}

const sumOf = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0);

/** Staff agree on instalments for an open invoice, or end an agreement; the amounts have to be what is owed (P83). */
export async function agreeOn(scene: Scene): Promise<Outcome> {
  const { db, world, draw, promises } = scene;
  // So that the invoices of this day are known.
  await promisesAgree(scene);
  const open = world.enrolments.flatMap((enrolment) =>
    promises.of(enrolment).flatMap((invoice) => {
      const rows = promises.open(enrolment).filter(({ number }) => number === invoice.number);
      const cents = sumOf(rows.map((row) => row.open - row.choosing));
      return cents > 0 ? [{ enrolment, invoice, cents }] : [];
    }),
  );
  const found = draw.of(open);
  if (!found) return 'nothing to act on';
  const { enrolment, invoice, cents } = found;
  const { id } = await db
    .selectFrom('tax_invoices')
    .select('id')
    .where(sql<string>`facts ->> 'number'`, '=', invoice.number)
    .executeTakeFirstOrThrow();
  const asked = { enrolmentId: enrolment.id, invoiceId: id, actor: theProgram };
  const moment = momentOf(world);
  if (draw.chance(0.15)) {
    const ended = await transaction(scene, (trx) => endAgreement(trx, asked, moment));
    expectAnswer(ended, promises.hasAgreement(invoice.debt) ? null : { reason: 'not-agreed' });
    promises.agree(invoice.debt, []);
    return ended.ok ? 'done' : 'refused';
  }
  const count = Math.min(1 + draw.below(4), cents);
  const first = Math.floor(cents / count);
  const from = draw.below(20);
  const instalments = Array.from({ length: count }, (_, at) => ({
    dueOn: addDays(world.today, from + at * 17),
    cents: at === count - 1 ? cents - first * (count - 1) : first,
  }));
  const wrong = draw.chance(0.15);
  const sent = wrong ? [...instalments.slice(0, -1), { dueOn: addDays(world.today, 200), cents: 1 }] : instalments;
  const sumCents = sumOf(sent.map((one) => one.cents));
  const result = await transaction(scene, (trx) => agreeOnInstalments(trx, { ...asked, instalments: sent }, moment));
  expectAnswer(result, sumCents === cents ? null : { reason: 'sum', sumCents, openCents: cents });
  if (!result.ok) return 'refused';
  promises.agree(
    invoice.debt,
    sent.map((one) => ({ on: one.dueOn, cents: one.cents })),
  );
  return 'done';
}

/** Staff set a date for a course, and give it to those of an enrolment who wait for it; their invoice comes now (P38). */
export async function giveDate(scene: Scene): Promise<Outcome> {
  const { world, draw, courseIds } = scene;
  const found = drawPlace(scene, ({ active, way }) => active && way === 'next-date');
  if (!found) return 'nothing to act on';
  const { enrolment } = found;
  const { course } = found.place;
  const startsOn = addDays(world.today, draw.of([5, 35, 60]) ?? 35);
  const decidedBy = draw.chance(0.5) ? addDays(startsOn, -14) : null;
  const wish = { course, capacity: 6, startsOn, minimum: 4, decidedBy };
  const session = await openSession(scene, startsOn > addDays(world.today, 14) ? wish : { ...wish, decidedBy: null });
  const waiting = enrolment.places.filter((one) => one.active && one.way === 'next-date' && one.course === course);
  const dating = { enrolmentId: enrolment.id, courseId: courseIds.get(course) ?? 0, sessionId: session.id };
  const result = await transaction(scene, (trx) => datePlaces(trx, { ...dating, actor: theProgram }, momentOf(world)));
  expect(result).toEqual({ ok: true, places: waiting.length });
  for (const one of waiting) {
    Object.assign(one, { way: 'session', session, boundHour: world.hour });
    world.sell(one);
  }
  reach(world);
  return 'done';
}

/** Time passes. The jobs run every day, or once after a longer time in which the program did not run. */
export const wait = (scene: Scene) => waitFor(scene, scene.draw.of([1, 5, 23, 24, 24, 72, 120, 168, 336]) ?? 24);

export async function waitFor(scene: Scene, hours: number): Promise<Outcome> {
  const { db, world } = scene;
  const daily = hours <= 120 ? Math.ceil(hours / 24) : 1;
  for (let day = 0; day < daily; day += 1) {
    world.hour += hours / daily;
    await jobsRun(scene, momentOf(world));
    await remindersOfPlaces(scene, momentOf(world));
  }
  expect(await db.selectFrom('job_faults').selectAll().execute(), 'jobs that failed').toEqual([]);
  return 'done';
}
