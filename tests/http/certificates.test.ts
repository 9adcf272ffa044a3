import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { signBadges } from '#app/features/study/badges/jobs.server.ts';
import { inFours } from '#app/features/study/certificates/number.ts';
import { momentOf } from '#app/http/academy.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import {
  afterClass,
  attends,
  type Class,
  type InClass,
  issued,
  makeClass,
  pageOf,
} from '#tests/support/certificates.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { readPdf } from '#tests/support/read-pdf.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';

const origin = 'https://academy.example';
let academy: AcademyApp;
let group: Class;
let owner: SignedIn;
let networks = 0;
beforeAll(async () => {
  academy = await openAcademyApp({ env: { BASE_URL: origin } });
  group = await makeClass(academy.database.db);
  academy.setNow(afterClass.now);
  owner = await enter('olga@staff.example', 'Olga');
});
beforeEach(() => academy.setNow(afterClass.now));
afterAll(() => academy.close());

/** Staff whose cookie has the name that it has by https. */
async function enter(...[email, name, granted]: Entering): Promise<SignedIn> {
  const { id, cookie: plain } = await signInStaff(academy, email, name, granted);
  const cookie = `${plain}; __Host-${plain}`;
  return {
    id,
    cookie,
    get: (path) => academy.request(path, { headers: { Cookie: cookie } }),
    post: (path, fields) =>
      academy.request(path, {
        method: 'POST',
        headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' },
        body: new URLSearchParams(fields),
      }),
  };
}
type SignIn = Parameters<typeof signInStaff>;
type Entering = [email: SignIn[1], name: SignIn[2], granted?: SignIn[3]];

const pass = (minutes: number) => academy.setNow(new Date(academy.now().getTime() + minutes * 60_000));
const from = () => `198.51.100.${++networks}`;
const get = (path: string, address = from()) => academy.request(path, { from: address });
const text = async (path: string) => mainText(await get(path));
const post = (path: string, fields: Record<string, string>) =>
  academy.request(path, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams(fields),
  });

type Holder = InClass & { number: string; page: string; own: string };

/** Somebody with a certificate and their private page. */
async function holder(
  name = 'Ada Brennan',
  email: string | null = `${crypto.randomUUID()}@example.com`,
): Promise<Holder> {
  const { db } = academy.database;
  const place = await attends(db, group, { name, email });
  const { number } = await issued(db, place.placeId, momentOf(academy.services.academy));
  const page = await pageOf(db, place);
  return { ...place, number, page, own: `${page}/${place.placeId}/certificate` };
}
const sign = () => signBadges(academy.database.db, academy.services.badges, academy.now());

test('P65: the public page says in one sentence what holds, shows the checks, and no name before its holder says so', async () => {
  const { number, own } = await holder();
  await sign();
  const path = `/certificates/${number}`;
  const page = await text(path);
  expect(page).toContain(`Certificate ${inFours(number)}`);
  expect(page).toContain('Valid: its holder finished Certified Information Systems Security Professional (CISSP).');
  expect(page).toContain('Bowerbird Academy issued it on 5 November 2025, and nothing has changed since.');
  expect(page).toMatch(/Issued by us Bowerbird Academy Pty Ltd, ABN 89 000 000 019, Brisbane/);
  expect(page).toContain('Signature holds Key of 2025, checked at 5:30 PM');
  expect(page).toMatch(/Not revoked Status list of .*5:30/);
  expect(page).toContain('Not superseded No newer certificate takes its place');
  expect(page).toContain('3 to 5 November 2025, 21 hours');
  expect(page).toContain('Present for 21 of 21 hours');
  expect(page).toContain('This is not a certification of ISC2. ISC2 sets the exam CISSP and awards the title.');
  expect(await (await get(path)).text()).not.toContain('Brennan');

  const saved = await post(own, { act: 'show', shows: 'name' });
  expect([saved.status, saved.headers.get('Location')]).toEqual([303, `${own}?done=shown`]);
  expect(await text(path)).toContain('Valid: Ada Brennan finished');
  expect(await text(`${own}?done=shown`)).toContain('Saved.');
});

