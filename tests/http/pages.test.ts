import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAcademy } from '#tests/support/academy.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());

test.each([
  ['/courses?page=40', '/courses?page=7'],
  ['/?page=2', '/'],
  ['/courses?search=kubernetes&page=3', '/courses?search=kubernetes'],
  ['/courses?search=nothing-at-all&page=2', '/courses?search=nothing-at-all'],
])('P10: %s is beyond the last page and redirects to it', async (beyond, last) => {
  const response = await academy.request(beyond);
  expect([response.status, response.headers.get('Location')]).toEqual([302, last]);
  expect((await academy.request(last)).status).toBe(200);
});

test('P10: home shows six quests, and LOAD MORE QUESTS leads to the list with the same filters', async () => {
  const html = await (await academy.request('/?category=grc')).text();
  expect(html.match(/<article class="course-card"/g)).toHaveLength(6);
  expect(html).toMatch(/<a [^>]*href="\/courses\?category=grc"[^>]*>LOAD MORE QUESTS/);
});

test('P10: LOAD MORE sends only the cards that the page before does not show', async () => {
  const slugsOf = async (address: string) => {
    const { listing }: { listing: { cards: { slug: string }[]; nextPage: number | null } } = await (
      await academy.request(address)
    ).json();
    return { slugs: listing.cards.map(({ slug }) => slug), nextPage: listing.nextPage };
  };
  const html = await (await academy.request('/courses?page=3&sort=newest')).text();
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
  const whole = [...new Set([...main.matchAll(/href="\/course\/([^"]+)"/g)].map(([, slug]) => slug))];
  expect(whole).toHaveLength(72);
  const third = await slugsOf('/api/courses?page=3&sort=newest');
  expect(third).toEqual({ slugs: whole.slice(48), nextPage: 4 });
  expect((await slugsOf('/api/courses')).slugs).toHaveLength(24);
});

test.each(['1900-01', '2199-12', '0000-01', '9999-12', '2025-13'])(
  'the calendar answers for the month %s',
  async (month) => {
    const days = [`${month}-01`, `${month}-31`, 'none'];
    for (const query of [`show=${month}`, ...days.map((day) => `date=${day}&show=${month}`)]) {
      const response = await academy.request(`/training-calendar?${query}`);
      expect(response.status).toBe(200);
      expect(await response.text()).not.toMatch(/NaN|Invalid Date/);
    }
  },
);

test('the calendar’s arrows stop at the first and the last month it can show', async () => {
  const arrowsOf = async (month: string) => {
    const html = await (await academy.request(`/training-calendar?show=${month}`)).text();
    return [...html.matchAll(/aria-label="Show ([^"]+)"/g)].map(([, label]) => label);
  };
  expect(await arrowsOf('1900-01')).toEqual(['February 1900']);
  expect(await arrowsOf('2199-12')).toEqual(['November 2199']);
  expect(await arrowsOf('2025-09')).toEqual(['August 2025', 'October 2025']);
});

test.each(['2000-01-01', '2099-12-31'])('with the clock on %s every page is answered', async (day) => {
  academy.setNow(new Date(`${day}T09:00:00+10:00`));
  for (const address of ['/', '/courses', '/course/cissp', '/training-calendar', '/combos', '/contact', '/enrol']) {
    const response = await academy.request(address);
    expect(response.status, address).toBe(200);
    expect(await response.text()).not.toMatch(/NaN|Invalid Date/);
  }
  expect((await academy.request('/training-calendar.ics')).status).toBe(200);
});

test('a visitor’s bad request is logged by its status only, not as an error', async () => {
  academy.logged.length = 0;
  await academy.request('/courses', { method: 'POST', headers: { 'Sec-Fetch-Site': 'same-origin' } });
  await academy.request('/robots.txt', { method: 'POST', headers: { 'Sec-Fetch-Site': 'same-origin' } });
  // One body of a length known beforehand, which the router reads, and one without, which the limit reads.
  await leaveEarly({ 'Content-Length': '100' });
  await leaveEarly({ 'Transfer-Encoding': 'chunked' });
  expect(academy.logged.map((line) => JSON.parse(line)).map(({ msg, status }) => [msg, status])).toEqual([
    ['request', 405],
    ['request', 405],
    ['request', 400],
    ['request', 400],
  ]);
});

/** Sends a post whose sender is gone before the body is whole. */
async function leaveEarly(headers: Record<string, string>): Promise<void> {
  const left = new AbortController();
  const body = new ReadableStream({
    pull(controller) {
      left.abort();
      controller.error(new Error('aborted'));
    },
  });
  const form = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/x-www-form-urlencoded' };
  const init = { method: 'POST', headers: { ...form, ...headers }, signal: left.signal, body, duplex: 'half' };
  await academy.request('/contact', init).catch(() => undefined);
}

test('a quest line is an ordered list to its end, and says what can be left out', async () => {
  const html = await (await academy.request('/quest-lines/soc-analyst')).text();
  const trail = html.slice(html.indexOf('The way there'), html.indexOf('Exams on the way')).replaceAll('<!-- -->', '');
  const items = trail.split('<li').slice(1);
  expect(items).toHaveLength(6);
  expect(items[0]).toMatch(/Step 1: no later step needs it, so you can leave it out/);
  expect(items[1]).toMatch(/Step 2: needed for steps 3/);
  expect(items.at(-1)).toContain('SOC Analyst');
  expect(items.every((item) => item.includes('<svg'))).toBe(true);
});

test('a certification page draws its domains by weight, and marks its course on each quest line that leads to it', async () => {
  academy.setNow(new Date('2025-09-08T09:00:00+10:00'));
  const page = async (slug: string) => {
    const html = await (await academy.request(`/certifications/${slug}`)).text();
    return html.slice(html.indexOf('<main'), html.indexOf('</main>')).replaceAll('<!-- -->', '');
  };
  const html = await page('security-plus');
  const shares = [...html.matchAll(/<b[^>]*>(\d+) per cent<\/b>/g)].map(([, share]) => Number(share));
  expect(shares).toEqual([12, 22, 18, 28, 20]);
  const straws = [...html.matchAll(/viewBox="0 0 (\d+) 18"/g)].map(([, width]) => Number(width));
  expect(straws).toEqual(shares.map((share) => share * 9));
  const lines = html.slice(html.indexOf('Quest lines that lead here')).split('<ol').slice(1);
  expect(lines.map((line) => line.split('<li').findIndex((step) => step.includes('Prepares for this exam')))).toEqual([
    2, 1,
  ]);
  expect(html).toContain('/art/course/comptia-security-plus.svg');
  expect(html).toMatch(/\/training-calendar\/security-plus-online"[^>]*>15 to 19 September 2025<\/a>.*12 seats left/);
  // No quest line leads to it, and it has no date and no weights.
  const other = await page('az-500');
  expect(other).toContain('Before and after its course');
  expect(other).toMatch(/href="\/enrol\?course=azure-security-engineer-az-500"[^>]*>choose your Monday/);
  expect(other).not.toContain('Each line is 1%');
});

test('the course page shows its instructor’s drawn portrait beside the initials', async () => {
  const html = await (await academy.request('/course/certified-ethical-hacker')).text();
  expect(html).toMatch(/\/art\/instructor\/tomas-okafor\.svg.{0,300}>TO<\/span>/);
});

test.each([
  ['', ''],
  ['?date=2025-09-17', '?date=2025-09-17'],
  ['?date=none&show=2025-10&level=expert', '?date=none&show=2025-10'],
])('P15: the calendar’s filter form at %s keeps the chosen day without JavaScript', async (address, kept) => {
  academy.setNow(new Date('2025-09-08T09:00:00+10:00'));
  const html = await (await academy.request(`/training-calendar${address}`)).text();
  const form = /<form[^>]*action="\/training-calendar".*?<\/form>/.exec(html)?.[0] ?? '';
  const fields = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const sent = new URLSearchParams(fields.map(([, name = '', value = '']) => [name, value])).toString();
  expect(sent && `?${sent}`).toBe(kept);
  expect(form.match(/<select/g)).toHaveLength(4);
});

test('a course date page names every day with its hours, who teaches, what to bring and each seat left', async () => {
  academy.setNow(new Date('2025-09-08T09:00:00+10:00'));
  const html = (await (await academy.request('/training-calendar/ethical-hacker-sydney')).text()).replaceAll(
    '<!-- -->',
    '',
  );
  const days = [...html.matchAll(/<b>([^<]+)<\/b><span[^>]*>(8:30\u00a0AM to 6:00\u00a0PM AEDT)</g)].map(
    ([, day]) => day,
  );
  expect(days).toEqual(
    [13, 14, 15, 16, 17].map((day) => expect.stringMatching(new RegExp(`day,? ${day} October 2025`))),
  );
  expect(html).toContain('/art/instructor/tomas-okafor.svg');
  expect(html).toContain('We email the room and street before the first day');
  expect([...html.matchAll(/<span class="[^"]*rotate-45/g)]).toHaveLength(8);
  const online = await (await academy.request('/training-calendar/security-plus-online')).text();
  expect(online).toContain('We email the link to the live class');
  expect(online).not.toContain('>In the room<');
});

test('P16: closing the banner without JavaScript leads back to the page it stood on, without the banner', async () => {
  academy.setNow(new Date('2025-09-08T09:00:00+10:00'));
  const close = (to: string) =>
    academy.request('/promotion/close', {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ to }),
    });
  const closed = await close('/?category=soc');
  expect([closed.status, closed.headers.get('Location')]).toEqual([303, '/?category=soc']);
  expect(closed.headers.get('Set-Cookie')).toBe('promo-banner=left-out; Path=/; SameSite=Lax');
  expect((await close('//evil.example')).headers.get('Location')).toBe('/');
  const home = async (cookie: string) => (await academy.request('/', { headers: { Cookie: cookie } })).text();
  expect(await home('a=b; promo-banner=left-out')).not.toContain('aria-label="Promotion"');
  expect(await home('a=b')).toContain('aria-label="Promotion"');
  // Closed by a script, which hides it: the page is the same for everyone.
  expect(await home('promo-banner=closed')).toBe(await home(''));
});

