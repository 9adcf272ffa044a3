import { expect } from 'vitest';
import { cancelPlaces } from '#app/features/enrolments/cancel-enrolment.server.ts';
import { queueNotes } from '#app/features/enrolments/money-mails.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import {
  cancelSessionAndAsk,
  confirmSessionAndTell,
  moveSessionAndAsk,
} from '#app/features/enrolments/session-changes.server.ts';
import { issueAdjustmentNotes } from '#app/features/money/adjustment-notes.server.ts';
import { recordRefund } from '#app/features/money/payments.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { datePlaces } from '#app/features/waiting/date-places.server.ts';
import { receive } from '#tests/support/money.ts';
import { chooseBy } from './acts-of-staff.ts';
import { addDays } from './calendar.ts';
import { drawPlace, expectAnswer, momentOf, openSession, type Refusal, type Scene, transaction } from './commands.ts';
import { jobsRun } from './jobs.ts';
import { remindersOfPlaces } from './place-reminders.ts';
import { confirm, type Outcome, owed, reach, settleContract } from './stage.ts';
import type { Session } from './world.ts';

const drawSession = ({ world, draw }: Scene) => {
  const session = draw.of(world.sessions);
  if (!session) throw new Error('a sequence has sessions');
  return session;
};

/** Those in a session choose within 14 days and before its first day (P40). */
function ask({ world }: Scene, session: Session, why: 'moved' | 'cancelled'): void {
  const by = [chooseBy(world, session.startsOn), world.today].toSorted().at(-1) ?? world.today;
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

/** Staff send back what was paid too much, and not more than came in with one payment. */
export async function refund(scene: Scene): Promise<Outcome> {
  const { db, world, draw } = scene;
  const enrolment = draw.of(world.enrolments.filter((one) => owed(one) < 0));
  if (!enrolment) return 'nothing to act on';
  const payments = await db
    .selectFrom('payments')
    .leftJoin('refunds', 'payment_id', 'payments.id')
    .select(({ fn }) => [
      'payments.id',
      'payments.amount_cents as paid',
      fn.sum<number | null>('refunds.amount_cents').as('back'),
    ])
    .where('payments.enrolment_id', '=', enrolment.id)
    .groupBy('payments.id')
    .orderBy('payments.id')
    .execute();
  const payment = draw.of(payments);
  if (!payment) return 'nothing to act on';
  const leftCents = payment.paid - Number(payment.back ?? 0);
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

/** Staff lower the price of an invoiced place. */
export async function credit(scene: Scene): Promise<Outcome> {
  const { world, draw } = scene;
  const found = drawPlace(scene, ({ active, way, bare }) => active && way !== 'next-date' && bare > 20_000);
  if (!found) return 'nothing to act on';
  const { enrolment, place } = found;
  const cents = 1 + draw.below(20_000);
  const moment = momentOf(world);
  const credits = [{ placeId: place.id, cents }];
  const why = { reason: 'The projector failed for a day', today: world.today, at: world.now };
  await transaction(scene, async (trx) => {
    const notes = await issueAdjustmentNotes(trx, { enrolmentId: enrolment.id, credits, ...why });
    await queueNotes(trx, await readEnrolment(trx, enrolment.id), { notes, buyerHasThem: false }, moment);
  });
  place.bare -= cents;
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
    Object.assign(one, { way: 'session', session });
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
