import type { AdjustmentNoteFacts, InvoiceLine, TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';

/** A line of an invoice, equal to others unless changed. */
export const invoiceLine = (changes: Partial<InvoiceLine> = {}): InvoiceLine => ({
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
export const invoiceFacts: TaxInvoiceFacts = {
  ...common,
  number: 'INV-00042',
  dueOn: '2025-09-22',
  undecided: [{ title: 'CompTIA Security+ (SY0-701)', decidedBy: '2025-10-03' }],
  lines: [
    invoiceLine(),
    invoiceLine(),
    invoiceLine({
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
export const noteFacts: AdjustmentNoteFacts = {
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
