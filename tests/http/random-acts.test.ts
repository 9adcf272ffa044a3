import { afterAll, beforeAll, expect, test } from 'vitest';
import { seeded } from '#app/ui/seeded.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import * as acts from '#tests/support/random/acts.ts';
import { agree, pageAgrees } from '#tests/support/random/invariants.ts';
import { timePasses } from '#tests/support/random/time.ts';
import { World } from '#tests/support/random/world.ts';
import { signInStaff } from '#tests/support/staff.ts';

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
});
afterAll(() => academy.close());

/** How often each act is tried, relative to the others. */
const weights: [number, (stage: acts.Stage) => Promise<acts.Outcome>][] = [
  [6, acts.place],
  [4, acts.cancel],
  [2, acts.cancelByStaff],
  [4, acts.move],
  [2, acts.add],
  [2, acts.correct],
  [4, acts.pay],
  [2, acts.refund],
  [2, acts.credit],
  [3, acts.openModule],
  [3, acts.changeSession],
  [2, acts.keep],
  [2, acts.giveDate],
  [5, timePasses],
];

test('P27, P30, P39, P40: after every random act by browser seats, places, documents, money and mails agree with the terms', async () => {
  const random = seeded(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const draw: acts.Draw = { below, of: (from) => from[below(from.length)], chance: (of) => random() < of };
  const stage: acts.Stage = {
    academy,
    staff: await signInStaff(academy, 'ada@example.com', 'Ada Byron'),
    world: new World(),
    draw,
  };
  academy.setNow(stage.world.now);
  await acts.openSessions(stage);
  const all = weights.flatMap(([weight, act]) => Array<typeof act>(weight).fill(act));
  const done: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const act = draw.of(all) ?? timePasses;
    const outcome = await act(stage);
    done.push(`${act.name}: ${outcome}`);
    if (outcome === 'nothing to act on') continue;
    await acts.shown(stage);
    try {
      await agree(stage);
      await pageAgrees(stage);
    } catch (error) {
      throw new Error(`after act ${number}, seed ${seed}:\n${done.slice(-12).join('\n')}`, { cause: error });
    }
  }
  expect(done.filter((line) => line.endsWith('done')).length).toBeGreaterThan(count / 3);
}, 600_000);
