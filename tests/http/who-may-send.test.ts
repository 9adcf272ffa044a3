import { afterAll, beforeAll, expect, test } from 'vitest';
import { permissionsOf, roles } from '#app/features/people/permissions.ts';
import routes from '#app/routes.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { filesWithAction } from '#tests/support/every-form.ts';
import { everyRoute, guardedRoutes } from '#tests/support/guarded-routes.ts';
import { rowsOf } from '#tests/support/rows-of.ts';
import { openBrowser } from '#tests/support/sign-in.ts';
import {
  actsInSource,
  everybodys,
  linked,
  playersActs,
  signed,
  signInPaths,
  staffActs,
} from '#tests/support/who-may-send.ts';
import { makeWrongOnes, type WrongOnes } from '#tests/support/wrong-ones.ts';

let academy: AcademyApp;
let made: WrongOnes;
beforeAll(async () => {
  academy = await openAcademyApp();
  made = await makeWrongOnes(academy, from);
});
afterAll(() => academy.close());

let network = 0;
const from = () => `10.3.${(++network >> 8) & 255}.${network & 255}`;
const now = () => rowsOf(academy.database.db);

test('every route and every act is in one row of who may', () => {
  const rows = [...everybodys, ...signed, ...signInPaths, ...Object.values(linked).flat()];
  const known = (address: string) =>
    rows.filter((row) => row === address).length +
    Number(/^(staff|account|company)(\/|$)/.test(address) && !signInPaths.includes(address));
  // Frames have no address; the index is the front page.
  const wrong = everyRoute().filter(({ address }) => address !== '' && known(address) !== 1);
  expect(wrong).toEqual([]);
  const gone = rows.filter((row) => !everyRoute().some(({ address }) => address === row));
  expect(gone).toEqual([]);
  // Kinds of run, not of form.
  const kinds = ['message'];
  const acts = new Set([...kinds, ...Object.values(staffActs).flatMap((own) => Object.keys(own)), ...playersActs]);
  expect([...actsInSource()].filter((act) => !acts.has(act))).toEqual([]);
  const staffFiles = filesWithAction(routes).filter((file) => /^staff\/(?!sign-)/.test(file));
  expect(staffFiles.filter((file) => !staffActs[file])).toEqual([]);
  expect(made.forms.filter(({ file, act }) => !staffActs[file]?.[act])).toEqual([]);
});

/** How an instructor is told that something is not theirs; the answer to taps says it of each, in JSON. */
const notTheirs = (file: string, status: number) =>
  file === 'staff/classes/class-taps.ts' ? status === 200 : [404, 409].includes(status);

test.each(roles.filter((role) => role !== 'owner'))(
  'no form that is not for %s does anything when they send it',
  async (role) => {
    const before = await now();
    const wrong: string[] = [];
    let sent = 0;
    for (const { file, act, to, fields } of made.forms) {
      const may = permissionsOf([role]).has(staffActs[file]?.[act] as never);
      // An instructor may mark, but none of these classes and answers is theirs.
      if (may && role !== 'instructor') continue;
      sent += 1;
      const { status } = await made.staff[role].post(to, fields);
      if (may ? !notTheirs(file, status) : status !== 403) wrong.push(`${file} ${act} ${status}`);
      if (may && (await made.staff[role].get(to)).status === 200) wrong.push(`${file} is shown`);
    }
    expect(wrong).toEqual([]);
    expect(sent).toBeGreaterThan(5);
    expect(await now()).toEqual(before);
  },
);

