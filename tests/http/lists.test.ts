import { afterAll, beforeAll, expect, test } from 'vitest';
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

test('the interests are the specification’s, in its order', async () => {
  const select = /<select[^>]* name="interest".*?<\/select>/s.exec(await mainOf('/contact'))?.[0] ?? '';
  expect([...select.matchAll(/<option[^>]*>([^<]*)</g)].map(([, text = '']) => text.replaceAll('&amp;', '&'))).toEqual([
    'Select a course category',
    'Cybersecurity Fundamentals',
    'Ethical Hacking & Penetration Testing',
    'Cloud Security',
    'Digital Forensics',
    'Compliance & Risk Management',
    'Corporate Training',
    'Other',
  ]);
});

test('the twelve tracks lead to their lists', async () => {
  const region = /Explore Courses by Category.*?<\/section>/s.exec(await mainOf('/'))?.[0] ?? '';
  expect([...region.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, address]) => address)).toEqual(
    ['cybersecurity', 'cloudsecurity', 'grc', 'testing', 'privacy', 'auditing', 'leadership', 'soc', 'ai', 'offensive']
      .concat(['defensive', 'iam'])
      .map((slug) => `/courses?category=${slug}`),
  );
});

test.each(['category=unknown', 'level=grandmaster'])('%s is the state without results', async (query) => {
  expect(await mainOf(`/courses?${query}`)).toContain('No courses found matching your criteria.');
});
