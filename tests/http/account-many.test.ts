import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { inNovember, personOf, signInPlayer } from '#tests/support/players.ts';
import { writeEnrolment } from '#tests/support/written-enrolments.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
  academy.setNow(inNovember.now);
});
afterAll(() => academy.close());

/** How many questions the database is asked for the account of somebody with so many enrolments. */
async function questionsFor(email: string, enrolments: number): Promise<number> {
  const { db } = academy.database;
  const personId = await personOf(db, email);
  for (let made = 0; made < enrolments; made += 1) {
    const { id } = await writeEnrolment(db, [{}, { monday: '2025-10-13' }], { email, mailbox: email });
    await db.updateTable('attendees').set({ email }).where('enrolment_id', '=', id).execute();
  }
  const browser = await signInPlayer(academy, personId);
  const counts: number[] = [];
  // Jobs of the program ask meanwhile as well, so the quietest of a few counts.
  for (let times = 0; times < 4; times += 1) {
    const asked = vi.spyOn(pg.Client.prototype, 'query');
    try {
      const page = await browser.get('/account');
      expect(page.status).toBe(200);
      expect((await page.text()).match(/\/enrolment\/[0-9a-f]{48}/g)?.length).toBeGreaterThanOrEqual(enrolments);
      counts.push(asked.mock.calls.length);
    } finally {
      asked.mockRestore();
    }
  }
  return Math.min(...counts);
}

test('P56: the account of somebody with fifty enrolments asks the database no more often than with two', async () => {
  const few = await questionsFor('two@many.example', 2);
  expect(few).toBeGreaterThan(8);
  expect(await questionsFor('fifty@many.example', 50)).toBe(few);
});