test('P65: everybody gets the same bytes, and no search engine keeps them', async () => {
  const { number, page } = await holder();
  const [first, again] = await Promise.all([get(`/certificates/${number}`), get(`/certificates/${number}`)]);
  expect(first.headers.get('X-Robots-Tag')).toBe('noindex');
  const withCookies = await academy.request(`/certificates/${number}`, {
    headers: { Cookie: owner.cookie },
    from: from(),
  });
  const bodies = await Promise.all([first, again, withCookies].map((answer) => answer.text()));
  // The nonce of each answer's scripts apart.
  const same = bodies.map((body) => body.replaceAll(/nonce="[^"]*"|"nonce","[^"]*"/g, ''));
  expect(new Set(same).size).toBe(1);
  expect(same[0]).toContain('<meta name="robots" content="noindex"/>');
  const map = await (await get('/sitemap.xml')).text();
  expect([map.includes(number), map.includes('/certificates/')]).toEqual([false, false]);
  expect((await get(`${page}/0/certificate`)).status).toBe(404);
});

test('P65: however a number is typed it is found; unknown, misspelt and undone ones are all a 404 with the same words', async () => {
  const { number } = await holder();
  const typed = inFours(number).toLowerCase().replaceAll(' ', '-');
  expect((await get(`/certificates/${typed}`)).status).toBe(200);
  const led = await get(`/certificates?number=${encodeURIComponent(inFours(number))}`);
  expect([led.status, led.headers.get('Location')]).toEqual([303, `/certificates/${number}`]);
  const wrong = number.slice(0, -1) + (number.endsWith('2') ? '3' : '2');
  for (const none of [wrong, '2222222222222', 'x', 'status', '%5Bx%5D', 'é'.repeat(50)]) {
    const answer = await get(`/certificates/${none}`);
    expect(answer.status, none).toBe(404);
    expect(await mainText(answer)).toContain('No certificate has this number');
  }
  for (const odd of ['?number=%2e%2e%2f', '?number=a%2fb', '?number=%F0%9F%98%80']) {
    const answer = await get(`/certificates${odd}`);
    expect(answer.status).toBe(303);
    expect((await get(answer.headers.get('Location') ?? '')).status).toBe(404);
  }
});

test('P65: a mistyped number is in the field as it was typed, the page says that it cannot be right, and the correction is found', async () => {
  const { number } = await holder();
  const wrong = inFours(number.slice(0, -1) + (number.endsWith('2') ? '3' : '2'));
  const led = await get(`/certificates?number=${encodeURIComponent(wrong)}`);
  const answer = await get(led.headers.get('Location') ?? '');
  const page = await answer.text();
  expect([answer.status, page.includes(`value="${wrong}"`)]).toEqual([404, true]);
  expect(page).toContain('This number is mistyped.');
  expect(await text('/certificates/2222222222222')).toContain('We have not issued a certificate with this number.');
  const pasted = encodeURIComponent(`Certificate ${inFours(number)}, at ${origin}/certificates/${number}`);
  expect((await get(`/certificates?number=${pasted}`)).headers.get('Location')).toBe(`/certificates/${number}`);
});

test('P65: look-ups are limited for each network, whether a number is known or not', async () => {
  const { number } = await holder();
  const address = from();
  const ask = async (what: string) => (await get(`/certificates/${what}`, address)).status;
  for (let at = 0; at < 30; at += 1) {
    expect(await ask(number)).toBe(200);
    expect(await ask('2222222222222')).toBe(404);
  }
  expect(await ask(number)).toBe(429);
  expect(await ask('2222222222222')).toBe(429);
  expect((await get(`/certificates/${number}`)).status).toBe(200);
  pass(11);
  expect(await ask(number)).toBe(200);
});

