import { expect } from 'vitest';
import { completeGuided } from '#app/features/enrolments/complete-guided.server.ts';
import { queuePlaceReminders } from '#app/features/enrolments/jobs.server.ts';
import { queueReceipts } from '#app/features/enrolments/money-receipts.server.ts';
import { queuePaymentReminders } from '#app/features/enrolments/payment-reminders.server.ts';
import { refundSilent } from '#app/features/enrolments/session-changes.server.ts';
import { askForWayIn, tellBelowMinimum } from '#app/features/enrolments/session-notices.server.ts';
import { refundSoldAgain } from '#app/features/enrolments/sold-again.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { signInStaff } from '#tests/support/staff.ts';
import { type Outcome, owed, type Stage, settleContract } from './stage.ts';

/** Time passes, and the program's jobs run once; what they may and must do by the terms is done in the model as well. */
export async function timePasses(stage: Stage): Promise<Outcome> {
  const { academy, world, draw } = stage;
  world.hour += draw.of([1, 2, 23, 24, 24, 72, 120, 168, 336]) ?? 24;
  academy.setNow(world.now);
  // Sign-ins of staff end after some hours.
  stage.staff = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  const { db } = academy.database;
  const moment: Moment = {
    now: world.now,
    today: world.today,
    academy: academy.services.academy.academy(),
  };
  await refundSilent(db, moment);
  await silenceCounts(stage);
  await refundSoldAgain(db, moment);
  await soldOutCounts(stage);
  await completeGuided(db, moment);
  for (const job of [queueReceipts, queuePlaceReminders, tellBelowMinimum, askForWayIn]) await job(db, moment);
  await remind(stage, moment);
  expect(await db.selectFrom('job_faults').selectAll().execute(), 'jobs that failed').toEqual([]);
  return 'done';
}

/** Silence keeps a place in a session that takes place, and gives back all of one that does not (P40). */
async function silenceCounts(stage: Stage): Promise<void> {
  const { world } = stage;
  for (const enrolment of world.enrolments) {
    const over = enrolment.places.filter(({ active, choice }) => active && choice !== null && choice.by < world.today);
    for (const place of over) if (place.choice?.why === 'moved') place.choice = null;
    const cancelled = over.filter(({ choice }) => choice !== null);
    if (cancelled.length > 0) await settleContract(stage, enrolment, world.cancel(enrolment, cancelled, 'full'));
  }
}

/** What was kept comes back once a session has sold out for good (P40). */
async function soldOutCounts(stage: Stage): Promise<void> {
  for (const { enrolment, place } of stage.world.soldOutSince()) {
    await settleContract(stage, enrolment, stage.world.soldOut(enrolment, place));
  }
}

/** Reminders of money: one an enrolment, of what is owed, and none once the course has begun (P39). */
async function remind({ academy, world }: Stage, moment: Moment): Promise<void> {
  const { db } = academy.database;
  const reminders = () =>
    db.selectFrom('mails').select(['id', 'recipient']).where('kind', '=', 'payment-reminder').execute();
  const before = new Set((await reminders()).map(({ id }) => id));
  await queuePaymentReminders(db, moment);
  const sent = (await reminders()).filter(({ id }) => !before.has(id)).map(({ recipient }) => recipient);
  expect(sent.length, 'one an enrolment').toBe(new Set(sent).size);
  for (const recipient of sent) {
    const enrolment = world.enrolments.find(({ email }) => email === recipient);
    expect(enrolment && owed(enrolment) > 0, `${recipient} owes something`).toBe(true);
  }
}
