import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { changeAttendee } from '#app/features/enrolments/attendees.server.ts';
import { endChoices } from '#app/features/enrolments/course-date-changes.server.ts';
import { makeEnrolmentLink } from '#app/features/enrolments/links.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { attends, issued } from '#tests/support/certificates.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { attendee, momentAt } from '#tests/support/enrolments.ts';
import { inNovember, makePast, type Past, personOf, signInPlayer } from '#tests/support/players.ts';
import { type Browser, locationOf, openBrowser } from '#tests/support/sign-in.ts';

let academy: AcademyApp;
let past: Past;
let grace: Browser;
beforeAll(async () => {
  academy = await openAcademyApp();
  academy.setNow(inNovember.now);
  past = await makePast(academy.database.db, 'grace@players.example');
});
beforeEach(async () => {
  academy.setNow(inNovember.now);
  grace = await signInPlayer(academy, past.personId);
});
afterAll(() => academy.close());

const read = async (browser: Browser, path: string) => (await mainText(await browser.get(path))).replaceAll(' .', '.');
const someone = async () =>
  signInPlayer(academy, await personOf(academy.database.db, `${crypto.randomUUID()}@example.com`));
const inTrx = <T>(work: (trx: Trx) => Promise<T>) => academy.database.db.transaction().execute(work);
/** The private pages that an account leads to, by their kind. */
async function pagesOf(browser: Browser, kind: 'place' | 'enrolment' | 'waiting'): Promise<string[]> {
  const html = await (await browser.get('/account')).text();
  return [...new Set([...html.matchAll(new RegExp(`href="(/${kind}/[0-9a-f]{48})"`, 'g'))].map(([, to = '']) => to))];
}

test('P56: the account has what comes next, what waits, courses, certificates, invoices and enrolments, in this order', async () => {
  const text = await read(grace, '/account');
  const parts = [
    'Next, in 3 days Mon 24 Nov, 9:00 AM AEST CompTIA Security+ (SY0-701), day 1 of 5 Where Online Until 5:00 PM AEST Your place Add to calendar',
    // AU$2,299 for each of two; both invoices were due 14 days after 8 September.
    'Needs you Due Mon 22 Sept, overdue AU$4,598 for CompTIA Security+ (SY0-701)',
    'Due Mon 22 Sept, overdue AU$1,799 for Security Operations Fundamentals',
    'A seat is free: Threat Hunting in Enterprise Networks',
    'By Mon 24 Nov Name an attendee CompTIA Security+ (SY0-701), 24 to 28 November 2025',
    'By Sun 30 Nov Choose what to do about CompTIA Network+ (N10-009)',
    // One of seven exercises; 1,200 / 7 = 171.4.
    'Courses CompTIA Security+ (SY0-701)',
    // 80% of five days from 9 to 5 without a break (P61).
    'For the certificate: 0 h of 40 h so far. You need 32 h. The work of the course has to be accepted too.',
    'CompTIA Network+ (N10-009) We had to cancel the date.',
    'Security Operations Fundamentals Guided study until Monday 12 October 2026. For the certificate: 1 of 7 exercises accepted so far. The work of the course has to be accepted too. 14 % done 171 of 1,200 XP',
    'Certificates Certified Information Systems Security Professional (CISSP) November 2025',
    'Invoices and notes',
    'AU$10,998 Paid',
    'Enrolments',
  ];
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    expect(at, `${part} in ${text.slice(from)}`).toBeGreaterThanOrEqual(0);
    from = at;
  }
  expect(text).toContain('All 6');
  expect(text).toContain('Not yet accepted: Security Operations Fundamentals, module 2');
});

test('P56: on the days of the class one joins it, and after it the guided study is next', async () => {
  const link = 'https://class.example/of-this-course-date';
  const at = async (when: string) => {
    academy.setNow(momentAt(when).now);
    const html = await (await grace.get('/account')).text();
    return [html.includes(link), /Next, (\w+)/.exec(html.replaceAll('<!-- -->', ''))?.[1]];
  };
  expect(await at('2025-11-24T08:44')).toEqual([false, 'today']);
  expect(await at('2025-11-24T08:45')).toEqual([true, 'today']);
  expect(await at('2025-11-24T17:00')).toEqual([false, 'tomorrow']);
  expect(await at('2025-11-28T16:59')).toEqual([true, 'today']);
  expect(await at('2025-11-28T17:00')).toEqual([false, 'whenever']);
  // Access to guided study since 13 October 2025 lasts twelve months.
  academy.setNow(momentAt('2026-10-14T12:00').now);
  grace = await signInPlayer(academy, past.personId);
  expect(await at('2026-10-14T12:00')).toEqual([false, undefined]);
});

