import type { Page } from '@playwright/test';
import { createDb, type Db } from '#app/db/client.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { newReference } from '#app/http/references.server.ts';
import { insertSignIn } from '#tests/support/staff.ts';
import { writeEnrolment } from '#tests/support/written-enrolments.ts';
import { expect, expectAccessible, openHydrated, test } from './fixtures.ts';
import { programData } from './program-data.ts';

/** A record of each page that is walked, with the addresses of the pages. */
async function makeRecords(db: Db): Promise<{ value: string; action: string; course: string; pages: string[] }> {
  const now = new Date('2025-09-08T09:00:00+10:00');
  const { id: staff, value } = await insertSignIn(db, { email: 'tab@example.com', name: 'Grace Tab' }, new Date());
  const { id: enrolment, reference } = await writeEnrolment(db, [{ monday: '2025-10-13' }], { buyer_name: 'Ada Tab' });
  const times = { created_at: now, last_at: now, state_at: now, visitor_at: now };
  const chat = await db
    .insertInto('conversations')
    .values({ name: 'Mary Tab', ...times })
    .returning('id')
    .executeTakeFirstOrThrow();
  const [from, to] = [new Date('2024-01-09T00:00:00Z'), new Date('2024-01-09T00:20:00Z')];
  const booking = await db
    .insertInto('bookings')
    .values({
      ...{ reference: newReference(), kind: 'virtual-tour', name: 'Helen Tab', adviser: 1 },
      ...{ email: 'helen@tab.example', mailbox: 'helen@tab.example', created_at: now, changed_at: now },
      ...{ starts_at: from, ends_at: to, occupied: `[${from.toISOString()},${to.toISOString()})` },
    })
    .returning('reference')
    .executeTakeFirstOrThrow();
  const { number: action } = await db
    .insertInto('bulk_actions')
    .values({ act: 'message', subject: 'Parking', body: 'There is none.', made_by: staff, made_at: now })
    .returning('number')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('mails')
    .values({
      ...{ kind: 'place-message', about_kind: 'enrolment', about_id: enrolment, bulk_action: action, headers: '{}' },
      ...{ recipient: 'ada@tab.example', subject: 'Parking', body_text: 'None.', body_html: 'None.' },
      tries_from: new Date(Date.now() + 600_000),
    })
    .execute();
  const { id: course } = await db
    .selectFrom('content_records')
    .select('id')
    .where('kind', '=', 'course')
    .orderBy('key', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return {
    value,
    course: `/staff/content/course/${course}`,
    action: `/staff/bulk-actions/${action}`,
    pages: [
      `/staff/bulk-actions/buyers/ask-names?row=${reference}`,
      `/staff/bulk-actions/message/enrolments?row=${reference}`,
      `/staff/conversations/${chat.id}`,
      `/staff/bookings/${booking.reference}`,
      '/staff/payments/suggested',
      '/staff/bulk-actions',
      `/staff/bulk-actions/${action}`,
    ],
  };
}

/** Presses Tab until the focus has left the page: what had it came in the order of the page, each once, in sight. */
async function expectWalkable(page: Page): Promise<void> {
  const count = await page.evaluate(() => {
    // With what the browser itself makes reachable, such as a box that scrolls.
    const all = [...document.querySelectorAll<HTMLElement>('*')];
    const controls = document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary');
    const seen: [number, boolean][] = [];
    document.addEventListener('focusin', ({ target }) => {
      if (!(target instanceof HTMLElement)) return;
      const { width, height } = target.getBoundingClientRect();
      seen.push([all.indexOf(target), width > 0 && height > 0]);
    });
    Object.assign(window, { walked: seen });
    return [...controls].filter((one) => one.tabIndex >= 0 && one.checkVisibility() && !one.hasAttribute('disabled'))
      .length;
  });
  for (let press = 0; press < count; press++) await page.keyboard.press('Tab');
  const walked = await page.evaluate(() => Reflect.get(window, 'walked') as [number, boolean][]);
  const places = walked.map(([at]) => at);
  expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
  expect(walked.every(([at, inSight]) => at >= 0 && inSight)).toBe(true);
  // A group of radio buttons takes one press.
  expect(walked.length).toBeGreaterThan(count - 4);
}

test('P87: pages of a single record and bulk actions are walked by keyboard; an act leaves the focus at what it says', async ({
  page,
  context,
  baseURL,
}) => {
  const server = await openEmbeddedPostgres(programData, () => undefined);
  const db = createDb(server.connection, () => undefined);
  const { value, action, course, pages } = await makeRecords(db);
  await db.destroy();
  await server.release();
  await context.addCookies([{ name: 'sign-in', value, url: baseURL ?? '' }]);
  for (const address of pages) {
    // The last one's act is sent by scripts, so that the page stays.
    await (address === action ? openHydrated(page, address) : page.goto(address));
    await expectWalkable(page);
    if (address.includes('bulk-actions')) await expectAccessible(page);
  }
  await expect(page).toHaveURL(action);
  const main = page.locator('#main');
  await page.getByRole('button', { name: 'Take back' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Taken back on/)).toBeVisible();
  await expect(main).toBeFocused();

  // A link that leads on takes itself away, and so does a form that is new after its act: the page has the focus then.
  await openHydrated(page, '/staff/bulk-actions');
  await main.getByRole('link', { name: /Parking/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(action);
  await expect(main.locator('h1')).toBeFocused();
  await openHydrated(page, pages.find((address) => address.includes('bookings')) ?? '');
  await page.getByRole('textbox', { name: 'Note for colleagues' }).fill('Asks for parking.');
  await page.getByRole('button', { name: 'Add', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('paragraph').filter({ hasText: 'Asks for parking.' })).toBeVisible();
  await expect(main).toBeFocused();

  // A button that stays keeps the focus: the next one is a Tab away, not the whole form.
  await openHydrated(page, pages.find((address) => address.includes('message/')) ?? '');
  await page.getByRole('textbox', { name: 'Subject' }).fill('Parking');
  await page.getByRole('button', { name: 'Look at it' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Look again' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Send a test to me' })).toBeFocused();

  // Ctrl S stores a draft from anywhere in a long form.
  await openHydrated(page, course);
  const title = page.getByRole('textbox', { name: 'Short name' });
  await title.fill('Tab');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('button', { name: 'Throw the draft away' })).toBeVisible();
  await expect(title).toHaveValue('Tab');
});
