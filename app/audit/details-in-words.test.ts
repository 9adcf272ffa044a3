import { expect, test } from 'vitest';
import { changesInWords, detailsInWords } from './details-in-words.ts';

test('acts of staff are told in days and dollars, without unchanged fields', () => {
  expect(detailsInWords({ to: '2025-09-22', from: '2025-09-15' })).toBe('from 15 September 2025, to 22 September 2025');
  expect(detailsInWords({ to: '2025-09-15', from: '2025-09-15' })).toBe('');
  expect(detailsInWords({ to: 5, from: 3 })).toBe('from 3, to 5');
  expect(detailsInWords({ amountCents: 1_649_700 })).toBe('AU$16,497.00');
  expect(detailsInWords({ state: 'answered' })).toBe('as answered');
  expect(detailsInWords({ count: 12 })).toBe('for 12');
  expect(detailsInWords({ done: 0, undone: 28 })).toBe('0 done, 28 not done');
  expect(detailsInWords({ cents: 229_900 })).toBe('AU$2,299.00');
  expect(detailsInWords({ 'BB-JA9HDQ': 'AU$5,499', 'payment-id': 3 })).toBe('BB-JA9HDQ AU$5,499, payment id 3');
  expect(detailsInWords({ rows: 8, filters: 'state=overdue&starts-from=2025-09-08' })).toBe(
    'rows 8, state overdue, starts from 8 September 2025',
  );
  expect(detailsInWords({ rows: 39, filters: '' })).toBe('rows 39');
  expect(detailsInWords({ hold: 7, until: '2025-09-22T23:00:00.000Z' })).toBe('until 23 Sept 2025, 9:00 AM');
  expect(detailsInWords(null)).toBe('');
});

test('changed fields are told in days and dollars, and first values in one line', () => {
  const made = (field: string, after: unknown) => ({ field, before: null, after });
  expect(changesInWords([made('amountCents', 229_900), made('receivedOn', '2025-09-08'), made('note', null)])).toEqual([
    'amount AU$2,299.00, received on 8 September 2025',
  ]);
  const payment = [made('amountCents', 349_900), made('receivedOn', '2025-09-08'), made('currency', 'AUD')];
  expect(changesInWords([...payment, made('method', 'bank'), made('enrolmentId', 'BB-WL4684')])).toEqual([
    'AU$3,499.00 by bank transfer for BB-WL4684, received 8 September 2025',
  ]);
  expect(changesInWords([...payment, made('method', 'other')])).toEqual(['AU$3,499.00, received 8 September 2025']);
  expect(changesInWords([made('capacity', 8), made('delivery', 'both'), made('startTime', '09:00')])).toEqual([
    'from 9:00 AM, taught online and in person, seats 8',
  ]);
  expect(changesInWords([made('cents of 1', 50_000), made('dueOn of 1', '2025-09-08')])).toEqual([
    'amount of instalment 1 AU$500.00, due day of instalment 1 8 September 2025',
  ]);
  expect(
    changesInWords([
      { field: 'capacity', before: 12, after: 14 },
      { field: 'decidedBy', before: '2025-09-01', after: null },
    ]),
  ).toEqual(['seats: 12 → 14', 'decided by: 1 September 2025 → nothing']);
  expect(
    changesInWords([
      { field: 'BB-8VCSMB', before: 0, after: 159_900 },
      { field: 'cents', before: 0, after: 159_900 },
    ]),
  ).toEqual(['BB-8VCSMB: AU$0.00 → AU$1,599.00', 'amount: AU$0.00 → AU$1,599.00']);
});