test('no page and no form for staff opens for anybody who is not staff', async () => {
  const before = await now();
  const wrong: string[] = [];
  for (const [who, browser] of [
    ['nobody', openBrowser(academy)],
    ['a player', made.grace],
  ] as const) {
    for (const { file, act, to, fields } of made.forms) {
      const { status, headers } = await browser.post(to, fields, from());
      if (status !== 302 && status !== 303 && status !== 401 && status !== 403)
        wrong.push(`${who} ${file} ${act} ${status}`);
      else if (!(headers.get('Location') ?? '/staff/sign-in').startsWith('/staff/sign-in'))
        wrong.push(`${who} ${file} ${act} ${headers.get('Location')}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(await now()).toEqual(before);
});

test('no page and no form of an account opens for anybody who is not logged in as a player, staff included', async () => {
  const before = await now();
  const account = guardedRoutes(['account']);
  expect(account.length).toBeGreaterThan(9);
  const wrong: string[] = [];
  for (const [who, cookies] of [
    ['nobody', []],
    ['an owner', [made.staff.owner.cookie.split('=') as [string, string]]],
  ] as const) {
    const browser = openBrowser(academy);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    for (const { address, action } of account) {
      const to = address.replace(':file', 'bowerbird-data.json').replace(':number', made.past.finished.number);
      const answers = [await browser.get(to)];
      if (action !== 'none') answers.push(await browser.post(to, { act: 'keep' }, from()));
      const led = answers.map(({ status, headers }) => status < 304 && headers.get('Location')?.startsWith('/login?'));
      if (led.includes(false)) wrong.push(`${who} ${to} ${answers.map(({ status }) => status)}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(await now()).toEqual(before);
});

test('P67: records of Grace answer 404 under every link of somebody else, and so does every kind of link at another', async () => {
  const { link, past, tokens, gracesAttendee } = made;
  const buyersPage = await (await academy.request(`/enrolment/${link.buyer}`)).text();
  const file = /\/document\/([\w-]+\.pdf)"/.exec(buyersPage)?.[1] ?? 'none';
  const paths = (kind: 'buyer' | 'attendee', token: string, placeId: number) =>
    linked[kind].map((address) =>
      `/${address}`
        .replace(':token', token)
        .replace(':placeId', `${placeId}`)
        .replace(':attendeeId', `${gracesAttendee}`)
        .replace(':file', file)
        .replace(':module', '1'),
    );
  const places = [past.finished, past.next, past.cancelled, past.guided].map(({ placeId }) => placeId);
  const withIds = (address: string) => address.split('/').length > 4 || /\/(attendee|document)\//.test(address);
  const wrong = places.flatMap((placeId) => [
    ...paths('buyer', link.evesBuyer, placeId).filter((to) => /\/(transfer|choose|attendee|document|place)\//.test(to)),
    ...[link.eves, link.beside].flatMap((token) => paths('attendee', token, placeId).filter(withIds)),
  ]);
  // A private link of one kind at the pages of the others.
  const own = { ...Object.fromEntries(tokens), enrolment: link.buyer, place: link.attends };
  expect(Object.keys(own)).toHaveLength(6);
  for (const [kind, token] of Object.entries(own)) {
    for (const address of Object.values(linked).flat()) {
      // The page of a quote is a further page of a draft.
      const [first, second] = address.replace(/^quote/, 'enrol').split('/');
      if (first === kind || first === 'unsubscribe' || first === 'accounts' || second === 'card-return') continue;
      if (/:(file|step|module|placeId|attendeeId)/.test(address)) continue;
      wrong.push(`/${address.replace(/:(token|draft)/, token)}`);
    }
  }
  const before = await now();
  const opened: string[] = [];
  for (const to of new Set(wrong)) {
    const { status } = await academy.request(to, { from: from() });
    if (status !== 404) opened.push(`${to} ${status}`);
  }
  expect(opened).toEqual([]);
  expect(await now()).toEqual(before);
  // The same addresses open with Grace's own links, or this test would say nothing.
  const { placeId } = past.finished;
  for (const to of [`/enrolment/${link.buyer}/document/${file}`, `/place/${link.attends}/${placeId}/certificate`]) {
    expect((await academy.request(to)).status).toBe(200);
  }
});

test('P67: no form that somebody else sends changes anything of Grace’s', async () => {
  const { db } = academy.database;
  const { past, link, gracesAttendee, grace, eve } = made;
  const person = past.personId;
  await db
    .insertInto('person_emails')
    .values({ person_id: person, email: 'hopper@players.example', verified_at: academy.now() })
    .execute();
  await db
    .insertInto('passkeys')
    .values({
      id: 'graces-key',
      person_id: person,
      name: 'Phone',
      public_key: Buffer.from('x'),
      counter: 0,
      added_at: academy.now(),
    })
    .execute();
  const { id: signIn } = await db
    .selectFrom('sign_ins')
    .select('id')
    .where('person_id', '=', person)
    .executeTakeFirstOrThrow();
  const finished = past.finished.placeId;
  const named = { 'name-1': 'Eve', 'email-1': 'eve@players.example' };
  const settings = '/account/settings';
  const sent: [string, Record<string, string>][] = [
    [settings, { act: 'end-sign-in', signIn: `${signIn}` }],
    [settings, { act: 'remove-address', email: 'hopper@players.example' }],
    [settings, { act: 'main-address', email: 'hopper@players.example' }],
    [settings, { act: 'remove-passkey', passkey: 'graces-key' }],
    ...[link.evesBuyer, link.eves, link.attends].flatMap((token): typeof sent => [
      [`/enrolment/${token}/cancel`, { places: `${finished}`, shown: '0', intent: 'cancel' }],
      [`/enrolment/${token}/cancel`, { places: `${past.guided.placeId}`, shown: '0', intent: 'cancel' }],
      [`/enrolment/${token}/choose/${past.cancelled.placeId}`, { place: `${past.cancelled.placeId}` }],
      [`/enrolment/${token}/transfer/${past.next.placeId}`, { place: `${past.next.placeId}`, to: 'x', shown: '0' }],
      [`/enrolment/${token}/attendee/${gracesAttendee}`, { attendee: `${gracesAttendee}`, ...named }],
    ]),
    ...[link.eves, link.beside, link.buyer].flatMap((token): typeof sent => [
      [`/place/${token}/${past.next.placeId}/cannot-come`, { 'day-2025-11-24': 'on', note: '' }],
      [`/place/${token}/${past.guided.placeId}/module/3`, { agreed: 'on', shown: '3' }],
      [`/place/${token}/${past.guided.placeId}/module/1`, { act: 'hand-in', answer: 'Eve wrote this.', link: '' }],
      [`/place/${token}/${past.guided.placeId}/module/1`, { act: 'draft', answer: 'Eve wrote this.', link: '' }],
      [`/place/${token}/${finished}/certificate`, { act: 'show', shows: 'name' }],
      [`/place/${token}/${finished}/certificate`, { act: 'name', name: 'Eve Hopper' }],
      [`/place/${token}/${finished}/certificate`, { act: 'withdraw', sure: 'on' }],
    ]),
  ];
  const before = await now();
  const answers: string[] = [];
  for (const [to, fields] of sent) {
    const { status } = await eve.post(to, fields, from());
    answers.push(`${to} ${JSON.stringify(fields)} ${status}`);
  }
  expect(await now()).toEqual(before);
  expect(answers.filter((one) => !/ (303|404|409)$/.test(one))).toEqual([]);
  expect((await grace.get('/account')).status).toBe(200);
  expect((await eve.get(`/account/certificates/${past.finished.number}`)).status).toBe(404);
  expect(await (await eve.get('/account/data/bowerbird-data.json')).text()).not.toContain(past.email);
});

test('nobody else changes what a colleague wrote or saved, admissions included', async () => {
  const { owner, admissions } = made.staff;
  const views = made.forms.filter(({ file, act }) => file === 'staff/lists/views.tsx' && act !== 'save');
  const enrolment = made.forms.find(({ file, act }) => file === 'staff/enrolments/enrolment.tsx' && act === 'note');
  expect([views.length, enrolment?.fields.note]).toEqual([2, '']);
  const { to = '', fields = {} } = enrolment ?? {};
  expect((await owner.post(to, { ...fields, note: 'Written by the owner.' })).status).toBe(303);
  const note = await academy.database.db.selectFrom('notes').select('id').executeTakeFirstOrThrow();
  const common = { form: '', seen: '0', noteId: `${note.id}`, note: 'Written by admissions.' };
  const before = await now();
  const sent = [...views, ...['change-note', 'delete-note'].map((act) => ({ to, fields: { ...common, act } }))];
  for (const one of sent) {
    const { status } = await admissions.post(one.to, { ...one.fields, form: crypto.randomUUID() });
    expect([one.fields.act, [404, 409].includes(status)]).toEqual([one.fields.act, true]);
  }
  expect(await now()).toEqual(before);
});