test('P44, P65: revoked, withdrawn and issued again each say so, since when and why', async () => {
  const revoked = await holder('Bob Revoked');
  const page = `/staff/certificates/${revoked.number}`;
  const carried = carriedBy(await (await owner.get(page)).text(), 'revoke');
  expect((await owner.post(page, { ...carried, why: '' })).status).toBe(400);
  expect((await owner.post(page, { ...carried, why: 'wrong-person' })).status).toBe(303);
  // Staff read the same there as strangers do.
  const atDesk = await (await owner.get(page)).text();
  expect(atDesk).toContain('That it was revoked, when and why');
  expect(atDesk).not.toContain('That it is valid');
  expect(atDesk).not.toContain('wrong-person');
  const gone = await text(`/certificates/${revoked.number}`);
  expect(gone).toContain('Revoked: this certificate has not held since 5 November 2025.');
  expect(gone).toContain('Reason: it was issued to the wrong person.');
  expect(gone).toContain('Revoked 5 November 2025');
  expect(gone).toContain('What it certified');
  expect(await text(revoked.own)).toContain('We revoked this certificate on 5 November 2025.');
  expect((await get(revoked.own.replace(/certificate$/, 'certificate.pdf'))).status).toBe(404);

  const withdrawn = await holder('Cara Withdrawn');
  expect((await post(withdrawn.own, { act: 'withdraw' })).status).toBe(400);
  expect((await post(withdrawn.own, { act: 'withdraw', sure: 'on' })).status).toBe(303);
  expect(await text(`/certificates/${withdrawn.number}`)).toContain('Withdrawn by its holder on 5 November 2025.');

  const renamed = await holder('Dora Brenan');
  const done = await post(renamed.own, { act: 'name', name: 'Dora Brennan' });
  expect(done.headers.get('Location')).toBe(`${renamed.own}?done=issued-again`);
  const old = await text(`/certificates/${renamed.number}`);
  expect(old).toMatch(/Issued again as ([2-9A-HJ-NP-Z]{4} ){3}[2-9A-HJ-NP-Z]\./);
  expect(old).not.toContain('Brennan');
  expect(await text(renamed.own)).toMatch(/It reads Dora Brennan ?\./);
  const asks = await post(renamed.own, { act: 'name', name: 'Dora Lovelace' });
  expect(asks.headers.get('Location')).toBe(`${renamed.own}?done=asked`);
  expect(await text(renamed.own)).toMatch(/You asked for Dora Lovelace ?\./);
  const refused = await post(renamed.own, { act: 'name', name: 'www.example.com' });
  expect([refused.status, (await mainText(refused)).includes('Enter a name in letters')]).toEqual([409, true]);
  // What becomes of the new certificate is said of the old number too.
  const { number } = await academy.database.db
    .selectFrom('certificates')
    .select('number')
    .where('holder_name', '=', 'Dora Brennan')
    .executeTakeFirstOrThrow();
  expect((await post(renamed.own, { act: 'withdraw', sure: 'on' })).status).toBe(303);
  expect(await text(`/certificates/${renamed.number}`)).toContain('Withdrawn by its holder on 5 November 2025.');
  const again = `/staff/certificates/${number}`;
  const why = { ...carriedBy(await (await owner.get(again)).text(), 'revoke'), why: 'mistake' };
  expect((await owner.post(again, why)).status).toBe(303);
  const both = await text(`/certificates/${renamed.number}`);
  expect(both).toContain('Revoked: this certificate has not held since 5 November 2025.');
  expect(both).toMatch(/again as [^,]+ with the name corrected, and took it back. Reason: it was issued by mistake/);
  expect(both).not.toContain('Not revoked');
});

