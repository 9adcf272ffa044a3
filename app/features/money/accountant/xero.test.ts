import { expect, test } from 'vitest';
import type { AdjustmentNoteFacts, TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import { csvLine } from '#app/lib/csv-cell.ts';
import { xeroColumns, xeroGstDiffers, xeroRows } from './xero.ts';

const seller = { name: 'Bowerbird', tradingAs: 'Bowerbird', abn: '89 000 000 019', address: '', email: '', phone: '' };
const buyer = {
  name: 'Ada Byron',
  organisation: '=Analytical Engines',
  abn: null,
  address: '1 Mill Lane\nLevel 2, Brisbane, QLD 4000, Australia',
  purchaseOrder: 'PO 7',
};
const line = (amountCents: number) => ({
  placeId: 1,
  description: 'CISSP',
  detail: 'Guided, from Monday 13 October 2025',
  priceCents: amountCents,
  discountCents: 0,
  discount: null,
  amountCents,
  gstCents: 0,
});
const invoice = (gstCents: number, ...amounts: number[]): { kind: 'tax-invoice'; facts: TaxInvoiceFacts } => ({
  kind: 'tax-invoice',
  facts: {
    ...{ version: 1, number: 'INV-00042', issuedOn: '2025-09-08', dueOn: '2025-09-22', enrolment: 'BB-7KQ2MX', seller },
    ...{ buyer, gstCents, totalCents: amounts.reduce((sum, cents) => sum + cents, 0), lines: amounts.map(line) },
    ...{ undecided: [], replaces: null },
    payment: { accountName: '', bsb: '', accountNumber: '', reference: '' },
  },
});
const note = (gstCents: number, cents: number): { kind: 'adjustment-note'; facts: AdjustmentNoteFacts } => ({
  kind: 'adjustment-note',
  facts: {
    ...{ version: 1, number: 'ADJ-00003', issuedOn: '2025-10-06', enrolment: 'BB-7KQ2MX', seller, buyer },
    ...{ totalCents: cents, gstCents, reason: 'Cancelled', invoice: { number: 'INV-00042', issuedOn: '2025-09-08' } },
    lines: [{ description: 'CISSP', detail: 'Guided', amountCents: cents, gstCents }],
    before: { totalCents: 0, gstCents: 0 },
    after: { totalCents: 0, gstCents: 0 },
  },
});
const payer = { firstName: '=Analytical Engines', email: 'ada@example.com' };
const shown = (row: unknown[]) => Object.fromEntries(xeroColumns.map((column, at) => [column, row[at]]));

test('P83: an invoice is a row a line in Xero’s columns, with GST in the amounts', () => {
  const rows = xeroRows(invoice(22_000, 110_000, 132_000), payer, '200');
  expect(rows.map((row) => row.length)).toEqual([27, 27]);
  expect(shown(rows[1] ?? [])).toMatchObject({
    '*ContactName': '=Analytical Engines (BB-7KQ2MX)',
    EmailAddress: 'ada@example.com',
    POAddressLine1: '1 Mill Lane',
    POAddressLine2: 'Level 2',
    POAddressLine3: 'Brisbane',
    POAddressLine4: 'QLD 4000, Australia',
    '*InvoiceNumber': 'INV-00042',
    Reference: 'BB-7KQ2MX, order PO 7',
    '*InvoiceDate': '08/09/2025',
    '*DueDate': '22/09/2025',
    '*Quantity': 1,
    '*UnitAmount': { cents: 132_000 },
    '*AccountCode': '200',
    '*TaxType': 'GST on Income',
    Currency: 'AUD',
  });
  const text = csvLine(rows[1] ?? []);
  expect(text).toContain(`"'=Analytical Engines (BB-7KQ2MX)"`);
  expect(text).toContain(',1,1320.00,"","200","GST on Income",');
});

test('P83: two people of one name are two contacts, and so are two organisations', () => {
  const contact = (firstName: string, changes: Partial<TaxInvoiceFacts['buyer']> = {}, enrolment = 'BB-7KQ2MX') => {
    const { kind, facts } = invoice(100, 1100);
    const document = { kind, facts: { ...facts, enrolment, buyer: { ...buyer, ...changes } } };
    return shown(xeroRows(document, { firstName, email: 'ada@example.com' }, '200')[0] ?? [])['*ContactName'];
  };
  const person = { organisation: null };
  expect(contact('Ada Byron', person)).toBe('Ada Byron (BB-7KQ2MX)');
  expect(contact('Ada Byron', person, 'BB-3HT9WA')).toBe('Ada Byron (BB-3HT9WA)');
  // 255 characters: 12 for the reference with a blank, 21 for the ABN.
  expect(contact('A'.repeat(300), person)).toBe(`${'A'.repeat(243)} (BB-7KQ2MX)`);
  const abn = '51824753556';
  expect(contact('Department of Health', { abn })).toBe('Department of Health (ABN 51 824 753 556)');
  expect(contact('H'.repeat(300), { abn })).toBe(`${'H'.repeat(234)} (ABN 51 824 753 556)`);
  expect(contact('Department of Health')).toBe('Department of Health (BB-7KQ2MX)');
});

test('P83: an adjustment note is below zero, and names its invoice', () => {
  const [row = []] = xeroRows(note(10_450, 114_950), payer, '200');
  expect(shown(row)).toMatchObject({
    '*InvoiceNumber': 'ADJ-00003',
    '*InvoiceDate': '06/10/2025',
    '*DueDate': '06/10/2025',
    '*Description': 'CISSP, Guided (INV-00042: Cancelled)',
    '*UnitAmount': { cents: -114_950 },
  });
  expect(csvLine(row)).toContain(',-1149.50,');
});

test('P83: lines whose GST adds up to another amount than the invoice’s are one line', () => {
  // Two lines of 1.00 have 9 cents each, one of 2.00 has 18; two of 1.04 have 9 each, one of 2.08 has 19.
  expect(xeroRows(invoice(18, 100, 100), payer, '200')).toHaveLength(2);
  const together = invoice(19, 104, 104);
  const rows = xeroRows(together, payer, '200');
  expect(rows).toHaveLength(1);
  expect(shown(rows[0] ?? [])['*UnitAmount']).toEqual({ cents: 208 });
  expect(xeroGstDiffers(together)).toBe(false);
  // A note has the difference of two rounded amounts, which may be a cent beside its eleventh.
  expect(xeroGstDiffers(note(10, 104))).toBe(true);
  expect(xeroGstDiffers(note(9, 104))).toBe(false);
});
