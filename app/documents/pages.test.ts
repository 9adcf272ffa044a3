import { expect, test } from 'vitest';
import { sampleSheet } from '#app/features/study/certificates/sheet.server.ts';
import { art, brochure } from '#tests/support/brochure-facts.ts';
import { invoiceFacts, invoiceLine, noteFacts } from '#tests/support/money-facts.ts';
import { drawingOf, elementsOf, type PdfText, readPdf } from '#tests/support/read-pdf.ts';
import { adjustmentNotePdf } from './adjustment-note.tsx';
import { certificateSheetPdf } from './certificate-sheet.tsx';
import { brochurePdf } from './course-brochure.tsx';
import { taxInvoicePdf } from './tax-invoice.tsx';

// Of A4, in points: the margins are 48 and the page is 595.28 wide.
const rightMargin = 547.28;
// The column of buyer and seller has 56% of what is between the margins.
const partiesEnd = 48 + 499.28 * 0.56;

const longWords = {
  name: 'W'.repeat(160),
  organisation: `${'Łódź'.repeat(40)} Pty Ltd`,
  address: `${'a'.repeat(242)}@example.com`,
  purchaseOrder: 'PO4711'.repeat(10),
};

const outside = (text: readonly PdfText[]) =>
  text.filter(({ left, right }) => left < 47.9 || right > rightMargin + 0.1);

test('words of any length stay on the page and in their column', async () => {
  const facts = {
    ...invoiceFacts,
    buyer: { ...invoiceFacts.buyer, ...longWords },
    lines: [invoiceLine({ description: 'X'.repeat(160), detail: 'y'.repeat(120) })],
  };
  const note = { ...noteFacts, buyer: facts.buyer, reason: 'r'.repeat(300), lines: facts.lines };
  for (const pdf of [await taxInvoicePdf(facts), await adjustmentNotePdf(note)]) {
    const { pages } = await readPdf(pdf);
    const all = pages.flatMap(({ text }) => text);
    expect(outside(all)).toEqual([]);
    const ofBuyer = all.filter(({ text }) => /WWW|ŁódźŁ|aaa/.test(text));
    expect(ofBuyer.length).toBeGreaterThan(6);
    expect(ofBuyer.filter(({ right }) => right > partiesEnd)).toEqual([]);
    // Nothing of a word is lost where it breaks, and nothing such as a hyphen is added.
    const together = all.map(({ text }) => text).join('');
    for (const word of [longWords.name, longWords.address]) expect(together).toContain(word);
  }
  const [page] = (await readPdf(await taxInvoicePdf(facts))).pages;
  const order = page?.text.filter(({ text }) => text.includes('4711')).map(({ text }) => text) ?? [];
  expect(order.join('')).toBe(longWords.purchaseOrder);
  const items = page?.text.filter(({ text }) => /^(X|y)+$/.test(text)) ?? [];
  // Quantity, price and amount take 240 points at the right.
  expect(items.filter(({ right }) => right > rightMargin - 240)).toEqual([]);
});

test('words that fit stay whole', async () => {
  const [page] = (await readPdf(await taxInvoicePdf(invoiceFacts))).pages;
  const texts = page?.text.map(({ text }) => text.trim()) ?? [];
  // pdf.js leaves the space out where the font changes.
  for (const whole of ['Nguyễn ThịÁnh Tuyết', 'INV-00042', 'INV00042 BB7KQ2MX', 'hello@bowerbirdacademy.example']) {
    expect(texts.join('')).toContain(whole);
  }
});

test('an invoice names who attends, and says how many are still to be named', async () => {
  const lines = ['Ada Byron', 'Mary Jackson', null].map((attendee) => ({ ...invoiceLine({}), attendee }));
  const [page] = (await readPdf(await taxInvoicePdf({ ...invoiceFacts, lines }))).pages;
  const words = page?.text.map(({ text }) => text).join('') ?? '';
  expect(words.replaceAll(' ', '')).toContain('ForAdaByron,MaryJacksonand1tobenamed');
  const [before] = (await readPdf(await taxInvoicePdf(invoiceFacts))).pages;
  expect(before?.text.some(({ text }) => text.startsWith('For '))).toBe(false);
});

test('a hundred places: the columns are named on each page, the totals stand together', async () => {
  const lines = Array.from({ length: 100 }, (_, at) =>
    invoiceLine({ description: `Course ${at} ${'with a long title '.repeat(at % 6)}` }),
  );
  const pdf = await taxInvoicePdf({ ...invoiceFacts, lines });
  const { pages } = await readPdf(pdf);
  const wordsOf = (page: (typeof pages)[number]) => page.text.map(({ text }) => text).join(' ');
  const places = pages.map((page) => wordsOf(page).match(/Course \d+/g)?.length ?? 0);
  expect(places.reduce((sum, count) => sum + count, 0)).toBe(100);
  for (const [at, page] of pages.entries()) {
    expect(wordsOf(page).includes('Amount incl. GST')).toBe((places[at] ?? 0) > 0);
    expect(wordsOf(page).includes('Total incl. GST')).toBe(wordsOf(page).includes('GST in the total'));
  }
  // To a screen reader it is one table with one row of headings.
  const file = pdf.toString('latin1');
  const count = (role: string) => file.match(new RegExp(`/S /${role}\\n`, 'g'))?.length;
  // Facts, items, sums, how to pay.
  expect(count('Table')).toBe(4);
  expect(count('TR')).toBe(5 + 101 + 2 + 6);
  expect(count('TH')).toBe(5 + 4 + 2 + 6);
});