test('P65: a name that staff correct in the enrolment is on the certificate from then on', async () => {
  const { db } = academy.database;
  const { placeId, number } = await holder('Kiran Campbell');
  const { reference, attendee_id } = await db
    .selectFrom('places')
    .innerJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .select(['reference', 'attendee_id'])
    .where('places.id', '=', placeId)
    .executeTakeFirstOrThrow();
  const path = `/staff/enrolments/${reference}/attendees/${attendee_id}`;
  const form = carriedBy(await (await owner.get(path)).text(), 'attendee');
  const { email } = await db
    .selectFrom('attendees')
    .select('email')
    .where('id', '=', attendee_id)
    .executeTakeFirstOrThrow();
  const corrected = { ...form, name: 'Kiran Campbel', email: email ?? '', needs: '' };
  expect((await owner.post(path, { ...corrected, guardianName: '', guardianEmail: '' })).status).toBe(303);
  const names = db.selectFrom('certificates').select(['state', 'holder_name']).where('place_id', '=', placeId);
  expect(await names.orderBy('id').execute()).toEqual([
    { state: 'superseded', holder_name: 'Kiran Campbell' },
    { state: 'issued', holder_name: 'Kiran Campbel' },
  ]);
  expect(await text(`/certificates/${number}`)).toMatch(/Issued again as/);
});

test('P65: the PDF has the facts and the code, is the same bytes each time, and opens by the private link alone', async () => {
  const { own, number, page } = await holder('Zoë Nuñez-Wojciechowska de la Cruz', null);
  const path = own.replace(/certificate$/, 'certificate.pdf');
  const [first, again] = await Promise.all([get(path), get(path)]);
  expect(first.headers.get('Content-Type')).toBe('application/pdf');
  expect(first.headers.get('Cache-Control')).toBe('no-store');
  const bytes = Buffer.from(await first.arrayBuffer());
  expect(Buffer.from(await again.arrayBuffer()).equals(bytes)).toBe(true);
  const { pages, title, tagged } = await readPdf(bytes);
  expect([pages.length, title, tagged]).toEqual([1, expect.stringContaining(inFours(number)), true]);
  const pdf = pages
    .flatMap((one) => one.text.map((part) => part.text))
    .join('')
    .replaceAll(/\s+/g, '');
  for (const one of [
    'Zoë Nuñez-Wojciechowska de la Cruz',
    'Certified Information Systems Security Professional (CISSP)',
    '3 to 5 November 2025, 21 hours',
    'Present for 21 of 21 hours; the rule asks for 80%',
    inFours(number),
    'academy.example/certificates',
    'Issued in Brisbane, 5 November 2025',
    'not nationally recognised training',
  ]) {
    expect(pdf).toContain(one.replaceAll(' ', ''));
  }
  expect(await text(page)).toContain(inFours(number));
  expect((await get(`/place/${'0'.repeat(48)}/1/certificate.pdf`)).status).toBe(404);
});

test('P65: LinkedIn gets its fields, and the link fills them in', async () => {
  const { own, number } = await holder();
  const page = await (await get(own)).text();
  const link = /href="(https:\/\/www\.linkedin\.com[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(Object.fromEntries(new URL(link).searchParams)).toEqual({
    startTask: 'CERTIFICATION_NAME',
    name: 'Certified Information Systems Security Professional (CISSP)',
    organizationName: 'Bowerbird Academy',
    issueYear: '2025',
    issueMonth: '11',
    certUrl: `${origin}/certificates/${number}`,
    certId: number,
  });
});

test('P66: the badge, its picture, the keys and the status list are served to other sites, as they were signed', async () => {
  const { number } = await holder();
  expect((await get(`/certificates/${number}/badge.json`)).status).toBe(404);
  const before = await text(`/certificates/${number}`);
  expect(before).toContain('No digital signature This page is our own record of it');
  expect(before).toMatch(/Digital badge We add a digital badge soon .* The certificate does not need one/);
  await sign();
  const answer = await get(`/certificates/${number}/badge.json`);
  const badge = JSON.parse(await answer.text());
  expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([200, '*']);
  expect(badge.issuer.id).toBe('did:web:academy.example');
  const list = await get(new URL(badge.credentialStatus.statusListCredential).pathname);
  expect((await list.json()).type).toContain('BitstringStatusListCredential');
  for (const path of ['/.well-known/did.json', '/did.json']) {
    const did = await (await get(path)).json();
    expect(did).toMatchObject({ id: 'did:web:academy.example', assertionMethod: ['did:web:academy.example#key-1'] });
    expect(JSON.stringify(did)).not.toContain('secret');
  }
  const picture = await get(`/certificates/${number}/badge.png`);
  const png = Buffer.from(await picture.arrayBuffer());
  expect([picture.headers.get('Content-Type'), png.subarray(1, 4).toString()]).toEqual(['image/png', 'PNG']);
  // A changed artefact is noticed by our own page as well.
  const { db } = academy.database;
  await db
    .updateTable('certificate_badges')
    .set(({ fn, val }) => ({ credential: fn<string>('replace', ['credential', val('21 hours'), val('99 hours')]) }))
    .where('credential', 'like', `%${number}%`)
    .execute();
  expect(await text(`/certificates/${number}`)).toContain('Signature does not hold');
});

