import { afterAll, beforeAll, expect, test } from 'vitest';
import { listEnquiries } from '#app/features/inbox/enquiries/queries.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { visitor } from '#tests/support/enrolling.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());

/** The text of a page's main part as a person reads it, scripts and tags left out. */
async function textOf(response: Response): Promise<string> {
  const html = await response.text();
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
  const plain = main.replaceAll(/<(script|select)\b.*?<\/\1>/gs, ' ').replaceAll(/<!--.*?-->|<[^>]+>/gs, '');
  return plain.replaceAll('&#x27;', "'").replaceAll('&amp;', '&').replaceAll(/\s+/g, ' ');
}
const read = async (address: string) => textOf(await academy.request(address));
const linksOf = async (address: string) => {
  const html = await (await academy.request(address)).text();
  return [...html.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'));
};
const person = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };

test('P18: a course with dates lists them with place, times, seats and price, and leads to enrolling for each', async () => {
  const text = await read('/course/cissp');
  expect(text).toContain('27 to 31 October 2025');
  expect(text).toContain('In-Person Melbourne');
  expect(text).toContain('9:00 AM to 5:30 PM AEDT');
  expect(text).toMatch(/\d+ seats left/);
  expect(text).toContain('AU$5,499 incl. GST');
  expect(await linksOf('/course/cissp')).toContain('/enrol?courseDate=cissp-melbourne');
  expect(text).not.toContain('No date is set');
});

test('P18: a course without dates says so, and what one can do', async () => {
  const text = await read('/course/ccsp');
  expect(text).toContain('No date is set for this course at the moment');
  // Nobody set a live hour for it, so none is promised (P60).
  expect(text).not.toMatch(/live hour/i);
  expect(text).not.toContain('Enrol for this date');
  expect(await linksOf('/course/ccsp')).toContain('/enrol?course=ccsp');
});

test('P38: course pages and cards say in which ways a course can be taken', async () => {
  const cards = await read('/courses?search=lead+auditor');
  expect(cards).toMatch(/How to take it: Next \d+ \w+ · [\w/]+(?!, or)/);
  expect(await read('/courses?search=cissp')).toMatch(/How to take it: Next \d+ \w+ · [\w/]+, or guided/);
  expect(await read('/courses?search=ccsp')).toContain('How to take it: Guided');
  expect(await read('/courses?search=threat+hunting')).toContain('How to take it: No date yet');
  expect(await read('/courses?category=job-guarantee')).not.toContain('No date yet');

  const [listed, agreed] = [await read('/course/threat-hunting'), await read('/course/job-guarantee-soc-analyst')];
  expect(listed).toContain('keep each offer for 72 hours');
  expect(listed).not.toContain('Choose your Monday');
  expect(agreed).toContain('Request the agreement');
});

test('a course date says how to join and what to bring, wherever one can take part in it', async () => {
  const both = await read('/training-calendar/ai-red-teaming-brisbane');
  expect(both).toContain('We email the link to the live class');
  expect(both).toContain('We email the room and street before the first day');
  const online = await read('/training-calendar/security-plus-online');
  expect(online).not.toContain('the room and street');
  expect(online).not.toContain('Travel and a place to stay');
});

test('a date that has begun is no longer offered', async () => {
  academy.setNow(new Date('2025-10-28T09:00:00+11:00'));
  const text = await read('/course/cissp');
  academy.setNow(new Date('2025-09-08T09:00:00+10:00'));
  expect(text).toContain('No date is set for this course at the moment');
});

test.each([
  [
    'courseDate=cissp-melbourne',
    ['Certified Information Systems', '27 to 31 October 2025', 'In-Person Melbourne', '9:00 AM to 5:30 PM AEDT'],
  ],
  ['courseDate=cissp-melbourne', ['6 seats left', 'AU$5,499', 'GST included', 'AU$499.91']],
  ['course=ccsp', ['Certified Cloud Security Professional', 'Tell me about dates', 'AU$4,299']],
  ['combo=cloud-defender', ['Cloud Defender Combo', 'AWS Certified Cloud Practitioner', 'Combo −30%', 'AU$6,367']],
])('/enrol?%s says what is being bought and what it costs before it asks who one is', async (query, facts) => {
  const text = await read(`/enrol?${query}`);
  expect(text).not.toContain('Email');
  for (const fact of facts) expect(text).toContain(fact);
});

