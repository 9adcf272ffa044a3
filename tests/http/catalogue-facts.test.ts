import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAcademy } from '#tests/support/academy.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());

async function mainOf(address: string): Promise<string> {
  const html = await (await academy.request(address)).text();
  return html.slice(html.indexOf('<main'), html.indexOf('</main>'));
}
/** The words of a piece of a page, without its drawings. */
const textOf = (html: string) =>
  html
    .replaceAll(/<svg\b.*?<\/svg>|<!--.*?-->|<[^>]+>/gs, '')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/[\s\u00a0]+/g, ' ');
const elementsOf = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`<${name}\\b.*?</${name}>`, 'gs'))].map(([element]) => element);
const textsOf = (html: string, name: string) => elementsOf(html, name).map(textOf);
const cardsOf = async (address: string) => elementsOf(await mainOf(address), 'article');
/** The addresses of the links that say exactly this. */
const linksTo = (html: string, text: string) =>
  elementsOf(html, 'a')
    .filter((link) => textOf(link) === text)
    .map((link) => / href="([^"]*)"/.exec(link)?.[1]?.replaceAll('&amp;', '&'));

test('P9: the category select offers the 15 options in order, then the others', async () => {
  const main = await mainOf('/courses');
  const [category = '', level = ''] = ['category', 'level'].map((name) =>
    elementsOf(main, 'select').find((select) => select.includes(`name="${name}"`)),
  );
  const [first = '', more = ''] = category.split('<optgroup label="More categories"');
  expect(textsOf(first, 'option')).toEqual([
    'All Courses',
    'AI Security',
    'CompTIA',
    'Ethical Hacking',
    'Security Management',
    'Incident Response',
    'Cloud Security',
    'Network Security',
    'GRC',
    'SOC',
    'Identity Management',
    'Application Security',
    'Virtualization Security',
    'Container Security',
    'Job Guarantee',
  ]);
  expect(textsOf(more, 'option').filter((text) => text === 'Microsoft')).toHaveLength(1);
  expect(textsOf(level, 'option')).toEqual(['All Levels', 'Beginner', 'Intermediate', 'Advanced', 'Expert']);
});

test('P9: a track filters like a category, and the select shows it', async () => {
  const main = await mainOf('/courses?category=offensive');
  const category = elementsOf(main, 'select').find((select) => select.includes('name="category"')) ?? '';
  const chosen = elementsOf(category, 'option').filter((option) => / selected=/.test(option));
  expect(chosen.map(textOf)).toEqual(['Track: Offensive']);
  expect(elementsOf(main, 'article').length).toBeGreaterThan(3);
});

test('P8: the five orders are links that keep the filters', async () => {
  const main = await mainOf('/courses?category=grc');
  const sort = elementsOf(main, 'nav').find((nav) => nav.includes('aria-label="Sort quests"')) ?? '';
  expect(textsOf(sort, 'a')).toEqual(['Most popular', 'Newest', 'Price low to high', 'Price high to low', 'Shortest']);
  expect(linksTo(sort, 'Price low to high')).toEqual(['/courses?category=grc&sort=price-low']);
  const cards = await cardsOf('/courses?category=grc&sort=price-low');
  const prices = cards.map((card) => Number(/AU\$([\d,]+)/.exec(textOf(card))?.[1]?.replaceAll(',', '')));
  expect(prices.length).toBeGreaterThan(2);
  expect(prices).toEqual(prices.toSorted((one, other) => one - other));
});

test('P1: the hours and the price of a quest line are the sums of its courses, on every page that shows them', async () => {
  const { questLines, courses } = await readAcademy();
  const sum = (slugs: string[], figure: 'hours' | 'price') =>
    slugs.reduce((total, slug) => total + (courses.find((course) => course.slug === slug)?.[figure] ?? 0), 0);
  const cards = await cardsOf('/quest-lines');
  expect(cards).toHaveLength(questLines.length);
  for (const [at, { title, steps }] of questLines.entries()) {
    const slugs = steps.map(({ course }) => course);
    const card = cards[at] ?? '';
    expect(textsOf(card, 'h2')).toEqual([title]);
    expect(textsOf(card, 'li')).toHaveLength(slugs.length);
    const [, hours, price] = textsOf(card, 'dd');
    expect([hours, price]).toEqual([String(sum(slugs, 'hours')), `AU$${sum(slugs, 'price').toLocaleString('en-AU')}`]);
  }
  const slugs = questLines.find(({ slug }) => slug === 'lead-auditor')?.steps.map(({ course }) => course) ?? [];
  const main = await mainOf('/quest-lines/lead-auditor');
  const [whole = ''] = elementsOf(main, 'aside');
  expect(whole).toContain('aria-label="The whole way"');
  expect(textOf(whole)).toContain(`AU$${sum(slugs, 'price').toLocaleString('en-AU')}`);
  expect(textOf(whole)).toContain(`Hours${sum(slugs, 'hours')}`);
  expect(textsOf(main, 'h3')).toHaveLength(slugs.length);
});

test('a quest line says which combo saves money on it while the promotion runs', async () => {
  const main = await mainOf('/quest-lines/cloud-security-engineer');
  expect(linksTo(main, 'Cloud Defender Combo')).toEqual(['/combos']);
  expect(textOf(main)).toContain('joins 3 of these courses and saves AU$2,730');
});

test('certifications name the quest lines that lead to them, and those lead back', async () => {
  expect(linksTo(await mainOf('/certifications/cissp'), 'Security Leader')).toEqual(['/quest-lines/security-leader']);
  const line = await mainOf('/quest-lines/security-leader');
  const name = 'Certified Information Systems Security Professional';
  expect(linksTo(line, name)).toEqual(['/certifications/cissp']);
});

