import type { Page } from '@playwright/test';
import { createDb } from '#app/db/client.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '#tests/e2e/fixtures.ts';
import { programData } from '#tests/e2e/program-data.ts';
import { attendee, makeCourseDate, momentAt, orderOf, seatIn } from '#tests/support/enrolments.ts';
import { insertSignIn } from '#tests/support/staff.ts';

/** The texts of cells and the names of links in tables that are not whole within the width of the phone. */
const cutOff = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main tbody :is(td, a)')]
      .filter((one) => one.checkVisibility() && one.textContent !== '')
      .filter((one) => {
        const { left, right } = one.getBoundingClientRect();
        return left < 0 || right > innerWidth || one.scrollWidth > one.clientWidth + 1;
      })
      .map((one) => one.textContent),
  );

test('P83: on a phone, money, people, figures and the trace are shown whole', async ({ page, context, baseURL }) => {
  const server = await openEmbeddedPostgres(programData, () => undefined);
  const db = createDb(server.connection, () => undefined);
  const { value } = await insertSignIn(db, { email: 'phone@example.com', name: 'Grace Phone' }, new Date());
  const courseDate = await makeCourseDate(db, { course: 'comptia-security-plus', startsOn: '2025-12-15' });
  const needs = 'A seat near the door, captions on the screen and a desk for a wheelchair. '.repeat(2);
  const order = await orderOf(db, [seatIn(courseDate)], { attendees: [attendee({ name: 'Mary Shelley', needs })] });
  // Its invoice was due in two weeks.
  const placed = await db.transaction().execute((trx) => placeEnrolment(trx, order, momentAt('2025-08-18T09:00')));
  await db.destroy();
  await server.release();
  if (!placed.ok) throw new Error(placed.reason);
  await context.addCookies([{ name: 'sign-in', value, url: baseURL ?? '' }]);

  const pages = [
    `/staff/enrolments/${placed.reference}`,
    '/staff/owed',
    '/staff/money/bas',
    '/staff/reports/courses',
    '/staff/trace',
    '/staff/health',
  ];
  for (const address of pages) {
    await page.goto(address);
    await expect(page.locator('main tbody').first(), address).toBeVisible();
    expect(await cutOff(page), address).toEqual([]);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
});