test('P6: every figure of the register is on /claims with its source, date and our own records', async () => {
  const html = await (await academy.request('/claims')).text();
  const text = html
    .slice(html.indexOf('<main'), html.indexOf('</main>'))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
  const { claims } = await readAcademy();
  for (const { value, wording, source, asOf } of claims) {
    expect(text).toContain(`${value} ${wording} Source: ${source} . As of ${asOf} .`);
  }
  const { courses, instructors } = academy.services.snapshot.current();
  expect(text).toContain(`The catalogue holds ${courses.length} courses.`);
  expect(text).toContain(`The site names ${instructors.size} instructors.`);
  const original = courses.filter(({ card }) => card.originalPriceCents !== null).length;
  expect(text).toContain(`${original} of ${courses.length} courses show an original price`);
  expect(await (await academy.request('/sitemap.xml')).text()).toContain('/claims</loc>');
});

test.each([
  ['/', 8],
  ['/about', 4],
  ['/certifications', 4],
])('P6: the figures on %s carry source and date and lead to the register', async (address, figures) => {
  const html = await (await academy.request(address)).text();
  expect(html.match(/>Source: academy brief, 2025\. As of 2025\.</g)).toHaveLength(figures);
  expect(html.slice(html.indexOf('<main'), html.indexOf('</main>'))).toContain('href="/claims"');
});

test.each(['iso27001', 'sc900', 'az500', 'cyber security', 'security plus', 'pen test', 'ciss', 'k8s'])(
  'a search for %s finds courses and is suggested',
  async (typed) => {
    const query = new URLSearchParams({ search: typed });
    const found = await (await academy.request(`/api/courses?${query}`)).json();
    expect(found).toMatchObject({ listing: { cards: expect.arrayContaining([expect.anything()]) } });
    const suggested = await (await academy.request(`/api/suggestions?${query}`)).json();
    expect(suggested).toMatchObject({ suggestions: expect.arrayContaining([expect.anything()]) });
  },
);
