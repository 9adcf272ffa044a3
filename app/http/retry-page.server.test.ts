import { expect, test } from 'vitest';
import { createBackOff, retryPage } from './retry-page.server.ts';

const busy = { status: 503 as const, title: 'Very busy', text: 'More people are here than we can serve.', seconds: 10 };
const site = 'http://academy.example';
const post = (body: string, headers: Record<string, string> = {}) =>
  new Request(`${site}/enrol?item=course:cissp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': String(body.length),
      'Sec-Fetch-Site': 'same-origin',
      'Sec-Fetch-Dest': 'document',
      ...headers,
    },
    body,
  });

test('a page asks for itself again, at another time for each visitor, and has a link to itself', async () => {
  const answers = await Promise.all(
    [0, 0.999].map((chance) => retryPage(new Request(`${site}/courses?search=a%22b`), busy, () => chance)),
  );
  expect(answers.map(({ headers }) => headers.get('Refresh'))).toEqual(['10', '15']);
  expect(answers.map(({ headers }) => headers.get('Retry-After'))).toEqual(['10', '10']);
  const html = (await answers[0]?.text()) ?? '';
  expect(html).toContain('<a class="main" href="/courses?search=a%22b">Try again</a>');
  expect(html).toContain('tries again automatically in about 10 seconds');
});

test('an address that begins with two slashes leads to no other site', async () => {
  const answer = await retryPage(new Request(`${site}//evil.example/x`), busy);
  expect(await answer.text()).toContain('<a class="main" href="/">Try again</a>');
});

test('a form comes back whole with a button, and is never sent by itself', async () => {
  const typed = 'Tom & "Jerry"\r\n<script>';
  const answer = await retryPage(post(new URLSearchParams({ form: 'token', message: typed }).toString()), busy);
  expect(answer.headers.get('Refresh')).toBeNull();
  expect(answer.headers.get('Retry-After')).toBe('10');
  const html = await answer.text();
  expect(html).toContain('<form method="post" action="/enrol?item=course:cissp">');
  expect(html).toContain('<input type="hidden" name="form" value="token">');
  expect(html).toContain('name="message" value="Tom &amp; &quot;Jerry&quot;&#13;&#10;&lt;script&gt;"');
  expect(html).toContain('everything you typed is kept in this page');
});

test.each([
  ['of another site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['that is long', { 'Content-Length': '20000' }],
  ['with a file', { 'Content-Type': 'multipart/form-data; boundary=x' }],
  ['of a script, which keeps it', { 'Sec-Fetch-Dest': 'empty' }],
])('a form %s does not come back: the page says where it still is', async (_which, headers) => {
  const answer = await retryPage(post('message=Hello', headers), busy);
  const html = await answer.text();
  expect(html).not.toContain('<form');
  expect(html).not.toContain('Hello');
  expect(html).toContain('what you typed is still in the form');
});

test('the page is small and fetches nothing: its styles are named by their hash', async () => {
  const answer = await retryPage(new Request(`${site}/courses`), busy);
  expect(answer.headers.get('Content-Security-Policy')).toMatch(/style-src 'self' 'sha256-[\w+/]+=*'/);
  const html = await answer.text();
  expect(html.length).toBeLessThan(6 * 1024);
  expect(html).not.toContain('nonce');
  expect(html.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|url\(|<script|src=/);
});

test('a visitor who comes again as told waits twice as long each time, up to a minute; later trouble begins anew', () => {
  let now = 0;
  const backOff = createBackOff(5, () => now * 1000);
  const waits: number[] = [];
  let due = 0;
  // Somebody comes each second, so the trouble is known to go on; one of them comes when told.
  for (now = 0; waits.length < 8; now += 1) {
    const seconds = backOff.seconds();
    if (now < due) continue;
    waits.push(seconds);
    due = now + seconds;
  }
  expect(waits).toEqual([5, 5, 10, 20, 40, 60, 60, 60]);
  now += 31;
  expect(backOff.seconds()).toBe(5);
});
