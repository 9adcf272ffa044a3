import { createDb, type Db } from '#app/db/client.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { recordEnquiry } from '#app/features/inbox/enquiries/commands.server.ts';
import { insertSignIn } from '#tests/support/staff.ts';
import { expect, expectAccessible, openHydrated, test } from './fixtures.ts';
import { programData } from './program-data.ts';

async function withDb<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const server = await openEmbeddedPostgres(programData, () => undefined);
  const db = createDb(server.connection, () => undefined);
  const result = await work(db);
  await db.destroy();
  await server.release();
  return result;
}

/** Messages that wait longest, above those of other tests, and not so long that the program deletes them (24 months). */
const enquire = (db: Db, firstName: string, day: string) =>
  recordEnquiry(
    db,
    {
      ...{ firstName, lastName: 'Keys', email: `${firstName}@keys.example`, phone: '', consent: false },
      ...{ kind: 'contact' as const, message: 'Is there a seat?', details: {} },
    },
    { idempotencyKey: crypto.randomUUID(), at: new Date(`${day}T00:00:00Z`) },
  );

test('P81: the inbox by keyboard, what is new, and an answer from a template that is taken back', async ({
  page,
  context,
  baseURL,
}) => {
  const value = await withDb(async (db) => {
    await enquire(db, 'Mary', '2024-01-06');
    await enquire(db, 'Jane', '2024-01-07');
    await enquire(db, 'Anne', '2024-01-08');
    return (await insertSignIn(db, { email: 'keys@example.com', name: 'Grace Keys' }, new Date())).value;
  });
  await context.addCookies([{ name: 'sign-in', value, url: baseURL ?? '' }]);
  await page.clock.install();
  await openHydrated(page, '/staff/inbox?kind=enquiry');
  const link = (name: string) => page.getByRole('list', { name: 'Inbox' }).getByRole('link', { name });
  const row = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name }) });

  const press = async (name: string) => {
    await row('Mary Keys').getByRole('button', { name }).focus();
    await page.keyboard.press('Enter');
  };
  await press('Take');
  await expect(row('Mary Keys')).toContainText('You');
  await expect(link('Mary Keys')).toBeFocused();
  await press('Done');
  await expect(link('Mary Keys')).toHaveCount(0);
  await expect(link('Jane Keys')).toBeFocused();

  // In a hidden page nothing is asked; in view it is, and no row moves.
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('/staff/inbox/arrived')) asked += 1;
  });
  const show = (state: string) =>
    page.evaluate((now) => {
      Object.defineProperty(document, 'visibilityState', { value: now, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  await show('hidden');
  await withDb((db) => enquire(db, 'Emily', '2024-01-05'));
  await page.clock.fastForward(45_000);
  expect(asked).toBe(0);
  const before = await link('Jane Keys').boundingBox();
  await show('visible');
  await expect(page.getByText('1 new.')).toBeVisible();
  await expect(link('Emily Keys')).toHaveCount(0);
  expect(await link('Jane Keys').boundingBox()).toEqual(before);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Show it' }).click();
  await expect(link('Emily Keys')).toBeVisible();
  await expect(page.getByText('1 new.')).toBeHidden();

  await link('Jane Keys').click();
  const answer = page.getByLabel('Your answer');
  await answer.fill('Good morning,');
  await page.getByLabel('Template').selectOption('Your employer pays');
  await page.getByRole('button', { name: 'Fill in' }).click();
  await expect(answer).toBeFocused();
  await expect(answer).toHaveValue(/^Good morning,\n\nHello Jane,\n\nYes, your employer can pay\./);
  await page.getByRole('button', { name: 'Send answer' }).click();
  await expect(answer).toHaveValue('');
  await page.getByRole('button', { name: /^Take back/ }).click();
  await expect(answer).toHaveValue(/^Good morning,/);
  await expect(page.getByRole('button', { name: /^Take back/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Send answer' }).click();
  await page.getByRole('button', { name: /^Take back/ }).focus();
  await page.clock.fastForward(61_000);
  await expect(page.getByText('can no longer be taken back.')).toBeFocused();
  await expect(page.getByRole('button', { name: /^Take back/ })).toHaveCount(0);
});