test('a course says what it needs, what it leads to, and the state of its exam', async () => {
  const first = await mainOf('/course/comptia-security-plus');
  expect(textOf(first)).toContain('No other course; see the prerequisites above.');
  const exams = elementsOf(first, 'ul').find((list) => list.includes('aria-label="Outside exams"')) ?? '';
  expect(textsOf(exams, 'p')).toContain('CompTIA, SY0-701');
  expect(textsOf(exams, 'p')).toContain('On offer when last checked, in November 2026.');
  expect(linksTo(first, 'SOC Analyst Hands-On')).toEqual(['/course/soc-analyst-hands-on']);
  const next = await mainOf('/course/soc-analyst-hands-on');
  expect(textsOf(next, 'h3')).toContain('Useful before');
  expect(linksTo(next, 'CompTIA Security+ (SY0-701)')).toEqual(['/course/comptia-security-plus']);
});

test('a quest line that does not exist is Not Found', async () => {
  const response = await academy.request('/quest-lines/none');
  expect(response.status).toBe(404);
  expect(textOf(await response.text())).toContain('Oops! Page not found');
});

test('a certification whose exam is gone says so beside its pass rate', async () => {
  // The tests' clock stands before the day of its retirement: what the content calls retired is retired.
  const says = 'Exam AZ-500: Retired on 31 August 2026; SC-500 takes its place.';
  for (const address of ['/certifications', '/certifications/az-500']) {
    expect(textOf(await mainOf(address))).toContain(says);
  }
  const warning = elementsOf(await mainOf('/certifications/az-500'), 'p').find((one) => textOf(one).includes(says));
  expect(linksTo(warning ?? '', 'Microsoft Cloud and AI Security Engineer (SC-500)')).toEqual([
    '/course/microsoft-cloud-ai-security-sc-500',
  ]);
});

test('the certifications page promises guarantee and practice only for exams that can still be sat', async () => {
  const page = textOf(await mainOf('/certifications'));
  expect(page).toContain('Pass the exam or retake the course free, as long as the exam is offered.');
  expect(page).toContain('Timed practice for exams that can still be sat');
});

test('a course page says whether the exam guarantee applies', async () => {
  const guarantee = async (slug: string) =>
    textsOf(await mainOf(`/course/${slug}`), 'p').filter((text) => /exam guarantee/i.test(text));
  expect(await guarantee('cissp')).toEqual([
    'Exam guarantee: pass the exam or retake the course free, on the conditions in the terms.',
  ]);
  expect(await guarantee('comptia-a-plus')).toEqual([
    'Exam guarantee: if you fail one of these exams, retake the course free, on the conditions in the terms.',
  ]);
  expect(await guarantee('azure-security-engineer-az-500')).toEqual([
    expect.stringContaining('does not apply, because you can no longer sit'),
  ]);
  // The body takes only people trained by those it has accredited.
  expect(await guarantee('itil-create-deliver-support')).toEqual([
    'The exam guarantee does not apply: PeopleCert asks for training with an organisation that it has accredited, and we are not one. See the terms.',
  ]);
  expect(await guarantee('job-guarantee-soc-analyst')).toEqual([
    expect.stringContaining('does not apply here; the job guarantee does'),
  ]);
});

test('the certifications’ cards show the specification’s table', async () => {
  const table = [
    ['Security+', 'AU$2,299', '40 hours', '94%'],
    ['Network+', 'AU$2,199', '45 hours', '92%'],
    ['Certified in Cybersecurity', 'AU$1,899', '35 hours', '89%'],
    ['CEH', 'AU$3,499', '50 hours', '87%'],
    ['CISSP', 'AU$5,499', '80 hours', '83%'],
    ['CISM', 'AU$4,799', '60 hours', '78%'],
    ['AWS Security Specialty', 'AU$3,299', '55 hours', '79%'],
    ['AZ-500', 'AU$2,999', '40 hours', '81%'],
    ['CCSP', 'AU$4,299', '50 hours', '76%'],
    ['GCIH', 'AU$3,799', '45 hours', '82%'],
    ['OSCP', 'AU$4,999', '90 hours', '65%'],
    ['CISA', 'AU$4,499', '55 hours', '80%'],
  ];
  const cards = await cardsOf('/certifications');
  expect(cards.map((card) => [...textsOf(card, 'h3'), ...textsOf(card, 'dd')])).toEqual(table);
});

test('P13: with the clock at asOf the calendar counts 8 courses, 93 seats, 3 this month', async () => {
  const main = await mainOf('/training-calendar');
  const stats = elementsOf(main, 'section').find((section) => section.includes('>Quick Stats<')) ?? '';
  expect(textsOf(stats, 'dd')).toEqual(['8', '93', '3']);
  expect(elementsOf(main, 'article')).toHaveLength(8);
});

test('P2: each price on a course page has “incl. GST” beside it, also those of neighbouring courses', async () => {
  for (const slug of ['cissp', 'ai-management-systems-lead-auditor', 'soc-analyst-hands-on']) {
    const html = await (await academy.request(`/course/${slug}`)).text();
    const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
    const text = main
      .replace(/<s\b.*?<\/s>/g, ' ')
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ');
    const prices = text.match(/AU\$[\d,.]*\d(?: originally)?(?: incl\. GST)?/g) ?? [];
    expect(prices.length).toBeGreaterThan(4);
    expect(prices.filter((price) => !price.endsWith('incl. GST'))).toEqual([]);
  }
});
