import { expect, test } from 'vitest';
import { type Mail, ofMails } from './timeline-mail.ts';

const mail = (state: string, reason: string | null = null): Mail => ({
  id: '1',
  recipient: 'mary@example.org',
  subject: 'Payment is due soon',
  state,
  reason,
  queued_at: new Date('2025-09-25T09:00:00+10:00'),
});
const told = (...mails: Mail[]) => ofMails(mails).flatMap(({ words }) => words.slice(1));

test('P40: an email that the program withdrew is not told as one that did not arrive', () => {
  expect(told(mail('dropped', 'The charge has changed'))).toEqual(['We withdrew it: The charge has changed']);
  expect(told(mail('sent'), mail('dropped'))).toEqual(['We withdrew 1 of 2']);
  expect(told(mail('dropped'), mail('failed', '550'))).toEqual([{ bad: '1 of 2 did not arrive: 550' }]);
});
