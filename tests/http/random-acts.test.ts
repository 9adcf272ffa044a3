import { afterAll, beforeAll, expect, test } from 'vitest';
import { seeded } from '#app/ui/seeded.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import * as buyers from '#tests/support/random/acts-of-buyers.ts';
import * as quotes from '#tests/support/random/acts-of-companies.ts';
import * as staffs from '#tests/support/random/acts-of-staff.ts';
import { agree, pagesAgree } from '#tests/support/random/agree.ts';
import { Model } from '#tests/support/random/model.ts';
import { type Act, type Draw, openDates, runJobs, type Stage, shown } from '#tests/support/random/stage.ts';
import { signInStaff } from '#tests/support/staff.ts';
import { times, torture } from '#tests/support/torture.ts';

/** `RANDOM_ACTS=300 RANDOM_SEED=7 npx vitest run tests/http/random-acts.test.ts` takes longer ways, or others. */
const seed = Number(process.env.RANDOM_SEED ?? 1);

/** How often each act is tried, relative to the others. */
const weights: [number, Act][] = [
  [7, buyers.enrol],
  [6, buyers.cancel],
  [4, buyers.move],
  [2, buyers.giveAway],
  [2, buyers.keep],
  [2, buyers.openModule],
  [6, buyers.join],
  [3, buyers.answerOffer],
  [4, quotes.getQuote],
  [6, quotes.answerQuote],
  [3, staffs.pay],
  [2, staffs.sendRefund],
  [1, staffs.cancelInFull],
  [1, staffs.moveByStaff],
  [5, staffs.changeDate],
  [2, staffs.resize],
  [1, staffs.changePrice],
  [6, staffs.timePasses],
];
const all = weights.flatMap(([weight, act]) => Array<Act>(weight).fill(act));

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp({
    edit(content) {
      // Combos are sold at their discount all the time.
      content.promotion.lasts = { days: 900, hours: 0, minutes: 0, seconds: 0 };
    },
  });
});
afterAll(() => academy.close());

async function act(count: number): Promise<void> {
  const random = seeded(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const draw: Draw = { below, of: (from) => from[below(from.length)], chance: (of) => random() < of };
  const model = new Model();
  academy.setNow(new Date(model.now));
  const staff = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  const stage: Stage = { academy, db: academy.database.db, staff, model, draw };
  await openDates(stage);
  await shown(stage);
  const done: string[] = [];
  while (done.length < count) {
    const one = draw.of(all) ?? staffs.timePasses;
    try {
      const outcome = await one(stage);
      if (outcome === null) continue;
      done.push(outcome);
      await runJobs(stage);
      await agree(stage);
      await shown(stage);
      await pagesAgree(stage);
    } catch (error) {
      // The last acts, and the earlier ones on what differs.
      const named = /BB-\w{6}/.exec(String(error))?.[0] ?? 'nothing';
      const way = done.flatMap((line, at) =>
        at >= done.length - 12 || line.includes(named) ? [`${at + 1}. ${line}`] : [],
      );
      const head = `seed ${seed}, after ${done.length} of ${count} acts, in ${one.name}: ${String(error)}`;
      throw new Error(`${head}\nAfter these acts:\n${way.join('\n')}`, { cause: error });
    }
  }
  expect(done).toHaveLength(count);
}

test('P27, P30, P39, P48, P99, P100, P111: after every random act seats, places, money and waiting lists are as the rules say', () =>
  act(25));

torture(
  'P27, P30, P39, P48, P99, P100, P111: seats, places, money and waiting lists are as the rules say after many random acts',
  () => act(Number(process.env.RANDOM_ACTS ?? times(100, 300))),
);
