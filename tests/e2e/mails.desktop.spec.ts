import { mailsAsHtml } from '#scripts/mail.ts';
import { test } from './fixtures.ts';
import { expectReadable } from './mails.ts';

// They are drawn groupByDate: the others are looked at in tests/torture/browser.
test('axe finds nothing in an email in either scheme, and it does not scroll sideways on a phone, or with text twice as large', async ({
  page,
}) => {
  await expectReadable(page, Object.entries(await mailsAsHtml()).slice(0, 2));
});
