import { afterAll, beforeAll, expect, test } from 'vitest';
import { seeded } from '#app/ui/seeded.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import * as buyers from '#tests/support/random/acts-of-buyers.ts';
import * as staffs from '#tests/support/random/acts-of-staff.ts';
import { agree, pageAgrees } from '#tests/support/random/invariants.ts';
import { openSessions, place } from '#tests/support/random/place.ts';
import { Promises } from '#tests/support/random/promises.ts';
import { comboCourses, type Draw, type Outcome, type Stage, shown, single } from '#tests/support/random/stage.ts';
import { timePasses } from '#tests/support/random/time.ts';
import { World } from '#tests/support/random/world.ts';
import { signInStaff } from '#tests/support/staff.ts';
import { writeModules } from '#tests/support/study.ts';

/** `RANDOM_ACTS=300 RANDOM_SEED=7 npx vitest run tests/http/random-acts.test.ts` takes longer ways, or others. */
const count = Number(process.env.RANDOM_ACTS ?? 90);
const seed = Number(process.env.RANDOM_SEED ?? 1);

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp({
    edit(content) {
      // Combos are sold at their discount all the time.
      content.promotion.lasts = { days: 900, hours: 0, minutes: 0, seconds: 0 };
    },
  });
  for (const course of [single, ...comboCourses]) await writeModules(academy.database.db, course);
});
afterAll(() => academy.close());

/** How often each act is tried, relative to the others. */
const weights: [number, (stage: Stage) => Promise<Outcome>][] = [
  [6, place],
  [4, buyers.cancel],
  [2, staffs.cancelByStaff],
  [4, buyers.move],
  [2, buyers.add],
  [2, buyers.correct],
  [4, staffs.pay],
  [2, staffs.refund],
  [2, staffs.credit],
  [3, buyers.openModule],
  [3, staffs.changeSession],
  [2, buyers.keep],
  [2, staffs.giveDate],
  [5, timePasses],
];

test('P27, P30, P39, P40: after every random act by browser seats, places, documents, money and mails agree with the terms', async () => {
  const random = seeded(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const draw: Draw = { below, of: (from) => from[below(from.length)], chance: (of) => random() < of };
  const world = new World();
  academy.setNow(world.now);
  const staff = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  const { db } = academy.database;
  const stage: Stage = { academy, db, staff, world, draw, promises: new Promises(world) };
  await openSessions(stage);
  const all = weights.flatMap(([weight, act]) => Array<typeof act>(weight).fill(act));
  const done: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const act = draw.of(all) ?? timePasses;
    try {
      const outcome = await act(stage);
      done.push(`${act.name}: ${outcome}`);
      if (outcome === 'nothing to act on') continue;
      await shown(stage);
      await agree(stage);
      await pageAgrees(stage);
    } catch (error) {
      const way = done.filter((line) => !line.endsWith('nothing to act on')).slice(-12);
      throw new Error(`act ${number} (${act.name}), seed ${seed}, after ${way.join(', ')}: ${String(error)}`, {
        cause: error,
      });
    }
  }
  expect(done.filter((line) => line.endsWith('done')).length).toBeGreaterThan(count / 3);
}, 600_000);
