import { expect, test } from 'vitest';
import { readAcademy } from '#tests/support/academy.ts';
import { countOpening, type OpeningFacts, openingList } from './opening.ts';

const counts = {
  taken: 164,
  rated: 164,
  unprovedOriginalPrices: 137,
  own: { courses: 164, certifications: 12, instructors: 16, learners: 521_618 },
  unwritten: [{ title: 'CISSP', modules: 8, written: 0 }],
};
const atHome = { hasMailServer: false, takesEmail: false, baseUrl: 'http://localhost:3000', clockIsSet: true };
const abroad = { hasMailServer: true, takesEmail: true, baseUrl: 'https://academy.example', clockIsSet: false };

async function facts(more: Partial<OpeningFacts> = {}): Promise<OpeningFacts> {
  return { content: await readAcademy(), settings: atHome, today: '2026-11-22', ...counts, ...more };
}
const idsOf = (asked: OpeningFacts) => openingList(asked).flatMap(({ items }) => items.map(({ id }) => id));

test('the sample content has every task open, with the placeholder of each', async () => {
  const asked = await facts();
  const ids = idsOf(asked);
  for (const id of ['abn', 'bank', 'email', 'phone', 'address', 'licence', 'copyright-year', 'SMTP_URL', 'BASE_URL']) {
    expect(ids).toContain(id);
  }
  for (const { id } of asked.content.claims) expect(ids).toContain(`claim-${id}`);
  for (const { name } of asked.content.partners) expect(ids).toContain(`partner-${name}`);
  expect(ids).toEqual(
    expect.arrayContaining([
      'original-prices',
      'modules',
      'gst',
      'blue-card',
      'promotion',
      'terms',
      'privacy',
      'TODAY',
    ]),
  );
  expect(new Set(ids).size).toBe(ids.length);
  const items = openingList(asked).flatMap((group) => group.items);
  expect(items.find(({ id }) => id === 'original-prices')).toMatchObject({
    what: 'Original prices, struck through, of 137 courses',
    restsOn: 'the academy brief of 2025, which is a source but not proof',
  });
  // Each says what it rests on and how it is settled, by itself or with its group.
  for (const { settle: forAll, items: its } of openingList(asked)) {
    for (const { id, restsOn, settle } of its)
      expect([restsOn !== '', Boolean(settle ?? forAll)], id).toEqual([true, true]);
  }
  expect(countOpening(openingList(asked))).toBe(ids.length);
});

test('P106: the claims that our own records contradict are the first group', async () => {
  const [first] = openingList(await facts());
  expect(first?.title).toBe('Claims that our own records contradict');
  expect(first?.items.map(({ what }) => what)).toEqual([
    '250+ courses',
    '24/7 support',
    '50+ expert instructors',
    '24/7 learning support',
    '50+ certifications available',
  ]);
});

test('P106: claims, partners and original prices that are hidden are settled', async () => {
  const content = await readAcademy();
  const hide = <Item extends object>(list: Item[]) => list.map((item) => ({ ...item, hidden: true }));
  const site = { ...content.site, hideUnprovedPrices: true };
  const ids = idsOf(await facts({ content: { site, claims: hide(content.claims), partners: hide(content.partners) } }));
  expect(ids.filter((id) => /^(claim|partner)-|^original-prices$/.test(id))).toEqual([]);
});

test('real details, proofs and settled tasks leave nothing', async () => {
  const content = await readAcademy();
  const { site } = content;
  Object.assign(site, {
    abn: '51 824 753 556',
    bank: { accountName: 'A', bsb: '064-001', accountNumber: '12345678' },
    email: 'hello@bowerbird.com.au',
    phone: '(07) 3221 0000',
    copyrightYear: 2026,
  });
  const proved = {
    ...content,
    claims: content.claims.map((claim) => ({ ...claim, proof: 'Audit of 2026' })),
    partners: content.partners.map((partner) => ({ ...partner, proof: 'Letter of 1 July 2026' })),
  };
  const asked = await facts({ content: proved, settings: abroad, unprovedOriginalPrices: 0 });
  const left = idsOf(asked);
  expect(left).not.toContain('abn');
  site.settled = left.map((what) => ({ what, by: 'the owner on 1 December 2026' }));
  expect(openingList(asked)).toEqual([]);
});
