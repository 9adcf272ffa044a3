import { expect, test } from 'vitest';
import { readStatement, type StatementLine } from './bank-statement.server.ts';

const today = '2025-10-01';
const read = async (file: string | Uint8Array) => {
  const statement = await readStatement(file, today);
  if (!statement.ok) throw new Error(statement.why);
  return statement;
};
const shown = ({ line, day, amountCents, words }: StatementLine) => [line, day, amountCents, words];
const marks = async (file: string) =>
  (await read(file)).lines.map(({ day, amountCents, marks: { texts, ...rest } }) => ({ day, amountCents, ...rest }));

test('CommBank: no headings, signed amounts, quoted fields', async () => {
  const { lines, faults } = await read(
    '24/09/2025,"+2299.00","Fast Transfer From A SMITH, Brisbane INV00042 BB7KQ2MX","+12345.67"\r\n' +
      '23/09/2025,"-1,100.50","Rent, ""Level 4""","+10046.67"\r\n',
  );
  expect(lines.map(shown)).toEqual([
    [1, '2025-09-24', 229_900, 'Fast Transfer From A SMITH, Brisbane INV00042 BB7KQ2MX'],
    [2, '2025-09-23', -110_050, 'Rent, "Level 4"'],
  ]);
  expect(faults).toEqual([]);
});

test('NAB: headings, an empty one among them, and a month in letters', async () => {
  const { lines } = await read(
    'Date,Amount,Account Number,,Transaction Type,Transaction Details,Balance,Category,Merchant Name\n' +
      '24 Sep 25,2299.00,123456789,,INTER-BANK CREDIT,INV00042 BB7KQ2MX A SMITH,12345.67,Other income,\n' +
      '24/09/2025,-12.00,123456789,,FEES,ACCOUNT FEE,12333.67,Fees,\n',
  );
  expect(lines.map(shown)).toEqual([
    [2, '2025-09-24', 229_900, 'INV00042 BB7KQ2MX A SMITH'],
    [3, '2025-09-24', -1200, 'ACCOUNT FEE'],
  ]);
});

test('Westpac: columns for debit and credit, after a byte order mark', async () => {
  const { lines } = await read(
    '\ufeffBank Account,Date,Narrative,Debit Amount,Credit Amount,Balance,Categories,Serial\r\n' +
      '034000123456,24/09/2025,DEPOSIT ONLINE 2345 BB-7KQ2MX,,"2,299.50",14645.17,DEP,\r\n' +
      '034000123456,25/09/2025,WITHDRAWAL RENT,1100.00,,13545.17,OTH,\r\n',
  );
  expect(lines.map(shown)).toEqual([
    [2, '2025-09-24', 229_950, 'DEPOSIT ONLINE 2345 BB-7KQ2MX'],
    [3, '2025-09-25', -110_000, 'WITHDRAWAL RENT'],
  ]);
});

test('ANZ: headings and signs; every line that cannot be read is named', async () => {
  const { lines, faults } = await read(
    'Date,Amount,Description\n24/09/2025,2299.00,PAYMENT FROM A SMITH\n31/02/2025,1.00,X\n25/09/2025,abc,Y\n\n',
  );
  expect(lines.map(shown)).toEqual([[2, '2025-09-24', 229_900, 'PAYMENT FROM A SMITH']]);
  expect(faults).toEqual([
    { line: 3, why: '“31/02/2025” is not a date such as 24/09/2025.' },
    { line: 4, why: 'The amount is missing or is not a number such as 1,234.50.' },
  ]);
});

test('P39: words are read under headings of any name, and days and times as banks write them', async () => {
  const day = '2025-09-24';
  const files = [
    'BSB Number,Transaction Date,Narration,Cheque Number,Debit,Credit,Balance\n302-985,24/09/2025,A BB-7KQ2MX,,,1.00,2.00',
    'TRAN_DATE,ACCOUNT_NO,CCY,CLOSING_BAL,AMOUNT,NARRATIVE\n20250924,12,AUD,2.00,1.00,A BB-7KQ2MX',
    ...['Remarks', 'Transaction', 'Whatever the bank says'].map(
      (heading) => `Date,Amount,${heading}\n24/09/2025,1.00,A BB-7KQ2MX`,
    ),
    ...['24/09/2025 8:18', '13:26 24-09-25', '24/9/2025 0:00', '2025-09-24T08:18:00Z', '24/09/2025 8:18:05 PM'].map(
      (date) => `Date,Amount,Description\n${date},1.00,A BB-7KQ2MX`,
    ),
  ];
  for (const file of files) expect((await read(file)).lines.map(shown), file).toEqual([[2, day, 100, 'A BB-7KQ2MX']]);
});

test('P39: a file that says of nobody who paid, and one in another form, are refused by what they are', async () => {
  const files = {
    'No column of this file says who paid': 'Date,Amount,Balance\n24/09/2025,1.00,2.00',
    'This is a QIF file': '!Type:Bank\nD24/09/2025\nT1.00\n^',
    'This is an OFX file': 'OFXHEADER:100\nDATA:OFXSGML\n<OFX>',
    'This is a CAMT file': '<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">',
    'This is an Excel workbook': 'PK\u0003\u0004\u0014',
    'This is a PDF': '%PDF-1.7',
  };
  for (const [why, file] of Object.entries(files)) {
    expect(await readStatement(file, today)).toMatchObject({ ok: false, why: expect.stringContaining(why) });
  }
});

