import { expect, test } from 'vitest';
import { readAcademy } from '#tests/support/academy.ts';
import { placeholderFaults, typedTwiceFaults, withFacts } from './placeholders.ts';

const site = { abn: '51 824 753 556', address: { city: 'Cairns' }, retention: { bookingMonths: 9 } };

test('placeholders become the values of site.yaml; unknown ones stay', () => {
  expect(withFacts('ABN {{abn}}, {{address.city}}, {{retention.bookingMonths}} months', site)).toBe(
    'ABN 51 824 753 556, Cairns, 9 months',
  );
  expect(withFacts('{{address}} {{address.moon}} {{constructor.name}} { {abn} }', site)).toBe(
    '{{address}} {{address.moon}} {{constructor.name}} { {abn} }',
  );
});

test('a placeholder of nothing and a fact typed twice are faults', async () => {
  const content = await readAcademy();
  expect(placeholderFaults(content)).toEqual([]);
  expect(typedTwiceFaults(content)).toEqual([]);
  const [terms] = content.pages.filter(({ slug }) => slug === 'terms');
  const [group] = content.faq;
  if (!terms || !group) throw new Error('no terms');
  const pages = [{ ...terms, body: `We are {{legalname}}. ABN 89 000\n000 019.` }];
  const faq = [{ ...group, questions: [{ question: 'Who?', answer: 'Telephone (07) 7010 0142 or {{phon}}.' }] }];
  expect(placeholderFaults({ ...content, pages, faq }).map(({ message }) => message)).toEqual([
    'site.yaml has no {{legalname}}',
    'site.yaml has no {{phon}}',
  ]);
  expect(typedTwiceFaults({ ...content, pages, faq }).map(({ message }) => message)).toEqual([
    'write {{abn}} for "89 000 000 019", which is in site.yaml',
    'write {{phone}} for "(07) 7010 0142", which is in site.yaml',
  ]);
});
