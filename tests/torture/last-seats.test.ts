// @module-tag torture
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { draftOf } from '#scripts/support/enrolling.ts';
import { times } from '#tests/support/torture.ts';
import { buyer, startTwoPrograms } from '#tests/support/two-programs.ts';

const people = times(60, 200);

test(`P25, P88: of ${people} people after the last six seats six enrol, all others read that the date is full, and a buyer of another course goes on`, async () => {
  const academy = await startTwoPrograms();
  let refusals = 0;
  const crowd = Array.from({ length: people }, (_, at) => buyer(academy, at + 1, () => refusals++));
  const forms: Record<string, string>[] = [];
  for (const one of crowd) forms.push(await one.form('cissp-melbourne', 'cissp'));

  const from = performance.now();
  let waiting = true;
  const others = buyOthers();
  const answers = await Promise.all(
    crowd.map(async (one, at) => {
      const chosen = await one.choose(forms[at] ?? {});
      return { one, at, chosen, text: await chosen.clone().text() };
    }),
  );
  const seconds = (performance.now() - from) / 1000;
  waiting = false;
  const waits = (await others).toSorted((a, b) => a - b);

  const holders = answers.filter(({ chosen }) => draftOf(chosen));
  const full = answers.filter(
    ({ chosen, text }) => chosen.status === 409 && /is full\. .*Choose another date/.test(text),
  );
  const enrolled = await Promise.all(
    holders.map(({ one, at, chosen }) => one.enrol(chosen, `buyer-${at}@example.com`)),
  );
  const { rows } = await sql<{ sold: number }>`select count(*)::integer as sold from places p
    join course_dates s on s.id = p.course_date_id
    where s.slug = 'cissp-melbourne' and p.state = 'active'`.execute(academy.db);
  await academy.close();

  const slowest = Math.round(waits.at(-1) ?? 0);
  console.log(
    `all answered after ${seconds.toFixed(1)} s, pressed again ${refusals} times; ${waits.length} choices of another course, slowest ${slowest} ms`,
  );
  expect({ holders: holders.length, full: full.length }).toEqual({ holders: 6, full: people - 6 });
  expect(enrolled).toEqual(Array(6).fill(true));
  expect(rows).toEqual([{ sold: 6 }]);
  expect(waits.length).toBeGreaterThan(0);

  /** Chooses dates of another course until the crowd has its answers; how long each choice took. */
  async function buyOthers(): Promise<number[]> {
    const times: number[] = [];
    for (let number = people + 1; waiting; number++) {
      const one = buyer(academy, number);
      const form = await one.form('security-plus-online', 'comptia-security-plus');
      const asked = performance.now();
      await one.choose(form);
      times.push(performance.now() - asked);
    }
    return times;
  }
});
