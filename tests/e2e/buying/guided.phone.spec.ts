import { createDb } from '#app/db/client.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { makeEnrolmentLink } from '#app/features/enrolments/links.server.ts';
import { placePath } from '#app/features/enrolments/paths.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, openHydrated, test } from '#tests/e2e/fixtures.ts';
import { expectLargeTextToFit, setTextTwiceAsLarge } from '#tests/e2e/large-text.ts';
import { programData } from '#tests/e2e/program-data.ts';
import { attendee, momentAt, orderOf } from '#tests/support/enrolments.ts';

test('P40: an attendee opens modules by the keyboard, the first of them before the Monday', async ({ page }) => {
  const server = await openEmbeddedPostgres(programData, () => undefined);
  const db = createDb(server.connection, () => undefined);
  const { id } = await db
    .selectFrom('courses')
    .select('id')
    .where('slug', '=', 'soc-fundamentals')
    .executeTakeFirstOrThrow();
  // Of its own: the data outlives a run.
  const email = `${crypto.randomUUID()}@example.com`;
  const order = await orderOf(db, [{ courseId: id, way: 'guided', from: '2025-09-15' }], {
    buyer: { name: 'Ada Byron', email, phone: null },
    attendees: [attendee({ email })],
  });
  const now = { ...momentAt('2025-09-08T09:00'), at: new Date() };
  const path = await db.transaction().execute(async (trx) => {
    const placed = await placeEnrolment(trx, order, now);
    if (!placed.ok) throw new Error(placed.reason);
    const [place] = (await readEnrolment(trx, placed.enrolmentId)).places;
    return placePath(await makeEnrolmentLink(trx, placed.enrolmentId, place?.attendee.id));
  });
  await db.destroy();
  await server.release();

  const main = page.getByRole('main');
  await openHydrated(page, path);
  await expect(main).toContainText('Your study begins on Monday 15 September 2025.');
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.getByRole('link', { name: /^Open module 2 early: / }).press('Enter');
  await expect(main).toContainText('If you open this module now, your study starts today');
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: /^Open module 2 today: / }).press('Enter');
  await expect(main).toContainText('Opened on Monday 8 September 2025');
  // Its reading has lines of code that do not break.
  await expectNoSidewaysScroll(page);
  await page.getByRole('link', { name: 'All modules' }).press('Enter');
  await expect(main).toContainText('1 of 7 modules opened');
  await page.getByRole('button', { name: /^Open module 3: / }).press('Enter');
  // The list names the day of module 1 too: only the page of module 3 begins with its number.
  await expect(page.getByRole('heading', { level: 1 })).toContainText('3. ');
  await expect(main).toContainText('Opened on Monday 8 September 2025');
  await expectAccessible(page);
  const module = new URL(page.url()).pathname;
  await page.getByRole('link', { name: 'All modules' }).press('Enter');
  await expect(main).toContainText('2 of 7 modules opened');
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await setTextTwiceAsLarge(page);
  for (const address of [path, module]) {
    await page.goto(address);
    await expectAccessible(page);
    await expectLargeTextToFit(page);
  }
});
