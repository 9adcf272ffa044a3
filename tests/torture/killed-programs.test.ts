// @module-tag torture
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { until } from '#scripts/support/until.ts';
import { mailsAgree, numbersAgree, oneSeatEach } from '#tests/support/books.ts';
import { killCount, killsMs } from '#tests/support/torture.ts';
import { buyer, startTwoPrograms } from '#tests/support/two-programs.ts';

const kills = killCount(4, 20);
const [date, course] = ['security-plus-online', 'comptia-security-plus'];

test(
  `an enrolment that its buyer was told of is there once, with its seat, invoice and email, after ${kills} kills (kill -9) of two programs`,
  async () => {
    const academy = await startTwoPrograms();
    const { db } = academy;
    // A full date would end the enrolling before the kills do.
    const capacity = kills * 100;
    await db.updateTable('course_dates').set({ capacity }).where('slug', '=', date).execute();
    const told: string[] = [];
    let [people, refusals, killing] = [0, 0, true];
    const buyers = Array.from({ length: 6 }, async () => {
      while (killing) {
        const number = ++people;
        const one = buyer(academy, number, () => refusals++);
        // Of one domain six would be the most (P28).
        const email = `buyer@company-${number}.example`;
        if (await one.enrol(await one.choose(await one.form(date, course)), email)) told.push(email);
      }
    });
    for (let kill = 1; kill <= kills; kill++) {
      const before = told.length;
      await until(() => told.length > before);
      await academy.killAndStart(kill % 2);
    }
    killing = false;
    await Promise.all(buyers);

    const stored = (await db.selectFrom('enrolments').select('email').execute()).map(({ email }) => email);
    const { rows } = await sql<{ sold: number; uninvoiced: number }>`select
    (select coalesce(sum(seats), 0)::integer from seat_movements m join course_dates s
      on s.id = m.course_date_id where s.slug = ${date} and m.kind in ('sale', 'cancellation')) as sold,
    (select count(*)::integer from enrolments e
      where not exists (select from tax_invoices where enrolment_id = e.id)) as uninvoiced`.execute(db);
    console.log(`${told.length} enrolments, requests repeated ${refusals} times`);
    expect(told.filter((email) => !stored.includes(email))).toEqual([]);
    expect(stored.filter((email, at) => stored.indexOf(email) !== at)).toEqual([]);
    expect(rows).toEqual([{ sold: stored.length, uninvoiced: 0 }]);
    await oneSeatEach(db);
    await numbersAgree(db);
    await mailsAgree(db);
    await academy.close();
  },
  killsMs(kills),
);
