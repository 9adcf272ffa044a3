import { expect, test } from 'vitest';
import { readStatement } from './bank-statement.server.ts';

const today = '2025-11-21';
/** Amounts of the lines in dollars, and the reasons of faults by line; or why the file is refused. */
async function read(...lines: string[]) {
  const statement = await readStatement(lines.join('\n'), today);
  if (!statement.ok) return statement.why;
  const faults = statement.faults.map(({ line, why }) => `${line}: ${why}`);
  return [statement.lines.map(({ amountCents }) => amountCents / 100), faults];
}

test('P39: a line with more cells than headings is a fault: its amount may have been cut at its comma', async () => {
  const more = '2: It has more cells than there are headings.';
  const cut = '2: Its amount may be cut at a comma. An amount such as 2,599.00 must be in quotes.';
  const good = '20/11/2025,5.00,A';
  expect(await read('Date,Amount,Description', '21/11/2025,2,599.00,BB-AXG7AQ', good)).toEqual([[5], [more]]);
  // The cell too many is empty, as where the last one mostly is.
  expect(await read('Date,Amount,Description,Serial', '21/11/2025,2,599.00,BB-AXG7AQ,', `${good},`)).toEqual([
    [5],
    [cut],
  ]);
  expect(
    await read('Account,Date,Narrative,Debit Amount,Credit Amount,Balance,Serial', '1,21/11/2025,A,,2,599.50,9.00,'),
  ).toEqual([[], [cut]]);
  // Its last cell was left out.
  expect(await read('Date,Amount,Description,Status', '21/11/2025,2,599.00,BB-AXG7AQ', '21/11/2025,50,123,')).toEqual([
    [50],
    [cut],
  ]);
  // Without headings.
  expect(await read(good, '21/11/2025,2,599.00,BB-AXG7AQ', good)).toEqual([[5, 5], [cut]]);
  // A comma at the end of every line makes no cell.
  expect(await read('Date,Amount,Description', `${good},`, '20/11/2025,2599.00,B,,')).toEqual([[5, 2599], []]);
});

test('P39: dates with the month first stop the file, because others would be read as other days', async () => {
  const why = (line: number) =>
    `Line ${line} has a date with the month first. Download the file with dates such as 24/09/2025, the day first.`;
  expect(await read('Date,Amount,Description', '10/05/2025,1.00,A', '10/15/2025,2.00,B')).toBe(why(3));
  expect(await read('10/05/2025,1.00,A', '10-15-25,2.00,B')).toBe(why(2));
  expect(await read('10/15/2025,1.00,A', '10/16/2025,2.00,B')).toBe(why(1));
  // A day that does not exist in either order, and a date among the words, stop nothing else.
  expect(await read('Date,Amount,Description', '31/02/2025,1.00,A', '10/05/2025,2.00,10/15/2025')).toEqual([
    [2],
    ['2: “31/02/2025” is not a date such as 24/09/2025.'],
  ]);
});

test('P39: money that is not in Australian dollars is never read as if it were', async () => {
  const rows = ['21/11/2025,USD,1.00,A', '21/11/2025,AUD,2.00,B', '21/11/2025,,3.00,C'];
  const usd = '2: Its currency is “USD”. We record only Australian dollars.';
  for (const name of ['Currency', 'Transaction Currency', 'Currency code']) {
    expect(await read(`Date,${name},Amount,Description`, ...rows), name).toEqual([[2, 3], [usd]]);
  }
  const foreign = ['Amount (USD)', 'USD Amount,Amount USD', 'Amount US$', 'Total NZ$', 'Credit (EUR)', 'Amount in €'];
  for (const name of foreign) {
    expect(await read(`Date,${name},Description`, '21/11/2025,1.00,A'), name).toMatch(
      /^Its amounts are in (USD|US\$|NZ\$|EUR|€)\. We record only Australian dollars\.$/,
    );
  }
  for (const name of [
    'Amount (AUD)',
    'Amount AU$',
    'Amount (A$)',
    'Amount ($)',
    'Transaction amount aud',
    'Credit AUD',
  ]) {
    expect(await read(`Date,${name},Description`, '21/11/2025,1.00,A'), name).toEqual([[1], []]);
  }
  expect(await read('Date,Amount (USD),Amount (AUD)', '21/11/2025,1.00,1.50')).toEqual([[1.5], []]);
});

test('P39: an amount without a sign goes out where another column says debit', async () => {
  for (const name of ['Type', 'Transaction Type', 'Debit/Credit', 'DR/CR', 'CR/DR', 'Debit Credit Indicator']) {
    const rows = ['DR', 'Debit', 'd', 'CR', 'credit', 'DIRECT DEBIT', ''].map((side) => `20/11/2025,1.00,${side},A`);
    expect(await read(`Date,Amount,${name},Description`, ...rows), name).toEqual([[-1, -1, -1, 1, 1, 1, 1], []]);
  }
  expect(await read('Date,Type,Amount', '20/11/2025,Debit,-1.00', '20/11/2025,Credit,2.00')).toEqual([[-1, 2], []]);
  expect(await read('Date,Debit,Credit,Text', '20/11/2025,1.00,,A', '20/11/2025,,2.00,B')).toEqual([[-1, 2], []]);
});

test('P39: a column that is no side of the amount turns no payment into one that went out', async () => {
  const first = async (heads: string, ...rows: string[]) => (await read(heads, ...rows))[0];
  for (const name of ['Account Type', 'Card type', 'Type']) {
    expect(await first(`Date,Amount,${name},Description`, '20/11/2025,2299.00,Debit,INV00042'), name).toEqual([2299]);
  }
  // D is a deposit where W is a withdrawal, and an amount with signs needs no side.
  expect(await first('Date,Type,Amount', '20/11/2025,D,5.00', '20/11/2025,W,2.00')).toEqual([5, -2]);
  expect(await first('Date,Transaction Type,Amount', '20/11/2025,Debit,12.00', '20/11/2025,Credit,-3.00')).toEqual([
    12, -3,
  ]);
});

test('P39: a heading that names Australian dollars is read, whatever currency something was bought in', async () => {
  expect(await read('Date,Currency,Total (AUD)', '20/11/2025,USD,-15.20')).toEqual([[-15.2], []]);
  expect(await read('Date,Amount,Currency,Amount (AUD)', '20/11/2025,10.00,USD,15.20')).toEqual([[15.2], []]);
  expect(await read('Date,Amount all accounts,Currency', '20/11/2025,1.00,Australian Dollar (AUD)')).toEqual([[1], []]);
  expect(await read('Date,Amount,Status', '20/11/2025,1.00,Not reversed')).toEqual([[1], []]);
});

test('P39: the heading Amount wins over one that says more, wherever it is', async () => {
  for (const other of ['Total fees', 'Amount of fee', 'Amount of GST', 'Total', 'Transaction amount']) {
    expect(await read(`Date,${other},Amount,Description`, '20/11/2025,1.00,2.00,A'), other).toEqual([[2], []]);
  }
  expect(await read('Date,Total fees,Description', '20/11/2025,1.00,A')).toContain('no columns');
});

test('P39: a line that is not settled, or failed, is a fault of its own', async () => {
  const rows = ['Pending', 'Posted', 'Failed', 'Completed', ''].map(
    (state, at) => `20/11/2025,${at + 1}.00,A,${state}`,
  );
  expect(await read('Date,Amount,Description,Status', ...rows)).toEqual([
    [2, 4, 5],
    ['2: It is not settled yet. Upload the file again when it is.', '4: Its status is “Failed”.'],
  ]);
});
