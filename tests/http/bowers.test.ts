import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { bowerOfHolder } from '#app/features/bower/of-certificate.server.ts';
import { revokeCertificate } from '#app/features/certificates/end-certificate.server.ts';
import { momentOf } from '#app/http/academy.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { pageOf } from '#tests/support/certificates.ts';
import { mainText, visitor } from '#tests/support/enrolling.ts';
import { inNovember, makePast, type Past, personOf, signInPlayer } from '#tests/support/players.ts';
import { type Browser, locationOf } from '#tests/support/sign-in.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
let past: Past;
let grace: Browser;
let admissions: SignedIn;
let networks = 0;
beforeAll(async () => {
  academy = await openAcademyApp();
  academy.setNow(inNovember.now);
  past = await makePast(academy.database.db, 'grace@players.example');
  admissions = await signInStaff(academy, 'adele@staff.example', 'Adele', { role: 'admissions' });
});
beforeEach(async () => {
  academy.setNow(inNovember.now);
  grace = await signInPlayer(academy, past.personId);
});
afterAll(() => academy.close());

const inTrx = <T>(work: (trx: Trx) => Promise<T>) => academy.database.db.transaction().execute(work);
const read = async (path: string) => mainText(await academy.request(path));
const show = async (name: string, browser = grace) => browser.post('/account/bower', { act: 'show', name });
const someone = async () =>
  signInPlayer(academy, await personOf(academy.database.db, `${crypto.randomUUID()}@example.com`));
/** Reports a bower without JavaScript, some seconds after its page was opened. */
async function report(slug: string, reason: string, from = `198.51.100.${++networks}`): Promise<Response> {
  const one = visitor(academy, from);
  const fields = await one.filled(`/bowers/${slug}`, { reason });
  academy.setNow(new Date(academy.now().getTime() + 6000));
  return one.post(`/bowers/${slug}`, fields);
}
const reports = async () =>
  (await academy.database.db.selectFrom('bower_reports').select('reason').orderBy('id').execute()).map(
    ({ reason }) => reason,
  );

test('P63: a bower is private until its owner shows it, and gone when they take it back', async () => {
  const paths = ['/bowers/grace', '/bowers/grace/wide.svg', '/bowers/grace/tall.svg', '/bowers/grace/share.png'];
  const statuses = () => Promise.all(paths.map(async (path) => (await academy.request(path)).status));
  expect(await statuses()).toEqual([404, 404, 404, 404]);
  const shown = await show('Grace');
  expect([shown.status, locationOf(shown)]).toEqual([303, '/account/bower?done=shown']);
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  expect((await academy.request('/bowers/grace/other.svg')).status).toBe(404);
  expect((await grace.post('/account/bower', { act: 'withdraw' })).status).toBe(303);
  expect(await statuses()).toEqual([404, 404, 404, 404]);
});

test('P63: others see what is finished and never what is under way; search engines stay out', async () => {
  await show('Grace');
  const page = await academy.request('/bowers/grace');
  expect(page.headers.get('X-Robots-Tag')).toBe('noindex');
  const html = await page.text();
  expect(html).toContain('/bowers/grace/share.png');
  const text = await read('/bowers/grace');
  expect(text).toContain('1 course finished at Bowerbird Academy since November 2025.');
  expect(text).toContain('25 straws 1 treasure');
  const drawings = await Promise.all(
    ['wide', 'tall'].map(async (file) => (await academy.request(`/bowers/grace/${file}.svg`)).text()),
  );
  for (const word of ['Security+', 'Network+', 'Security Operations', 'Threat', 'XP', 'Hopper', past.email, 'BB-']) {
    expect([word, html.includes(`>${word}`) || text.includes(word) || drawings.join().includes(word)]).toEqual([
      word,
      false,
    ]);
  }
  // The bird's own drawing has the course under way in its beak; the public one has a straw.
  expect(await (await grace.get('/account/bower/wide.svg')).text()).not.toBe(drawings[0]);
});

test('P63: a name that is rude, taken or ours is refused beside the field, and what was typed stays', async () => {
  await show('Grace');
  const other = await someone();
  for (const [name, fault] of [
    ['GRACE', 'Somebody else shows a bower at this name. Choose another one.'],
    ['f-u-c-k', ''],
    ['Bowerbird Academy', ''],
    ['', 'Type a name of at least 2 letters.'],
  ] as const) {
    const answer = await show(name, other);
    const html = await answer.text();
    expect([answer.status, html.includes('id="name-error"'), html.includes(fault)]).toEqual([409, true, true]);
    expect(html).toContain(`value="${name}"`);
  }
});

