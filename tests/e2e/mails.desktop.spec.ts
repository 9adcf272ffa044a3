import { mailsAsHtml } from '#scripts/mail.ts';
import { test } from './fixtures.ts';
import { expectReadable } from './mails.ts';

// All are drawn by the same code: tests/torture/browser looks at the others.
test('axe finds nothing in an email in either scheme, and it does not scroll sideways on a phone, or with text twice as large', async ({
  page,
}) => {
  await expectReadable(page, Object.entries(await mailsAsHtml()).slice(0, 2));
});
