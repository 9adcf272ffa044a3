import type { Page } from '@playwright/test';
import { createDb } from '#app/db/client.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { ageForm, expect, expectAccessible, expectNoSidewaysScroll, test } from '#tests/e2e/fixtures.ts';
import { mailedCode } from '#tests/e2e/mailed-code.ts';
import { programData } from '#tests/e2e/program-data.ts';
import { attendee, makeCourseDate, momentAt, orderOf, seatIn } from '#tests/support/enrolments.ts';

/** Types the code that was mailed to an address. */
async function typeCode(page: Page, address: string): Promise<void> {
  await expect.poll(() => mailedCode(page, address)).toMatch(/^\d{6}$/);
  await page.getByLabel('Code from your email').fill(await mailedCode(page, address));
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('P111, P112: from the course page to a quote, its PDF and its acceptance by somebody else', async ({
      page,
    }) => {
      const [asker, boss] = ['ada', 'grace'].map((name) => `${name}@${crypto.randomUUID()}.example`);
      const check = async () => {
        await expectNoSidewaysScroll(page);
        if (javaScriptEnabled) await expectAccessible(page);
      };
      await page.goto('/course/comptia-security-plus');
      await page.getByRole('main').getByRole('link', { name: 'Get a quote' }).first().click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Get a quote');
      await check();
      await page.getByLabel('Your name').fill('Ada Byron');
      await page.getByLabel('Email').fill(asker ?? '');
      await page.getByLabel('Organisation').fill('Councilworks');
      await ageForm(page);
      await page.getByRole('button', { name: 'Continue', exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('One code, and your quote is ready');
      await check();
      await typeCode(page, asker ?? '');
      await page.getByRole('button', { name: 'Make the quote' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Quote OFF-\d{5}$/);
      await check();
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Save as PDF' }).click();
      expect((await download).suggestedFilename()).toMatch(/^OFF-\d{5}\.pdf$/);

      await page.getByLabel('Your name').fill('Grace Hopper');
      await page.getByLabel('Your email').fill(boss ?? '');
      await page.getByRole('button', { name: 'Email me a code' }).click();
      await expect(page.getByLabel('Your name')).toHaveValue('Grace Hopper');
      await typeCode(page, boss ?? '');
      await page.getByLabel('I accept the terms').check();
      await check();
      await page.getByRole('button', { name: 'Accept and enrol' }).click();
      await page.waitForURL(/\/enrolment\/[0-9a-f]{48}$/);
      await expect(page.getByRole('main')).toContainText('Councilworks');
    });
  });
}

/** Books two seats without a name; returns the path of its buyer's page. */
async function bookSeats(): Promise<string> {
  const server = await openEmbeddedPostgres(programData, () => undefined);
  const db = createDb(server.connection, () => undefined);
  const moment = momentAt('2025-09-08T09:00');
  const attendees = [1, 2].map(() => attendee({ name: null }));
  const order = await orderOf(db, [seatIn(await makeCourseDate(db))], { attendees });
  const placed = await db.transaction().execute((trx) => placeEnrolment(trx, order, moment));
  await db.destroy();
  await server.release();
  return placed.ok ? `/enrolment/${placed.token}` : '';
}

test('P115: a colleague claims a seat to its end by the link that its buyer copies', async ({ page }) => {
  const colleague = `ada@${crypto.randomUUID()}.example`;
  await page.goto(`${await bookSeats()}/names`);
  await expectAccessible(page);
  await page.goto(await page.getByLabel('Send this link').inputValue());
  await page.getByLabel('Your name').fill('Ada Byron');
  await page.getByLabel('Your email').fill(colleague);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Email me a code' }).click();
  await expect(page.getByLabel('Code from your email')).toBeVisible();
  await typeCode(page, colleague);
  await page.getByRole('button', { name: 'Claim the seat' }).click();
  await page.waitForURL(/\?done=asked$/);
  await expect(page.getByRole('button', { name: 'Claim the seat' })).toBeHidden();
  await expectAccessible(page);
});