test('P63: a visitor reports a bower without JavaScript; an empty or hasty report is asked for again; a network has a limit', async () => {
  await show('Grace');
  const sent = await report('grace', 'This is another person’s name.');
  expect([sent.status, locationOf(sent)]).toEqual([303, '/bowers/grace?reported']);
  expect(await read('/bowers/grace?reported')).toContain('Our staff look at every report');
  expect((await report('grace', ' ')).status).toBe(400);
  expect(await reports()).toEqual(['This is another person’s name.']);
  const answers: number[] = [];
  for (let time = 0; time < 12; time++) answers.push((await report('grace', `Report ${time}`, '203.0.113.9')).status);
  expect(answers.at(0)).toBe(303);
  expect(answers.at(-1)).toBe(429);
});

test('P63: staff find the report among what waits, hide the bower with a reason that its owner reads, and allow it again', async () => {
  await show('Grace');
  await report('grace', 'Please look at this one.');
  expect(await (await admissions.get('/staff')).text()).toContain('Bowers reported');
  const list = await (await admissions.get('/staff/bowers?state=reported')).text();
  const path = `/staff/bowers/${past.personId}`;
  expect(list).toContain(path);
  const page = await (await admissions.get(path)).text();
  expect(page).toContain('Please look at this one.');
  const hidden = await admissions.post(path, { ...carriedBy(page, 'hide'), why: 'The name is another person’s.' });
  expect(hidden.status).toBe(303);
  expect((await academy.request('/bowers/grace')).status).toBe(404);
  expect((await academy.request('/bowers/grace/share.png')).status).toBe(404);
  expect(await mainText(await grace.get('/account/bower'))).toContain(
    'Our staff have hidden your public bower: The name is another person’s.',
  );
  await show('Grace Again');
  expect((await academy.request('/bowers/grace-again')).status).toBe(404);
  expect(await (await admissions.get('/staff')).text()).not.toContain('Bowers reported');
  const again = await (await admissions.get(path)).text();
  expect((await admissions.post(path, carriedBy(again, 'allow'))).status).toBe(303);
  expect((await academy.request('/bowers/grace-again')).status).toBe(200);
});

test('P65: a certificate’s page leads to its holder’s bower when they chose so and show one', async () => {
  const { db } = academy.database;
  await grace.post('/account/bower', { act: 'withdraw' });
  const { attendee_id, enrolment_id } = await db
    .selectFrom('places')
    .select(['attendee_id', 'enrolment_id'])
    .where('id', '=', past.finished.placeId)
    .executeTakeFirstOrThrow();
  const its = { placeId: past.finished.placeId, enrolmentId: enrolment_id, attendeeId: attendee_id };
  const own = `${await pageOf(db, its)}/${past.finished.placeId}/certificate`;
  const choose = (shows: string) =>
    academy.request(own, {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ act: 'show', shows }),
    });
  const publicPage = `/certificates/${past.finished.number}`;
  const refused = await choose('bower');
  expect([refused.status, (await refused.text()).includes('Your bower is private.')]).toEqual([409, true]);
  expect(await read(own)).not.toContain('with my name and my bower');
  await show('Grace');
  expect(await read(own)).toContain('Valid, with my name and my bower');
  expect(await read(publicPage)).not.toContain('The bower of');
  expect((await choose('bower')).status).toBe(303);
  expect(await read(publicPage)).toContain('The bower of Grace');
  expect(await read(publicPage)).toContain('Valid: Grace Hopper finished');
  await grace.post('/account/bower', { act: 'withdraw' });
  expect(await read(publicPage)).not.toContain('The bower of');
  expect(await read(publicPage)).toContain('Valid: Grace Hopper finished');
});

test('P63: the treasure of a revoked certificate goes, and its bower is no longer led to', async () => {
  const { db } = academy.database;
  await show('Grace');
  expect(await read('/bowers/grace')).toContain('1 treasure');
  const actor = {
    kind: 'staff',
    person: { id: admissions.id, name: 'Adele' },
    roles: [],
    can: new Set(['certificates:revoke'] as const),
    teachesAs: [],
  } as const;
  await inTrx((trx) =>
    revokeCertificate(trx, { number: past.finished.number, why: 'mistake', actor }, momentOf(academy.services.academy)),
  );
  const text = await read('/bowers/grace');
  expect(text).toContain('25 straws 0 treasures');
  expect(text).not.toContain('CISSP');
  const { id } = await db.selectFrom('certificates').select('id').executeTakeFirstOrThrow();
  expect(await bowerOfHolder(db, id)).toBeNull();
});