test('P56: a player who has finished everything reads the next step of the quest line, and has the certificate at hand', async () => {
  const { db } = academy.database;
  const { placeId } = await attends(db, past.finished.class, { name: 'Ida Rhodes', email: 'ida@players.example' });
  await issued(db, placeId);
  const ida = await signInPlayer(academy, await personOf(db, 'ida@players.example'));
  const text = await read(ida, '/account');
  expect(text).toContain('You have finished Certified Information Systems Security Professional (CISSP).');
  // As content/quest-lines.yaml has the line of CISSP.
  expect(text).toContain(
    "Next in the quest line Security Leader, step 3 of 5 Certified Information Security Manager (CISM) Rehearses a manager's decisions on strategy, budget, risk and incidents. See this quest Show your certificate",
  );
  expect(text).not.toContain('You have no classes coming up');
  // Who speaks to the page says the word that is there to read (WCAG 2.5.3).
  expect(await (await ida.get('/account')).text()).toMatch(
    /<a[^>]* aria-label="Show the certificate of Certified Information[^"]*"[^>]*>Show</,
  );
});

test('P56: a new player reads one sentence and finds the courses; a stranger sees nothing of others', async () => {
  const text = await read(await someone(), '/account');
  expect(text).toContain('Your first course starts your bower');
  expect(text).toContain('See all courses');
  for (const word of ['Needs you', 'Certificates', 'Invoices', 'Enrolments', 'CISSP', 'BB-']) {
    expect([word, text.includes(word)]).toEqual([word, false]);
  }
});

test('P55: a visitor who is not signed in is led to log in and back, and no cache keeps a page', async () => {
  for (const path of ['/account', '/account/bower', '/account/bower/wide.svg', '/account/certificates/2222']) {
    const answer = await openBrowser(academy).get(path);
    expect([answer.status, locationOf(answer)]).toEqual([302, `/login?to=${encodeURIComponent(path)}`]);
  }
  for (const path of ['/account', '/account/bower', '/account/bower/wide.svg']) {
    expect([path, (await grace.get(path)).headers.get('Cache-Control')]).toEqual([
      path,
      expect.stringMatching(/no-store|private/),
    ]);
  }
});

test('P56: the pages that the account leads to end with the sign-in, and with no other', async () => {
  const phone = await signInPlayer(academy, past.personId);
  const [places, enrolments, others] = [
    await pagesOf(grace, 'place'),
    await pagesOf(grace, 'enrolment'),
    await pagesOf(phone, 'enrolment'),
  ];
  // Three courses under way; the finished one is among the certificates.
  expect([places.length, enrolments.length]).toEqual([3, 4]);
  expect(enrolments.filter((page) => others.includes(page))).toEqual([]);
  // Asked again, they are the same: nothing grows.
  expect(await pagesOf(grace, 'enrolment')).toEqual(enrolments);
  for (const page of [...places, ...enrolments, ...others]) expect((await academy.request(page)).status).toBe(200);
  await grace.post('/logout');
  for (const page of [...places, ...enrolments]) expect((await academy.request(page)).status).toBe(404);
  for (const page of others) expect((await academy.request(page)).status).toBe(200);
});

test('P67: a place given to somebody else leaves the account of the former attendee', async () => {
  const { db } = academy.database;
  const eve = await signInPlayer(academy, await personOf(db, 'eve@players.example'));
  const place = await db
    .selectFrom('places')
    .select(['enrolment_id', 'attendee_id'])
    .where('id', '=', past.cancelled.placeId)
    .executeTakeFirstOrThrow();
  const before = await pagesOf(grace, 'place');
  const give = (name: string, email: string) =>
    inTrx((trx) =>
      changeAttendee(
        trx,
        {
          enrolmentId: place.enrolment_id,
          attendeeId: place.attendee_id,
          attendee: attendee({ name, email }),
          actor: theProgram,
        },
        inNovember,
      ),
    );
  await give('Eve', 'eve@players.example');
  const after = await pagesOf(grace, 'place');
  const [lost = ''] = before.filter((page) => !after.includes(page));
  expect([before.length, after.length]).toEqual([3, 2]);
  expect((await academy.request(lost)).status).toBe(404);
  const theirs = await pagesOf(eve, 'place');
  expect(theirs).toHaveLength(1);
  expect(await read(eve, theirs[0] ?? '')).toContain('CompTIA Network+');
  await give('Grace Hopper', past.email);
  expect((await academy.request(theirs[0] ?? '')).status).toBe(404);
});