test('P66: the program that serves does not load the packages that sign: its thread does', () => {
  const built = (file: string) => readFileSync(path.join(projectRoot, 'build/server', file), 'utf8');
  expect(built('index.js')).not.toMatch(/@digital(bazaar|credentials)/);
  const [chunk = ''] = readdirSync(path.join(projectRoot, 'build/server/assets')).filter((file) =>
    built(`assets/${file}`).includes('@digitalbazaar/vc'),
  );
  // Only by a dynamic import, which development takes.
  expect(built('index.js')).not.toMatch(new RegExp(`from\\s*['"][^'"]*${chunk}`));
});

test('P64, P84: staff issue for a group from the course date, and undo one', async () => {
  const { db } = academy.database;
  const ready = await attends(db, group, { name: 'Eva Ready', email: 'eva@example.com' });
  await attends(db, group, { name: 'Finn Short' }, 1);
  const path = `/staff/course-dates/${group.courseDate.slug}/certificates`;
  const html = await (await owner.get(path)).text();
  expect(html).toContain(`name="place-${ready.placeId}"`);
  const page = await mainText(await owner.get(path));
  expect(page).toMatch(/Finn Short Attended 7 h of 21 h; 80% is 16 h 48 min\. 2 days are not marked\./);
  expect(page).not.toMatch(/AU\$|[Uu]npaid/);
  const none = await owner.post(path, carriedBy(html, 'issue'));
  expect([none.status, (await mainText(none)).includes('Tick at least one person.')]).toEqual([409, true]);
  const ticked = { ...carriedBy(html, 'issue'), [`place-${ready.placeId}`]: 'on' };
  // P61: the page tells in the words of the course what work has to be accepted, and somebody says that it was.
  expect(page).toContain('75 per cent or better on the second practice exam');
  const unconfirmed = await mainText(await owner.post(path, ticked));
  expect(unconfirmed).toContain('No certificate was issued. Confirm that the work was accepted');
  const fields = { ...ticked, 'work-accepted': 'on', form: crypto.randomUUID() };
  const both = await Promise.all([owner.post(path, fields), owner.post(path, fields)]);
  expect(both.map(({ status }) => status)).toEqual([303, 303]);
  const numbers = await db.selectFrom('certificates').select('number').where('place_id', '=', ready.placeId).execute();
  expect(numbers).toHaveLength(1);
  const after = await (await owner.get(path)).text();
  expect(after).toContain('Undo until 5:45 PM');
  const [{ number = '' } = {}] = numbers;
  const printed = await owner.get(`/staff/certificates/${number}/certificate.pdf`);
  expect([printed.status, printed.headers.get('Content-Type')]).toEqual([200, 'application/pdf']);
  const undo = { ...carriedBy(after, 'undo'), number };
  expect((await owner.post(path, undo)).status).toBe(303);
  expect((await get(`/certificates/${number}`)).status).toBe(404);
  expect((await owner.post(path, { ...undo, form: crypto.randomUUID() })).status).toBe(404);
});

