import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readStatement, type StatementLine } from './bank-statement.server.ts';

const read = (text: string) => {
  const statement = readStatement(text);
  if (!statement.ok) throw new Error(statement.why);
  return statement;
};
const shown = ({ line, day, amountCents, words }: StatementLine) => [line, day, amountCents, words];

test('CommBank: no headings, signed amounts, quoted fields', () => {
  const { lines, outgoing, faults } = read(
    '24/09/2025,"+2299.00","Fast Transfer From A SMITH, Brisbane INV00042 BB7KQ2MX","+12345.67"\r\n' +
      '23/09/2025,"-1,100.50","Rent, ""Level 4""","+10046.67"\r\n',
  );
  expect(lines.map(shown)).toEqual([
    [1, '2025-09-24', 229_900, 'Fast Transfer From A SMITH, Brisbane INV00042 BB7KQ2MX'],
  ]);
  expect([outgoing, faults]).toEqual([1, []]);
});

test('NAB: headings, an empty one among them, and a month in letters', () => {
  const { lines, outgoing } = read(
    'Date,Amount,Account Number,,Transaction Type,Transaction Details,Balance,Category,Merchant Name\n' +
      '24 Sep 25,2299.00,123456789,,INTER-BANK CREDIT,INV00042 BB7KQ2MX A SMITH,12345.67,Other income,\n' +
      '24/09/2025,-12.00,123456789,,FEES,ACCOUNT FEE,12333.67,Fees,\n',
  );
  expect(lines.map(shown)).toEqual([[2, '2025-09-24', 229_900, 'INV00042 BB7KQ2MX A SMITH']]);
  expect(outgoing).toBe(1);
});

test('Westpac: columns for debit and credit, after a byte order mark', () => {
  const { lines, outgoing } = read(
    '\ufeffBank Account,Date,Narrative,Debit Amount,Credit Amount,Balance,Categories,Serial\r\n' +
      '034000123456,24/09/2025,DEPOSIT ONLINE 2345 BB-7KQ2MX,,"2,299.50",14645.17,DEP,\r\n' +
      '034000123456,25/09/2025,WITHDRAWAL RENT,1100.00,,13545.17,OTH,\r\n',
  );
  expect(lines.map(shown)).toEqual([[2, '2025-09-24', 229_950, 'DEPOSIT ONLINE 2345 BB-7KQ2MX']]);
  expect(outgoing).toBe(1);
});

test('ANZ: headings and signs; every line that cannot be read is named', () => {
  const { lines, faults } = read(
    'Date,Amount,Description\n24/09/2025,2299.00,PAYMENT FROM A SMITH\n31/02/2025,1.00,X\n25/09/2025,abc,Y\n\n',
  );
  expect(lines.map(shown)).toEqual([[2, '2025-09-24', 229_900, 'PAYMENT FROM A SMITH']]);
  expect(faults).toEqual([
    { line: 3, why: '“31/02/2025” is not a date such as 24/09/2025.' },
    { line: 4, why: 'The amount is missing or is not a number.' },
  ]);
});

test('what is no statement is refused with the reason', () => {
  expect(readStatement('')).toMatchObject({ ok: false, why: expect.stringContaining('empty') });
  expect(readStatement('Name,Colour\nAda,blue\n')).toMatchObject({ ok: false, why: expect.stringContaining('date') });
  expect(readStatement('24/09/2025,"+1.00')).toMatchObject({ ok: false, why: expect.stringContaining('cut off') });
});

test('overlapping statements bring the same sources, and equal payments on one day bring two', () => {
  const row = fc.record({
    day: fc.integer({ min: 10, max: 12 }),
    cents: fc.constantFrom(100, 200),
    words: fc.constantFrom('A', 'B'),
  });
  const csv = (rows: readonly { day: number; cents: number; words: string }[]) =>
    rows.map(({ day, cents, words }) => `${day}/09/2025,"+${(cents / 100).toFixed(2)}","${words}"`).join('\n');
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 12 }), (rows) => {
      const sources = read(csv(rows)).lines.map(({ source }) => source);
      expect(new Set(sources).size).toBe(rows.length);
      // A later download of whole days: the same sources, whatever else is in it.
      const some = rows.filter(({ day }) => day > 10);
      if (some.length > 0) {
        for (const { source } of read(csv(some)).lines) expect(sources).toContain(source);
      }
    }),
  );
});