test('P67: the account of a former buyer leads to the enrolment no more', async () => {
  const { db } = academy.database;
  const before = await pagesOf(grace, 'enrolment');
  const to = await personOf(db, 'new-buyer@players.example');
  const change = (person_id: number, email: string) =>
    db.updateTable('enrolments').set({ person_id, email }).where('reference', '=', past.guided.reference).execute();
  await change(to, 'new-buyer@players.example');
  const after = await pagesOf(grace, 'enrolment');
  const [lost = ''] = before.filter((page) => !after.includes(page));
  expect([before.length, after.length, (await academy.request(lost)).status]).toEqual([4, 3, 404]);
  await change(past.personId, past.email);
  expect((await academy.request(lost)).status).toBe(200);
});

test('P65: a certificate’s number in the account leads its holder to their page, and nobody else', async () => {
  const to = locationOf(await grace.get(`/account/certificates/${past.finished.number}`)) ?? '';
  expect(to).toMatch(new RegExp(`^/place/[0-9a-f]{48}/${past.finished.placeId}/certificate$`));
  expect((await academy.request(to)).status).toBe(200);
  expect((await (await someone()).get(`/account/certificates/${past.finished.number}`)).status).toBe(404);
  expect((await grace.get('/account/certificates/2222222222222')).status).toBe(404);
});

test('P100: the page of who attends says that a course that has begun stays with who took it, and takes nobody else', async () => {
  const { db } = academy.database;
  const place = await db
    .selectFrom('places')
    .select(['enrolment_id', 'attendee_id'])
    .where('id', '=', past.finished.placeId)
    .executeTakeFirstOrThrow();
  const page = `/enrolment/${await makeEnrolmentLink(db, place.enrolment_id)}/attendee/${place.attendee_id}`;
  const one = openBrowser(academy);
  expect(await read(one, page)).toContain('has begun and stays with Grace Hopper.');
  const fields = { attendee: String(place.attendee_id), 'name-1': 'Eve Else', 'email-1': 'else@players.example' };
  const answer = await one.post(page, fields);
  expect(answer.status).toBe(409);
  expect(await mainText(answer)).toContain('so it stays theirs and nothing was changed');
  expect((await grace.get(`/account/certificates/${past.finished.number}`)).status).toBe(302);
});

test('P56: another process shows the same account to the same sign-in', async () => {
  const beside = await openAcademyApp({ beside: academy, now: inNovember.now });
  const cookie = `player=${grace.cookies.get('player')}`;
  const [here, there] = await Promise.all(
    [academy, beside].map(async (one) => mainText(await one.request('/account', { headers: { Cookie: cookie } }))),
  );
  const [page = ''] = await pagesOf(grace, 'enrolment');
  expect(there).toBe(here);
  expect((await beside.request(page)).status).toBe(200);
  await beside.close();
});

test('P62: each entry of the XP names its record; the sum is what the records earned', async () => {
  const text = await read(grace, '/account/bower');
  // CISSP has 80 hours at 70 points: 5,600. A third, two thirds and, before the certificate, 99 per cent of it.
  for (const part of [
    '5,771 XP',
    'Security Operations Fundamentals, module 1 Exercise accepted by Olive +171',
    'certificate The rest, with the certificate +56',
    'day 3 Present, marked by Mara +1,811',
    'day 2 Present, marked by Mara +1,866',
    'day 1 Present, marked by Mara +1,867',
    // 21 hours of class and a seventh of 30 hours.
    '25 straws 1 treasure',
    'Security Operations Fundamentals 14%, in the bird’s beak',
  ]) {
    expect(text).toContain(part);
  }
});

test('P55: the private answer has a player’s name and progress by course', async () => {
  const answer = await grace.get('/api/player');
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(await answer.json()).toEqual({
    name: 'Grace',
    progress: {
      // 80 hours at 70 points an hour.
      cissp: { percent: 100, xp: 5600, courseXp: 5600, finished: true },
      // One of seven exercises: 1,200 / 7 = 171.4.
      'soc-fundamentals': { percent: 14, xp: 171, courseXp: 1200, finished: false },
    },
  });
});

test('P56: an invoice that was credited in full because the academy cancelled is not called paid', async () => {
  const { db } = academy.database;
  // She did not choose another date in time.
  await endChoices(db, momentAt('2025-12-05T10:00'));
  const text = await read(grace, '/account');
  expect(text).toMatch(/(INV-\d+) CompTIA Network\+ \(N10-009\) AU\$[\d,]+ Cancelled by ADJ-\d+/);
});
