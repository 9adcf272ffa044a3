import { expect } from 'vitest';
import { completeGuided } from '#app/features/enrolments/complete-guided.server.ts';
import { queuePlaceReminders } from '#app/features/enrolments/jobs.server.ts';
import { askForWayIn, tellBelowMinimum } from '#app/features/enrolments/session-notices.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { signInStaff } from '#tests/support/staff.ts';
import { jobsRun } from './jobs.ts';
import type { Outcome, Stage } from './stage.ts';

/** Time passes, and the program's jobs run once; what they may and must do by the terms is done in the model as well. */
export async function timePasses(stage: Stage): Promise<Outcome> {
  const { academy, db, world, draw } = stage;
  world.hour += draw.of([1, 2, 23, 24, 24, 72, 120, 168, 336]) ?? 24;
  academy.setNow(world.now);
  // Sign-ins of staff end after some hours.
  stage.staff = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  const moment: Moment = {
    now: world.now,
    today: world.today,
    academy: academy.services.academy.academy(),
  };
  await jobsRun(stage, moment);
  for (const job of [completeGuided, queuePlaceReminders, tellBelowMinimum, askForWayIn]) await job(db, moment);
  expect(await db.selectFrom('job_faults').selectAll().execute(), 'jobs that failed').toEqual([]);
  return 'done';
}
