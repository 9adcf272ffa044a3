import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicPages } from '#scripts/support/public-pages.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { tagged } from '#tests/support/torture.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());

test.each([
  ['/Terms', '/terms'],
  ['/privacy/', '/privacy'],
  ['/help//', '/help'],
  ['//help', '/help'],
  ['/course/CISSP?a=B&c=', '/course/cissp?a=B&c='],
  ['/%61bout', '/about'],
  ['/%C3%89/A', '/%C3%89/a'],
  ['/Sent/BB-7KQ2MX/', '/sent/BB-7KQ2MX'],
  ['/SERVICES.data', '/services.data'],
  ['/Services.DATA?_routes=services', '/services.data?_routes=services'],
  ['/help/_.data?_routes=help', '/help.data?_routes=help'],
  ['//?search=', '/?search='],
  ['//evil.example', '/evil.example'],
  ['/\\evil.example', '/evil.example'],
  ['///evil.example/%2e%2e//x/', '/x'],
  ['/%2F/evil.example/', '/%2F/evil.example'],
])('%s redirects to its canonical address %s', async (odd, address) => {
  for (const method of ['GET', 'HEAD', 'POST']) {
    const response = await academy.request(odd, { method, headers: { 'Sec-Fetch-Site': 'same-origin' } });
    expect([response.status, response.headers.get('Location')]).toEqual([308, address]);
  }
});

test.each(['/', '/_.data', '/terms', '/terms.data', '/course/cissp', '/sent/BB-7KQ2MX', '/robots.txt', '/%C3%89'])(
  '%s is already canonical',
  async (address) => {
    expect((await academy.request(address)).status).not.toBe(308);
  },
);

test.each(['constructor', '__proto__', 'toString', 'nonsense'])('the unknown topic "%s" is ignored', async (topic) => {
  expect((await academy.request(`/contact?topic=${topic}`)).status).toBe(200);
  const response = await academy.submit(`/contact?topic=${topic}`, { constructor: 'x', __proto__: 'y' });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('Send Message');
});

test.each(['constructor', '__proto__', 'valueof'])('a picture called "%s" is a 404', async (name) => {
  expect((await academy.request(`/art/${name}.svg`)).status).toBe(404);
});

const paths = [
  ...publicPages.filter((page) => !page.includes('?')),
  '/enrol',
  '/course/none',
  '/quest-lines/none',
  '/training-calendar/none',
  '/free-resources/none',
  '/sent/BB-7KQ2MX',
  '/api/courses',
  '/api/suggestions',
  '/art/bower.svg',
  '/art/none.svg',
  '/sitemap.xml',
  '/course/cissp/certificate-sample.pdf',
  '/course/cissp/brochure.pdf',
  '/training-calendar.ics',
  '/training-calendar/none/course_date.ics',
  '/robots.txt',
  '/nowhere',
  '/assets/none.js',
  '/healthz',
  '/readyz',
  '/__manifest',
];
const spellings: ((path: string) => string)[] = [
  (path) => path,
  (path) => path.toUpperCase(),
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => `/\\evil.example${path}`,
  (path) => `//evil.example/..${path}`,
  (path) => `${path}.data`,
  (path) => `${path}/_.data`,
  (path) => `${path}/constructor`,
  (path) => `${path}/%00`,
  (path) => `${path}/..%2f..%2fetc`,
  (path) => `${path}?search=&category=&page=999999&topic=__proto__&date=9999-12-31&show=0000-00&item=constructor`,
  (path) => `${path}?__proto__=a&constructor=b&search=%00&sort=toString&level=__proto__&mode=constructor`,
  (path) => `${path}?_routes=constructor&index`,
  (path) => `${path}.data?_routes=__proto__,constructor`,
];
const methods = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];

async function expectNoFault(method: string): Promise<void> {
  academy.logged.length = 0;
  for (const path of paths) {
    for (const spelling of spellings) {
      const odd = spelling(path);
      const response = await academy.request(odd, { method, headers: { 'Sec-Fetch-Site': 'same-origin' } });
      expect(response.status, `${method} ${odd}`).toBeLessThan(500);
      expect(response.headers.get('Location') ?? '/', `${method} ${odd}`).toMatch(/^\/(?![/\\])/);
      await response.body?.cancel();
    }
  }
  expect(academy.logged.filter((line) => line.includes('unhandled'))).toEqual([]);
}

test('GET: no spelling of any route gives a 5xx or redirects to another site', () => expectNoFault('GET'));

test.each(methods)('%s: no spelling of any route gives a 5xx or redirects to another site', tagged, expectNoFault);

test.each(['/waiting/KEY', '/booking/KEY', '/chat/KEY', '/accounts/KEY', '/unsubscribe/KEY'])(
  'P32: %s, the link of an old email, says what may have happened and whom to ask',
  async (address) => {
    const response = await academy.request(address.replace('KEY', 'a'.repeat(48)));
    const page = await response.text();
    const main = page.slice(page.indexOf('<main'), page.indexOf('</main>'));
    expect([response.status, main.includes('This link does not open anything')]).toEqual([404, true]);
    expect(main).toContain('href="/contact"');
  },
);
