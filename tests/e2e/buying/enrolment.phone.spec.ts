import { createDb } from '#app/db/client.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { expect, expectNoSidewaysScroll, test } from '#tests/e2e/fixtures.ts';
import { programData } from '#tests/e2e/program-data.ts';
import { attendee, makeCourseDate, momentAt, orderOf, seatIn } from '#tests/support/enrolments.ts';

test.use({ javaScriptEnabled: false });

test('P32, P40: by the private link the buyer renames, moves and cancels without JavaScript, and has the note', async ({
  page,
}) => {
  const server = await openEmbeddedPostgres(programData, () => undefined);
  const db = createDb(server.connection, () => undefined);
  const october = await makeCourseDate(db, { startsOn: '2025-10-13' });
  await makeCourseDate(db, { startsOn: '2025-11-10', capacity: 3 });
  const attendees = [attendee(), attendee({ name: null })];
  // Of its own: the unpaid seats of one address and domain are counted, and the data outlives a run.
  const buyer = { name: 'Grace Hopper', email: `ada@${crypto.randomUUID()}.example`, phone: null };
  const order = await orderOf(db, [seatIn(october)], { attendees, buyer });
  const now = { ...momentAt('2025-09-08T09:00'), at: new Date() };
  const placed = await db.transaction().execute((trx) => placeEnrolment(trx, order, now));
  await db.destroy();
  await server.release();
  if (!placed.ok) return expect(placed).toMatchObject({ ok: true });

  await page.goto(`/enrolment/${placed.token}`);
  await expectNoSidewaysScroll(page);
  const main = page.getByRole('main');
  await page.getByRole('link', { name: 'Add a name: the person to be named' }).click();
  await page.getByLabel('Name').fill('Katherine Johnson');
  await page.getByRole('button', { name: 'Save (free)' }).click();
  await expect(page.getByRole('status')).toHaveText('We saved who attends.');

  await page.getByRole('link', { name: 'Another date for Katherine Johnson' }).click();
  await page
    .getByRole('link', { name: /^Choose 10 to 14 November 2025/ })
    .first()
    .click();
  await expect(main).toContainText('The move costs AU$0');
  await page.getByRole('button', { name: 'Move to this date' }).click();
  await expect(main).toContainText('10 to 14 November 2025');

  await page
    .getByRole('link', { name: 'Cancel this place' })
    .or(page.getByRole('link', { name: 'Choose places' }))
    .first()
    .click();
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Cancel this place: AU$5,499 less to pay' }).click();
  await expect(main).toContainText('Cancelled by you');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: /^Adjustment note ADJ-\d+ \(PDF\)$/ }).click();
  expect((await download).suggestedFilename()).toMatch(/^ADJ-\d+\.pdf$/);
});
