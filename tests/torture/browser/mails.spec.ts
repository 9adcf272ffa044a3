import { mailsAsHtml } from '#scripts/mail.ts';
import { expect, test } from '#tests/e2e/fixtures.ts';
import { expectReadable } from '#tests/e2e/mails.ts';

test('axe finds nothing in any email in either scheme, and none scrolls sideways on a phone, or with text twice as large', async ({
  page,
}) => {
  const mails = Object.entries(await mailsAsHtml());
  expect(mails.length).toBeGreaterThan(30);
  await expectReadable(page, mails);
});