const site = { name: 'Bowerbird Academy', company: 'Bowerbird Academy Pty Ltd, ABN 89 000 000 019' };
const ceh = {
  course: { slug: 'ceh', title: 'Certified Ethical Hacker (CEH v13)', hours: 50, tier: 'gold', icon: 'shield' },
  completion: undefined,
  instructor: 'Lena Fischer',
  exams: [{ code: '312-50', body: 'EC-Council' }],
  academy: site,
  asOf: '2025-09-08',
} as const;
const sample = sampleSheet(ceh, 'https://bowerbirdacademy.example');

const documents: [string, () => Promise<Buffer>, string][] = [
  ['tax invoice', () => taxInvoicePdf(invoiceFacts), 'Tax invoice INV-00042'],
  ['adjustment note', () => adjustmentNotePdf(noteFacts), 'Adjustment note ADJ-00007'],
  ['sample', () => certificateSheetPdf(sample), 'Sample certificate: Certified Ethical Hacker (CEH v13)'],
  [
    'certificate without a name',
    () => certificateSheetPdf({ ...sample, name: null, sample: undefined, number: '7HK4 M2QX 9TRC P' }),
    'Certificate 7HK4 M2QX 9TRC P: Certified Ethical Hacker (CEH v13)',
  ],
  ['brochure', () => brochurePdf(brochure, art), 'Security operations: Bowerbird Academy'],
];

test.each(documents)(
  '%s: everything drawn belongs to an element or is marked as decoration',
  async (_, render, title) => {
    const pdf = await render();
    const read = await readPdf(pdf);
    expect([read.tagged, read.language, read.title]).toEqual([true, 'en-AU', title]);
    expect(read.pages.flatMap(({ tree }) => elementsOf(tree, 'H1'))).toHaveLength(1);
    expect(pdf.toString('latin1')).toContain('/DisplayDocTitle true');
    // Nothing is set in a font that is not in the file.
    expect(read.fonts.filter((font) => !/^[A-Z]{6}\+/.test(font))).toEqual([]);
    for (const page of drawingOf(pdf)) expect(unmarked(page)).toEqual([]);
  },
);

/** Operators of a page that draw outside of marked content. */
function unmarked(page: string): string[] {
  let depth = 0;
  return page.split('\n').filter((operator) => {
    if (/ (BMC|BDC)$/.test(operator)) depth += 1;
    if (operator === 'EMC') depth -= 1;
    return depth === 0 && /(^| )(Tj|TJ|f\*?|S|s|B\*?|b\*?|Do|sh)$/.test(operator);
  });
}

test('an invoice is a tree of headings, paragraphs and tables', async () => {
  const [page] = (await readPdf(await taxInvoicePdf(invoiceFacts))).pages;
  if (!page) throw new Error('no page');
  expect(elementsOf(page.tree, 'H2')).toHaveLength(1);
  const tables = elementsOf(page.tree, 'Table');
  // Facts, items, sums, how to pay.
  expect(tables.map((table) => elementsOf(table, 'TR').length)).toEqual([5, 3, 2, 6]);
  expect(page.links).toEqual(['mailto:hello@bowerbirdacademy.example']);
  expect(elementsOf(page.tree, 'Link')).toHaveLength(1);
});

test('a brochure has links to the course’s page and an address, and a bookmark for each heading', async () => {
  const { pages, bookmarks } = await readPdf(await brochurePdf(brochure, art));
  expect(pages.flatMap(({ links }) => links)).toEqual([brochure.address, 'mailto:hello@academy.example']);
  expect(bookmarks).toEqual([
    'Security operations',
    'Overview',
    'Dates',
    'What you will be able to do',
    'Curriculum',
    'Instructor',
    'Prerequisites',
    'Certification',
    'How to enrol',
  ]);
  expect(pages.flatMap(({ text }) => text.map((piece) => piece.text)).join('')).toContain('李明');
});

test('no heading of a brochure stays alone at the end of a page', async () => {
  const credential = 'What the exam asks, who sets it, and what of it is in the price of the course. '.repeat(6);
  for (const lines of [5, 6, 7]) {
    const overview = 'A line.\n'.repeat(lines);
    const { pages } = await readPdf(await brochurePdf({ ...brochure, overview, credential }, art));
    for (const { text } of pages) {
      // The foot line stands below 60.
      const lowest = text.filter(({ bottom }) => bottom > 60).sort((one, other) => one.bottom - other.bottom)[0];
      expect(['Instructor', 'Prerequisites', 'Certification', 'How to enrol']).not.toContain(lowest?.text);
    }
  }
});

test('P19: a sample is the certificate without a holder: its rule, its issuer and its limits', async () => {
  const wordsOf = async (facts: typeof sample) =>
    (await readPdf(await certificateSheetPdf(facts))).pages[0]?.text.map(({ text }) => text).join(' ') ?? '';
  const words = await wordsOf(sample);
  for (const text of [
    'SAMPLE',
    'Your name',
    'the hours taught live',
    // P61: it promises no more than the page of the course.
    'Present for at least 80% of the hours, and the assessed work accepted',
    'Bowerbird Academy Pty Ltd, ABN 89 000 000 019',
    'not that of an exam body',
    'completed the course Certified Ethical Hacker',
    'This is not a certification of EC-Council. EC-Council sets the exam 312-50',
    'not a registered training organisation',
  ]) {
    expect(words).toContain(text);
  }
  const alone = sampleSheet({ ...ceh, completion: { attendance: 90, attendanceAlone: true } }, 'https://a.example');
  expect(await wordsOf(alone)).toContain('Present for at least 90% of the hours This is not');
  expect(await wordsOf({ ...sample, sample: undefined })).not.toContain('SAMPLE');
});
