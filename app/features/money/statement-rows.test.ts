import { expect, test } from 'vitest';
import { readStatement } from './bank-statement.server.ts';

const today = '2025-10-01';
const unpaired = 'A quote in it does not end, or takes in the payments below, so nobody can tell its cells apart.';

async function read(lines: readonly string[]) {
  const statement = await readStatement(lines.join('\n'), today);
  if (!statement.ok) return statement.why;
  const { faults } = statement;
  return { lines: statement.lines.map(({ line, amountCents, words }) => [line, amountCents / 100, words]), faults };
}
const faulty = (...lines: number[]) => lines.map((line) => ({ line, why: unpaired }));

test('P39: a quote that closes some lines later takes in no payment: its line is a fault, the others are read', async () => {
  const plain = [
    '20/09/2025,100.00,one',
    '21/09/2025,101.00,"two',
    '22/09/2025,102.00,three BB-AXG7AQ',
    '23/09/2025,103.00,four"',
    '24/09/2025,104.00,five',
  ];
  for (const headings of [[], ['Date,Amount,Description']]) {
    const above = headings.length;
    expect(await read([...headings, ...plain])).toEqual({
      lines: [
        [1 + above, 100, 'one'],
        [3 + above, 102, 'three BB-AXG7AQ'],
        [4 + above, 103, 'four"'],
        [5 + above, 104, 'five'],
      ],
      faults: faulty(2 + above),
    });
  }
  // As CommBank has it, every cell in quotes; and with the words before the amount.
  const quoted = (day: number, words: string) => `${day}/09/2025,"+${day}.00","${words}`;
  expect(await read([quoted(20, 'A"'), quoted(21, 'B'), quoted(22, 'C"'), quoted(23, 'D"')])).toEqual({
    lines: [
      [1, 20, 'A'],
      [3, 22, 'C'],
      [4, 23, 'D'],
    ],
    faults: faulty(2),
  });
  expect(await read(['Words,Date,Amount', '"broken', 'x,24/09/2025,1.00', 'y"z",24/09/2025,2.00'])).toMatchObject({
    lines: [
      [3, 1, 'x'],
      [4, 2, 'y"z"'],
    ],
    faults: faulty(2),
  });
});

test('P39: a quote that never ends, and one that ends within a cell, are faults of their lines', async () => {
  const rows = ['20/09/2025,1.00,A', '21/09/2025,2.00,"6" pipe"', '22/09/2025,3.00,B', '23/09/2025,4.00,"C'];
  expect(await read(rows)).toEqual({
    lines: [
      [1, 1, 'A'],
      [3, 3, 'B'],
    ],
    faults: faulty(2, 4),
  });
  // Nobody knows whether they were headings.
  expect(await read(['Date,"Amount,Description', ...rows])).toContain(`Line 1: ${unpaired}`);
});

test('P39: a quoted cell may hold line breaks, and lines have the numbers that an editor shows', async () => {
  const rows = [
    'Account,123',
    '',
    'Date,"Amount',
    '(AUD)",Description,Balance',
    '22/09/2025,1.00,"A ""Smith""',
    '',
    'INV00042",10.00',
    '23/09/2025, "2.00" ,B, 12.00 ',
    '23/09/2025,x,C,12.00',
  ];
  expect(await read(rows)).toEqual({
    lines: [
      [5, 1, 'A "Smith" INV00042'],
      [8, 2, 'B'],
    ],
    faults: [{ line: 9, why: expect.stringContaining('not a number') }],
  });
  // Words may hold dates, and what looks like one.
  for (const words of ['22/09/2025 10:11', '22/09/2025', '12-34-5678 BSB', '', '01/09/2025 - 30/09/2025 INV00042']) {
    const more = ['Date,Description,Debit,Credit,Balance', '24/09/2025,"EFTPOS', `${words}",,5.00,5.00`];
    // Its end is a date beside an amount: nobody knows.
    const expected = words.startsWith('22/09/2025')
      ? { faults: [{ line: 2 }, { line: 3 }] }
      : { lines: [[2, 5, `EFTPOS ${words}`]], faults: [] };
    expect(await read(more), words).toMatchObject(expected);
  }
  expect(await read(['Date,Words,Amount', '21/09/2025,"two', '22/09/2025,A,102.00', 'x",101.00'])).toMatchObject({
    lines: [[3, 102, 'A']],
  });
  expect(await read(['Description,Date,Amount', '"A', 'INV00042",24/09/2025,1.00'])).toEqual({
    lines: [[2, 1, 'A INV00042']],
    faults: [],
  });
});

test('P39: a file that is one cell is read at once, and refused', async () => {
  for (const text of ['x'.repeat(2_000_000), `"${'x'.repeat(2_000_000)}`, `"${'x""'.repeat(600_000)}"`]) {
    expect(await readStatement(text, today)).toMatchObject({ ok: false });
  }
});
