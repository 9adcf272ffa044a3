import { expect, test } from 'vitest';
import { invoiceFacts, noteFacts } from '#tests/support/money-facts.ts';
import { drawingOf, readPdf } from '#tests/support/read-pdf.ts';
import { adjustmentNotePdf } from './adjustment-note.tsx';
import { lettersFor } from './other-letters.ts';
import { taxInvoicePdf } from './tax-invoice.tsx';
import { runsOf } from './words.tsx';

const addressedTo = (name: string) => taxInvoicePdf({ ...invoiceFacts, buyer: { ...invoiceFacts.buyer, name } });

/** All text of the first page, as a program copies it. */
async function copied(pdf: Buffer): Promise<string> {
  const [page] = (await readPdf(pdf)).pages;
  return (page?.text ?? []).map(({ text }) => text).join('');
}

test.each([
  ['李明', 'noto-sans-sc'],
  ['髙田', 'noto-sans-sc'],
  ['김철수', 'noto-sans-kr'],
  ['さとう', 'noto-sans-sc'],
  ['Ελένη', 'noto-sans-greek'],
  ['Ёлкин', 'noto-sans-cyrillic'],
  ['Թամար', 'noto-sans-armenian'],
  ['თამარი', 'noto-sans-georgian'],
  ['ไทย', 'noto-sans-thai'],
])('P30: an invoice names %s', async (name, font) => {
  const pdf = await addressedTo(name);
  expect(await copied(pdf)).toContain(name);
  const { fonts } = await readPdf(pdf);
  expect(fonts.some((embedded) => embedded.includes(font))).toBe(true);
  expect(pdf.length).toBeLessThan(150_000);
});

test.each([
  'محمد',
  'مُحَمَّد علي',
  'شركة 4711 المحدودة',
  'שָׁלוֹם כהן',
  'हिन्दी श्रीकृष्ण',
  'น้ำ ปู่',
  'ਪੰਜਾਬੀ ਸਿੰਘ',
  'தமிழ் ஸ்ரீ',
  'తెలుగు శ్రీ',
  'ශ්‍රී ලංකා',
  'محمد Smith Pty Ltd',
])('P30: an invoice names %s in the order of reading', async (name) => {
  const pdf = await addressedTo(name);
  expect((await readPdf(pdf)).spoken).toContain(name.normalize('NFC'));
  // Glyph 0 is the box for what a font lacks.
  expect(drawingOf(pdf).join('')).not.toContain('<0000>');
});

test('right to left stands in a line that runs left to right, numbers in it from left to right', async () => {
  const [page] = (await readPdf(await addressedTo('شركة 4711 المحدودة'))).pages;
  const number = page?.text.find(({ text }) => text === '4711');
  const line = page?.text.filter(({ bottom }) => Math.abs(bottom - (number?.bottom ?? 0)) < 1) ?? [];
  const first = line.find(({ text }) => text.includes('ركة'));
  const second = line.find(({ text }) => text.includes('المحدودة'));
  // What is read first stands on the right.
  expect(first?.left).toBeGreaterThan(number?.right ?? Number.POSITIVE_INFINITY);
  expect(second?.right).toBeLessThan(number?.left ?? 0);
});

test('an adjustment note, a reason and bold letters have them too', async () => {
  const facts = {
    ...noteFacts,
    reason: 'Addressed to 李明 now.',
    buyer: { ...noteFacts.buyer, organisation: '北京 Ltd' },
  };
  const pdf = await adjustmentNotePdf(facts);
  const text = await copied(pdf);
  expect(text).toContain('李明');
  expect(text).toContain('北京');
  const { fonts } = await readPdf(pdf);
  expect(fonts.some((font) => /noto-sans-sc-\d+-700/.test(font))).toBe(true);
  expect(fonts.some((font) => /noto-sans-sc-\d+-400/.test(font))).toBe(true);
});

test('a character that no font has is printed as its number, never as a question mark', async () => {
  expect(await copied(await addressedTo('Ada 😀 👩‍💻'))).toContain('Ada [U+1F600] [U+1F469][U+1F4BB]');
});

test('the same facts give the same bytes with letters of other scripts too', async () => {
  const first = await addressedTo('李明 محمد हिन्दी');
  expect((await addressedTo('李明 محمد हिन्दी')).equals(first)).toBe(true);
});

test('only letters that the brand’s fonts lack need another font; a letter stays with its marks', async () => {
  expect(await lettersFor('Nguyễn Łódź Şahin O’Neill – “A”')).toEqual(new Map());
  const text = 'Lọ́lá 李 Ж';
  const letters = await lettersFor(text);
  expect(runsOf(text, letters)).toEqual([
    { family: undefined, run: 'L' },
    { family: 'noto-sans-vietnamese', run: 'ọ́' },
    { family: undefined, run: 'lá ' },
    { family: 'noto-sans-sc-115', run: '李' },
    { family: undefined, run: ' ' },
    { family: 'noto-sans-cyrillic', run: 'Ж' },
  ]);
});
