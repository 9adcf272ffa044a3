import { afterEach, expect, test, vi } from 'vitest';
import { invoiceFacts as invoice, invoiceLine as line, noteFacts as note } from '#tests/support/money-facts.ts';
import { readPdf } from '#tests/support/read-pdf.ts';
import { adjustmentNotePdf } from './adjustment-note.tsx';
import { taxInvoicePdf } from './tax-invoice.tsx';

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

test('P39, P40: an invoice says that cancelling is free while a date waits, unless a place was moved there', async () => {
  const waits = { title: 'CISSP', decidedBy: '2025-10-20' };
  const wordsOf = async (undecided: (typeof invoice)['undecided']) => {
    const { pages } = await readPdf(await taxInvoicePdf({ ...invoice, undecided }));
    return pages.flatMap(({ text }) => text.map((one) => one.text)).join(' ');
  };
  expect(await wordsOf([waits])).toContain('nothing on this invoice is due and cancelling is free.');
  expect(await wordsOf([{ ...waits, moved: true }])).toMatch(/nothing on this invoice is due\.(?!.*cancelling)/);
});

test('P30: an invoice of nothing does not say that nothing was paid before', async () => {
  const { pages } = await readPdf(await taxInvoicePdf({ ...invoice, totalCents: 0, gstCents: 0, lines: [] }));
  const words = pages.flatMap(({ text }) => text.map((one) => one.text)).join(' ');
  expect(words).toContain('Total incl. GST');
  expect(words).not.toContain('was paid before');
});

test('many lines take several pages, and equal ones take one line', async () => {
  const different = Array.from({ length: 30 }, (_, at) => line({ description: `Course ${at}` }));
  expect(pagesOf(await taxInvoicePdf({ ...invoice, lines: different }))).toBeGreaterThan(2);
  expect(pagesOf(await taxInvoicePdf({ ...invoice, lines: Array.from({ length: 30 }, () => line()) }))).toBe(1);
});