test('the page after a request repeats it to its sender, and not to a person who guessed the reference', async () => {
  const { choose, filled, post } = visitor(academy, '192.0.2.7');
  const draft = await choose('courseDate=cissp-melbourne', {
    attendees: '7',
    'way-cissp': 'course-date:cissp-melbourne',
  });
  const words = { payer: 'employer', company: 'Example Pty Ltd', message: 'PO 4711' };
  const fields = await filled(`${draft}/request`, { ...person, ...words });
  academy.setNow(new Date('2025-09-08T09:01:00+10:00'));
  const response = await post(`${draft}/request`, fields);
  expect(response.status).toBe(303);
  const address = response.headers.get('Location') ?? '';
  const own = await academy.request(address);
  expect(own.headers.get('Cache-Control')).toBe('no-store');
  const text = await textOf(own);
  const sent = [
    'Certified Information Systems Security Professional',
    'AU$5,499 incl. GST each',
    'AU$38,493 incl. GST',
    'Example Pty Ltd',
    'PO 4711',
    'We’ll send our answer to ada@example.com',
  ];
  for (const part of sent) expect(text).toContain(part);
  // Seats left are a fact of the moment, no part of what was asked for.
  expect(text).not.toMatch(/\d+ seats/);

  const [path = ''] = address.split('?');
  const guessed = [path, `${path}?proof=`, `${path}?proof=${Date.now() + 60_000}.abc`];
  for (const other of guessed) {
    const page = await (await academy.request(other)).text();
    expect(page).toContain('Your enrolment request has arrived');
    for (const secret of ['ada@example.com', 'PO 4711', 'Certified Information', 'Example Pty Ltd', '5,499'])
      expect(page).not.toContain(secret);
  }
  academy.setNow(new Date('2025-09-08T09:40:00+10:00'));
  expect(await textOf(await academy.request(address))).not.toContain('ada@example.com');
  academy.setNow(new Date('2025-09-08T09:00:00+10:00'));
});

test.each([
  ['/course/cissp', '/contact?about=course:cissp'],
  ['/course/cissp', '/contact?interest=corporate-training&about=course:cissp'],
  ['/certifications/cissp', '/contact?about=certification:cissp'],
  ['/quest-lines/soc-analyst', '/contact?about=quest-line:soc-analyst'],
])('P18: %s leads to the contact form with its subject', async (page, link) => {
  expect(await linksOf(page)).toContain(link);
  expect(await read(link)).toMatch(/About: [A-Z]/);
});

test('the subject of a message is shown, kept through a refusal, stored, and repeated after sending', async () => {
  const about = '/contact?about=course:ccsp';
  const page = await (await academy.request(about)).text();
  expect(page).toMatch(/<option value="cloud-security" selected="">/);
  expect(await textOf(await academy.submit(about, person))).toContain('About: Certified Cloud Security Professional');

  const response = await academy.submit(about, { ...person, message: 'How long does it take?' });
  const text = await textOf(await academy.request(response.headers.get('Location') ?? ''));
  expect(text).toContain('Certified Cloud Security Professional');
  const stored = (await listEnquiries(academy.database.db)).at(-1);
  expect(stored?.details).toMatchObject({
    about: 'course:ccsp',
    aboutLabel: expect.stringContaining('Certified Cloud Security Professional'),
  });
});

test('the same words about another course are another enquiry', async () => {
  const references = new Set<string>();
  for (const course of ['ccsp', 'cissp']) {
    const response = await academy.submit(`/contact?about=course:${course}`, { ...person, message: 'When?' });
    references.add((response.headers.get('Location') ?? '').slice(0, 15));
  }
  expect(references.size).toBe(2);
});

test.each(['course:none', 'none', '<b>x</b>', 'course-date:cissp-melbourne:x', '__proto__:x'])(
  'about=%s is ignored',
  async (about) => {
    const response = await academy.request(`/contact?about=${encodeURIComponent(about)}`);
    expect(response.status).toBe(200);
    expect(await textOf(response)).not.toMatch(/About: /);
  },
);