test('a file that is no statement is refused with the reason', async () => {
  expect(await readStatement('', today)).toMatchObject({ ok: false, why: expect.stringContaining('empty') });
  expect(await readStatement('Name,Colour\nAda,blue\n', today)).toMatchObject({
    ok: false,
    why: expect.stringContaining('date'),
  });
  expect(await readStatement('24/09/2025,"+1.00', today)).toMatchObject({
    ok: false,
    why: expect.stringContaining('Line 1: A quote in it does not end'),
  });
});

test('without headings, columns are found from all rows: a first line without words, or with digits only, loses none', async () => {
  for (const first of ['""', '"100200300"']) {
    const { lines } = await read(
      `24/09/2025,"+2299.00",${first},"+5000.00"\n23/09/2025,"+1.00","INV00042 BB7KQ2MX","+2701.00"\n`,
    );
    expect(lines.map(({ words }) => words)).toEqual([first.replaceAll('"', ''), 'INV00042 BB7KQ2MX']);
    expect(lines.map(({ amountCents, marks: { balanceCents } }) => [amountCents, balanceCents])).toEqual([
      [229_900, 500_000],
      [100, 270_100],
    ]);
  }
  // ANZ without headings: no balance.
  expect((await read('24/09/2025,2299,12345\n23/09/2025,1.50,RENT')).lines.map(shown)).toEqual([
    [1, '2025-09-24', 229_900, '12345'],
    [2, '2025-09-23', 150, 'RENT'],
  ]);
});

test('lines have the same marks with and without headings, and in either order', async () => {
  const rows = ['24/09/2025,+10.00,,+30.00', '24/09/2025,+10.00,A  Smith,+20.00', '23/09/2025,-5.00,rent,+10.00'];
  const plain = await marks(rows.join('\n'));
  expect(await marks(['Date,Amount,Description,Balance', ...rows].join('\n'))).toEqual(plain);
  expect(await marks(rows.toReversed().join('\n'))).toEqual(plain.toReversed());
  expect(plain.map(({ balanceCents, cells }) => [balanceCents, cells.length])).toEqual([
    [3000, 0],
    [2000, 1],
    [1000, 1],
  ]);
});

test('the balance is never taken for the amount; one that stands still is no running balance', async () => {
  const statement = 'Balance,Date,Description,Amount\n10.00,24/09/2025,A,1.00\n9.00,23/09/2025,B,2.00\n';
  expect((await read(statement)).lines.map(({ amountCents }) => amountCents)).toEqual([100, 200]);
  expect((await readStatement('Date,Balance\n24/09/2025,10.00\n', today)).ok).toBe(false);
  expect(
    (await marks('24/09/2025,1.00,A,50.00\n24/09/2025,2.00,B,50.00')).map(({ balanceCents }) => balanceCents),
  ).toEqual([null, null]);
});

test('money in and money out without headings is refused: nobody could tell which is which', async () => {
  const statement = '24/09/2025,A,10.00,,30.00\n23/09/2025,B,10.00,,20.00\n22/09/2025,C,,5.00,10.00';
  expect(await readStatement(statement, today)).toMatchObject({
    ok: false,
    why: expect.stringContaining('cannot tell money in from money out'),
  });
});

test('a line that cannot be right is a fault of its own: the others are read', async () => {
  const rows: [string, string][] = [
    ['24/09/2025,"12,50",A', 'is not a number'],
    ['24/09/2025,"1,23,456.00",A', 'is not a number'],
    ['24/09/2025,+5.00,A\0B', 'not text'],
    ['24/09/2025,"21,474,836.48",A', 'over AU$1,000,000'],
    ['24/09/2025,99999999999999999999.00,A', 'over AU$1,000,000'],
    ['02/10/2025,+5.00,A', 'in the future'],
    ['24/09/2099,+5.00,A', 'in the future'],
    ['24/09/2021,+5.00,A', 'more than three years ago'],
  ];
  for (const [row, why] of rows) {
    const { lines, faults } = await read(`23/09/2025,"+1,234.50",GOOD\n${row}\n22/09/2025,+1.00,GOOD`);
    expect(
      lines.map(({ amountCents }) => amountCents),
      row,
    ).toEqual([123_450, 100]);
    expect(faults, row).toEqual([{ line: 2, why: expect.stringContaining(why) }]);
  }
});

test('days as 2025-09-24, semicolons, tabs and Windows-1252 are read', async () => {
  const wanted = [[1, '2025-09-24', 5000, 'Café, Nord']];
  expect((await read('2025-09-24;50.00;"Café, Nord"')).lines.map(shown)).toEqual(wanted);
  expect((await read('2025-09-24T10:11:12+10:00\t50.00\tCafé, Nord')).lines.map(shown)).toEqual(wanted);
  const bytes = Buffer.from('24/09/2025,50.00,"Caf\u00e9, Nord"', 'latin1');
  expect((await read(bytes)).lines.map(shown)).toEqual(wanted);
  expect((await read(Buffer.from('24/09/2025,50.00,"Café, Nord"'))).lines.map(shown)).toEqual(wanted);
});

test('a large file is read in slices, between which others get their turn', async () => {
  const lines = Array.from({ length: 25_000 }, (_, at) => `24/09/2025,"+${at + 1}.00","TRANSFER é ${at}"`).join('\n');
  let turns = 0;
  let reading = true;
  const others = (async () => {
    while (reading) {
      await new Promise(setImmediate);
      turns += 1;
    }
  })();
  const statement = await read(lines);
  reading = false;
  await others;
  expect(statement.lines).toHaveLength(25_000);
  // A letter of two bytes is whole at the border of every slice.
  expect(statement.lines.every(({ words }) => words.startsWith('TRANSFER é '))).toBe(true);
  // 500 rows at a time, taken apart and then read.
  expect(turns).toBeGreaterThanOrEqual(90);
});