test('P61: an instructor ticks whose work they accept; the learner reads it, and issuing asks no more', async () => {
  const { db } = academy.database;
  const [ada, ben] = [await attends(db, group, { name: 'Ada Handed' }), await attends(db, group, { name: 'Ben Late' })];
  const path = `/staff/course-dates/${group.courseDate.slug}/certificates`;
  const html = await (await owner.get(path)).text();
  expect(await text(await pageOf(db, ada))).toContain('The work of the course is accepted Not accepted yet.');
  const fields = { ...carriedBy(html, 'work'), [`was-work-${ada.placeId}`]: '', [`work-${ada.placeId}`]: 'on' };
  const sent = await Promise.all([
    owner.post(path, fields),
    owner.post(path, { ...fields, form: crypto.randomUUID() }),
  ]);
  expect(sent.map(({ status }) => status)).toEqual([303, 303]);
  expect(await db.selectFrom('work_marks').select('place_id').execute()).toEqual([{ place_id: ada.placeId }]);
  expect(await text(await pageOf(db, ada))).toContain('Done. It was accepted on Wednesday 5 November 2025.');
  const after = await (await owner.get(path)).text();
  const tick = ({ placeId }: InClass) => new RegExp(`<input[^>]*name="place-${placeId}"[^>]*>`).exec(after)?.[0] ?? '';
  // Nobody is ticked whose work is not accepted.
  expect([tick(ada).includes('checked'), tick(ben).includes('checked')]).toEqual([true, false]);
  const issue = { ...carriedBy(after, 'issue'), [`place-${ada.placeId}`]: 'on' };
  expect((await owner.post(path, issue)).status).toBe(303);
  const back = { ...fields, form: crypto.randomUUID(), [`was-work-${ada.placeId}`]: 'on', [`work-${ada.placeId}`]: '' };
  const refused = await owner.post(path, back);
  expect([refused.status, (await mainText(refused)).includes('has a certificate by now')]).toEqual([409, true]);
});

test('P67, P68: an instructor issues in their own course dates; money, other course dates and revoking are not theirs', async () => {
  const mara = await enter('mara@staff.example', 'Mara', {
    role: 'instructor',
    teachesAs: group.teachesAs,
  });
  const path = `/staff/course-dates/${group.courseDate.slug}/certificates`;
  expect((await mara.get(path)).status).toBe(200);
  expect((await mara.get('/staff/certificates')).status).toBe(403);
  const { number } = await holder();
  expect((await mara.post(`/staff/certificates/${number}`, { act: 'revoke' })).status).toBe(403);
  const editor = await enter('ed@staff.example', 'Ed', { role: 'editor' });
  expect((await editor.get(path)).status).toBe(403);
});

test('P64: staff find certificates by number and name, and see what to look at', async () => {
  const { number, own } = await holder('Grace Findable');
  const found = await mainText(await owner.get(`/staff/certificates?search=${encodeURIComponent(inFours(number))}`));
  expect(found).toContain('Grace Findable');
  expect(await mainText(await owner.get('/staff/certificates?search=findable'))).toContain(inFours(number));
  await post(own, { act: 'name', name: 'Grace Another Name' });
  const look = await mainText(await owner.get('/staff/certificates?state=look'));
  expect(look).toContain('Grace Findable');
  const page = await (await owner.get(`/staff/certificates/${number}`)).text();
  expect(page).toContain('Grace Another Name');
  const taken = await owner.post(`/staff/certificates/${number}`, carriedBy(page, 'take-name'));
  expect(taken.status).toBe(303);
  expect(await text(`/certificates/${number}`)).toContain('Issued again as');
});

test('P100: a buyer who returns a certified course reads that the certificate stays, and no seat becomes free', async () => {
  const { placeId, enrolmentId } = await attends(academy.database.db, group, { name: 'Ida Rhodes' });
  const { number } = await issued(academy.database.db, placeId);
  pass(24 * 60);
  const { reference } = await academy.database.db
    .selectFrom('enrolments')
    .select('reference')
    .where('id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  const asked = await mainText(await owner.get(`/staff/enrolments/${reference}/cancel?place=${placeId}`));
  expect(asked).toContain(`Ida Rhodes keeps the certificate ${inFours(number)}`);
  expect(asked).not.toContain('Their seats become free');
});
