import { afterEach, expect, test, vi } from 'vitest';
import { adjustmentNotePdf } from './adjustment-note.tsx';
import type { AdjustmentNoteFacts, InvoiceLine, TaxInvoiceFacts } from './invoice-facts.ts';
import { taxInvoicePdf } from './tax-invoice.tsx';

const line = (changes: Partial<InvoiceLine> = {}): InvoiceLine => ({
  placeId: 1,
  description: 'CompTIA Security+ (SY0-701)',
  detail: 'Online, 15 to 19 September 2025',
  priceCents: 149_900,
  discountCents: 44_985,
  discount: 'Combo −30%',
  amountCents: 104_915,
  gstCents: 9538,
  ...changes,
});
const common = {
  version: 1,
  issuedOn: '2025-09-08',
  enrolment: 'BB-7KQ2MX',
  seller: {
    name: 'Bowerbird Academy Pty Ltd',
    tradingAs: 'Bowerbird Academy',
    abn: '89 000 000 019',
    address: 'Level 4, 120 Edward Street, Brisbane, Queensland 4000',
    email: 'hello@bowerbirdacademy.example',
    phone: '(07) 7010 0142',
  },
  buyer: {
    name: 'Nguyễn Thị Ánh Tuyết',
    organisation: 'Spółka Żółć Łódź Pty Ltd',
    abn: '89000000019',
    address: '1 Queen Street, Brisbane QLD 4000',
    purchaseOrder: 'PO 4711',
  },
  totalCents: 335_812,
  gstCents: 30_528,
} as const;
const invoice: TaxInvoiceFacts = {
  ...common,
  number: 'INV-00042',
  dueOn: '2025-09-22',
  undecided: [{ title: 'CompTIA Security+ (SY0-701)', decidedBy: '2025-10-03' }],
  lines: [
    line(),
    line(),
    line({
      description: 'Security operations',
      discount: null,
      priceCents: 125_982,
      discountCents: 0,
      amountCents: 125_982,
    }),
  ],
  payment: {
    accountName: 'Bowerbird Academy Pty Ltd',
    bsb: '000-000',
    accountNumber: '000000000',
    reference: 'INV00042 BB7KQ2MX',
  },
  replaces: null,
};
const note: AdjustmentNoteFacts = {
  ...common,
  number: 'ADJ-00007',
  invoice: { number: 'INV-00042', issuedOn: '2025-09-08' },
  reason: 'One place was cancelled 13 to 7 days before the first day: half of its price is credited.',
  lines: [
    {
      description: 'CompTIA Security+ (SY0-701)',
      detail: 'Online, 15 to 19 September 2025',
      amountCents: 52_458,
      gstCents: 4769,
    },
  ],
  totalCents: 52_458,
  gstCents: 4769,
  before: { totalCents: 335_812, gstCents: 30_528 },
  after: { totalCents: 283_354, gstCents: 25_759 },
};

afterEach(() => {
  vi.useRealTimers();
});

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length;
const renderedAt = (time: string, render: () => Promise<Buffer>) => {
  vi.useFakeTimers({ now: new Date(time), toFake: ['Date'] });
  return render();
};

test('P30: the same facts give the same bytes, whenever they are printed', async () => {
  for (const render of [() => taxInvoicePdf(invoice), () => adjustmentNotePdf(note)]) {
    const first = await renderedAt('2025-09-08T09:00:00Z', render);
    const later = await renderedAt('2032-01-01T00:00:00Z', render);
    expect(first.equals(later)).toBe(true);
    expect(pagesOf(first)).toBe(1);
  }
  const other = await taxInvoicePdf({ ...invoice, totalCents: invoice.totalCents + 1 });
  expect(other.equals(await taxInvoicePdf(invoice))).toBe(false);
});

test('many lines take several pages, and alike ones take one line', async () => {
  const different = Array.from({ length: 30 }, (_, at) => line({ description: `Course ${at}` }));
  expect(pagesOf(await taxInvoicePdf({ ...invoice, lines: different }))).toBeGreaterThan(2);
  expect(pagesOf(await taxInvoicePdf({ ...invoice, lines: Array.from({ length: 30 }, () => line()) }))).toBe(1);
});
