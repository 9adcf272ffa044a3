import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { makeLinkToken as bookingLink } from '#app/features/bookings/links.server.ts';
import { makeLinkToken } from '#app/features/enrolments/links.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { cancelSessionAndAsk } from '#app/features/enrolments/session-changes.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { makeWaitingToken } from '#app/features/waiting/links.server.ts';
import routes from '#app/routes.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { visitor } from '#tests/support/enrolling.ts';
import { attendee, circumstancesAt, makeSession, placeIn } from '#tests/support/enrolments.ts';
import { formsOf, type PageForm } from '#tests/support/forms-of.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';

/** What nobody types: for each field of each form. */
const hostile: Record<string, string | string[] | File> = {
  'NUL and other controls': 'a\0b\u0007\u001b[2J\u009f',
  'an emoji across characters 200 and 2000': `${'a'.repeat(199)}${'😀'.repeat(1000)}`,
  'a year of five digits': '9999-12-31T00:00:00.000Z',
  'the last day': '9999-12-31',
  'a negative number': '-1',
  'a number without end': '1e309',
  'a name of JavaScript': '__proto__',
  'the same field twice': ['one', 'two'],
  'a file': new File(['text'], 'name.txt', { type: 'text/plain' }),
};
const words = 'Kept as typed 7391';

/** `BAD_INPUT=all npx vitest run tests/http/bad-input.test.ts` tries everything everywhere, which takes minutes. */
const all = process.env.BAD_INPUT === 'all';
const turns = new Map<object, number>();
/** The first `always` of a list and the next ones in turn, so that all are tried on different fields or addresses. */
function some<T>(list: readonly T[], { always, inTurn }: { always: number; inTurn: number }): T[] {
  if (all) return [...list];
  const rest = list.slice(always);
  const turn = turns.get(list) ?? 0;
  turns.set(list, turn + inTurn);
  return [...list.slice(0, always), ...Array.from({ length: inTurn }, (_, at) => rest[(turn + at) % rest.length] as T)];
}

const values = Object.entries(hostile);

let academy: AcademyApp;
let ada: SignedIn;
/** A page with forms for each file with an action; where the form is shown by scripts only, its fields. */
const pages = new Map<string, { address: string; fields?: Record<string, string>; kept?: false }[]>();
let network = 0;
const from = () => `10.${(++network >> 16) & 255}.${(network >> 8) & 255}.${network & 255}`;

beforeAll(async () => {
  academy = await openAcademyApp({ trueTimeAhead: true, env: { TODAY: '2025-09-08' } });
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  await fill();
});
afterAll(() => academy.close());

/** One of everything that has a page. */
async function fill(): Promise<void> {
  const { db } = academy.database;
  const add = (file: string, address: string, fields?: Record<string, string>, kept?: false) =>
    pages.set(file, [
      ...(pages.get(file) ?? []),
      { address, ...(fields && { fields }), ...(kept === false && { kept }) },
    ]);
  const one = visitor(academy, from());
  const started = await one.choose('course=cissp', { 'way-cissp': 'guided', 'monday-cissp': '2025-09-22' });
  const ready = await one.choose('course=cissp', { 'way-cissp': 'guided', 'monday-cissp': '2025-09-22' });
  await one.fillIn(ready, 'grace@drafts.example');
  add('enrol/enrol.tsx', '/enrol?course=cissp');
  add('enrol/review.tsx', `${ready}/review`, undefined, false);
  add('enrol/attendees.tsx', `${started}/attendees`);
  add('enrol/payer.tsx', `${ready}/payer`);
  add('enrol/terms.tsx', `${ready}/terms`, undefined, false);
  add('enrol/code.tsx', `${ready}/code`, { code: '123456', intent: 'next', linkEmail: '' }, false);
  add('enrol/request.tsx', `${ready}/request`, { message: '', form: '' }, false);
  add('enrol/choice.tsx', started);
  add('enrol/waiting-list.tsx', '/waiting-list?course=cissp');
  add('bookings/book.tsx', '/book/career-counseling');
  add('chat/start.tsx', '/chat');
  add('storefront/contact.tsx', '/contact');
  add('enrolment/links.tsx', '/enrolments');
  add('api/close-promotion.ts', '/promotion/close', { to: '/courses' }, false);
  add('storefront/unsubscribe.tsx', '/unsubscribe/abc', { confirm: 'on' }, false);
  add('staff/sign-in.tsx', '/staff/sign-in', { email: 'ada@example.com' });
  add('staff/sign-in-confirm.tsx', '/staff/sign-in/confirm?token=x', undefined, false);
  add('staff/mail.tsx', '/staff/mail', { mail: 'x' }, false);
  add('staff/mail-send-now.ts', '/staff/mail/send-now', { mail: 'x' }, false);
  add(
    'staff/payments/statement.tsx',
    '/staff/payments/statements/none',
    { act: 'record', form: crypto.randomUUID(), seen: '0', key: 'none' },
    false,
  );
  add('enrolment/accounts.tsx', '/accounts/none', { intent: 'agree' }, false);
  add('enrolment/card.tsx', '/enrolment/none/card', { intent: 'pay', shown: '1' }, false);

  const anonymous = { name: 'Ada Byron', email: 'ada@example.org' };
  const sent = await academy.submit('/contact', {
    ...anonymous,
    firstName: 'Ada',
    lastName: 'Byron',
    message: 'Hello',
  });
  add('staff/enquiry.tsx', `/staff/enquiries/${/BB-\w+/.exec(sent.headers.get('Location') ?? '')?.[0]}`);
  const chat = await academy.submit('/chat', { message: 'Hello' });
  add('chat/conversation.tsx', chat.headers.get('Location') ?? '');
  const conversation = await db.selectFrom('conversations').select('id').executeTakeFirstOrThrow();
  add('staff/conversation.tsx', `/staff/conversations/${conversation.id}`);
  const booking = await academy.submit('/book/career-counseling', { ...anonymous, start: '2025-09-10T00:30:00.000Z' });
  expect(booking.status).toBe(303);
  const booked = await db.selectFrom('bookings').select('id').executeTakeFirstOrThrow();
  add('bookings/booking.tsx', `/booking/${await bookingLink(db, booked.id)}?date=2025-09-11`);
  const full = await makeSession(db, { capacity: 1 });
  await placeIn(db, full);
  const { slug: fullSlug } = await db
    .selectFrom('training_sessions')
    .select('slug')
    .where('id', '=', full.id)
    .executeTakeFirstOrThrow();
  const joined = await academy.submit('/waiting-list?course=cissp', { ...anonymous, seats: '1' });
  expect(joined.status).toBe(303);
  const entry = await db.selectFrom('waiting_entries').select('id').executeTakeFirstOrThrow();
  add('enrol/waiting.tsx', `/waiting/${await makeWaitingToken(db, entry.id)}`, { intent: 'confirm' }, false);
  add(
    'staff/waiting-session.tsx',
    `/staff/waiting/${fullSlug}`,
    { act: 'offer', form: crypto.randomUUID(), seen: '0', entry: '1' },
    false,
  );

  const session = await makeSession(db, { course: 'cissp' });
  await makeSession(db, { course: 'cissp', startsOn: '2025-12-01' });
  const placed = await placeIn(db, session, {
    attendees: [attendee(), attendee({ name: 'Grace Hopper', email: 'g@place.example' })],
  });
  const cancelled = await makeSession(db, { course: 'cissp', startsOn: '2025-11-10' });
  const asked = await placeIn(db, cancelled);
  await db
    .transaction()
    .execute((trx) => cancelSessionAndAsk(trx, cancelled.id, theProgram, circumstancesAt('2025-09-08T09:00')));
  const { places } = await readEnrolment(db, placed.enrolmentId);
  const [place] = places;
  const [choosing] = (await readEnrolment(db, asked.enrolmentId)).places;
  const person = await db
    .selectFrom('attendees')
    .select('id')
    .where('enrolment_id', '=', placed.enrolmentId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  const own = `/enrolment/${placed.token}`;
  add('enrolment/cancel.tsx', `${own}/cancel`, { places: String(place?.id), shown: '0', intent: 'x' }, false);
  add('enrolment/transfer.tsx', `${own}/transfer/${place?.id}`, { to: 'x', shown: '0' }, false);
  add('enrolment/choose.tsx', `/enrolment/${asked.token}/choose/${choosing?.id}`, { place: `${choosing?.id}` }, false);
  add('enrolment/attendee.tsx', `${own}/attendee/${person.id}`);
  add('enrolment/add.tsx', `${own}/add`);
  add('enrolment/details.tsx', `${own}/details`);
  const attends = await makeLinkToken(db, placed.enrolmentId, person.id);
  add('enrolment/module.tsx', `/place/${attends}/${place?.id}/module/1`, { agreed: 'on', shown: '1' }, false);

  const desk = `/staff/enrolments/${placed.reference}`;
  add('staff/enrolments/enrolment.tsx', desk);
  add('staff/enrolments/buyer.tsx', `${desk}/buyer`);
  add(
    'staff/enrolments/cancel.tsx',
    `${desk}/cancel`,
    {
      act: 'cancel',
      form: crypto.randomUUID(),
      seen: '0',
      places: `${place?.id}`,
      shown: '0',
      how: 'ladder',
      reason: '',
    },
    false,
  );
  add('staff/enrolments/transfer.tsx', `${desk}/places/${place?.id}/transfer`);
  add('staff/enrolments/attendee.tsx', `${desk}/attendees/${person.id}`);
  add('staff/enrolments/enrol.tsx', '/staff/enrolments/new?item=course:cissp');
  add(
    'staff/enrolments/unpaid.tsx',
    `/staff/unpaid?enrolment=${placed.reference}`,
    { act: 'cancel', form: crypto.randomUUID(), seen: '0', reason: '' },
    false,
  );
  const { slug } = await db
    .selectFrom('training_sessions')
    .select('slug')
    .where('id', '=', session.id)
    .executeTakeFirstOrThrow();
  add('staff/sessions/session.tsx', `/staff/sessions/${slug}`);
  add('staff/sessions/session-move.tsx', `/staff/sessions/${slug}/move`);
  add('staff/sessions/session-change.tsx', `/staff/sessions/${slug}/cancel`);
  add('staff/sessions/session-new.tsx', '/staff/sessions/new');
  add('staff/payments/payments.tsx', '/staff/payments');
  const body = new FormData();
  body.set('act', 'preview');
  body.set('file', new File([`08/09/2025,"+2000.00","from Jane","+1.00"`], 'statement.csv', { type: 'text/csv' }));
  const headers = { Cookie: ada.cookie, 'Sec-Fetch-Site': 'same-origin' };
  const uploaded = await academy.request('/staff/payments', { method: 'POST', headers, body });
  add('staff/payments/statement.tsx', uploaded.headers.get('Location') ?? '', undefined, false);
  const payment = await db
    .insertInto('payments')
    .values({
      amount_cents: 2000,
      received_on: '2025-09-08',
      method: 'bank',
      words: 'from Jane',
      created_at: new Date(),
    } as never)
    .returning('id')
    .executeTakeFirst()
    .catch(() => undefined);
  add(
    'staff/payments/payment.tsx',
    `/staff/payments/${payment?.id ?? 1}`,
    { act: 'assign', form: crypto.randomUUID(), seen: '0', reference: '' },
    false,
  );
  // Last, because it ends the sign-in.
  add('staff/sign-out.ts', '/staff/sign-out', { to: '/' }, false);
}

/** The files of all routes with an action, from the list of addresses. */
function filesWithAction(entries: readonly RouteConfigEntry[]): string[] {
  return entries.flatMap(({ file, children = [] }) => {
    const source = readFileSync(path.join(projectRoot, 'app', file), 'utf8');
    const own = /^export (?:async function|function|const) action\b/m.test(source) ? [file.replace('routes/', '')] : [];
    return [...own, ...filesWithAction(children)];
  });
}

const raw = ['api/stripe-events.ts', 'api/vitals.ts'];

test('every address that takes a form is tried', () => {
  const missing = filesWithAction(routes).filter((file) => !pages.has(file) && !raw.includes(file));
  expect(missing).toEqual([]);
});

function bodyOf(fields: Record<string, string>, field: string, value: string | string[] | File): BodyInit {
  const body = value instanceof File ? new FormData() : new URLSearchParams();
  for (const [name, text] of Object.entries(fields)) if (name !== field) body.set(name, text);
  for (const one of Array.isArray(value) ? value : [value]) (body as FormData).append(field, one);
  return body;
}

async function formsAt({ address, fields }: { address: string; fields?: Record<string, string> }): Promise<PageForm[]> {
  if (fields) return [{ to: address, fields, typed: [] }];
  const page = await academy.request(address, { headers: { Cookie: ada.cookie } });
  // Nobody sends a form within two seconds.
  academy.setNow(new Date(academy.services.enquiries.clock.now().getTime() + 5000));
  const forms = formsOf(await page.text(), address).filter(({ to }) => !/promotion\/close|sign-out/.test(to));
  return forms;
}

test('nothing that is sent in any field of any form is a fault of ours, and what was typed beside it is kept', async () => {
  const faults: string[] = [];
  let sent = 0;
  academy.logged.length = 0;
  for (const [file, tried] of pages) {
    for (const one of tried) {
      const forms = await formsAt(one);
      if (forms.length === 0) faults.push(`${file} ${one.address} shows no form`);
      for (const { to, fields, typed } of forms) {
        const address = new URL(to, `http://localhost:3000${one.address}`);
        for (const field of [...Object.keys(fields), 'no-such-field', 'a\0name']) {
          const witness = typed.find((name) => name !== field);
          const filled = { ...fields, ...(witness && { [witness]: words }) };
          for (const [what, value] of some(values, { always: 2, inTurn: 1 })) {
            const headers = { Cookie: ada.cookie, 'Sec-Fetch-Site': 'same-origin' };
            const init = { method: 'POST', headers, body: bodyOf(filled, field, value), from: from() };
            const answer = await academy.request(address.pathname + address.search, init);
            sent += 1;
            const where = `${file} ${address.pathname} ${field}: ${what} → ${answer.status}`;
            if (answer.status >= 500) faults.push(where);
            const shows = answer.headers.get('Content-Type')?.startsWith('text/html') ?? false;
            const refused = shows && [400, 409, 422].includes(answer.status);
            if (refused && witness && one.kept !== false && !(await answer.text()).includes(words))
              faults.push(`${where}, without “${witness}” as typed`);
          }
        }
      }
    }
  }
  expect(faults).toEqual([]);
  expect(academy.logged.filter((line) => /unhandled|form failed/.test(line))).toEqual([]);
  expect(sent).toBeGreaterThan(500);
}, 900_000);

test('a body of 100,000 characters, and one that is no form, are refused in words', async () => {
  for (const [file, [one]] of pages) {
    if (!one) continue;
    const headers = { Cookie: ada.cookie, 'Sec-Fetch-Site': 'same-origin' };
    const send = (body: BodyInit, type?: string) =>
      academy.request(one.address, {
        method: 'POST',
        headers: { ...headers, ...(type && { 'Content-Type': type }) },
        body,
        from: from(),
      });
    const long = await send(new URLSearchParams({ message: 'x'.repeat(100_000) }));
    expect([file, long.status]).toEqual([file, 413]);
    for (const [body, type] of [
      ['{"a": 1}', 'application/json'],
      ['--x\r\nbroken', 'multipart/form-data; boundary=x'],
      ['\0\0%zz=%f0%9f&a=%ed%a0%80', 'application/x-www-form-urlencoded'],
    ] as const) {
      const { status } = await send(body, type);
      expect([file, type, status < 500]).toEqual([file, type, true]);
    }
  }
  for (const address of ['/api/vitals', '/stripe/events']) {
    for (const body of ['\0', '{"lcp": 1e309}', '[]', '{"__proto__": {}}', '"\\ud83d"']) {
      const headers = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' };
      const { status } = await academy.request(address, { method: 'POST', headers, body });
      expect([address, body, status < 500]).toEqual([address, body, true]);
    }
  }
}, 120_000);

const odd = [
  '%00',
  'a%00b',
  '%F0%9F',
  '%ED%A0%80',
  '%F0%9F%98%80',
  '-1',
  '0',
  '1e309',
  '99999999999999999999',
  '__proto__',
  'NaN',
  '9999-12-31',
];

test('no path and no question with odd values is a fault of ours', async () => {
  const faults: string[] = [];
  const patterns = (entries: readonly RouteConfigEntry[]): string[] =>
    entries.flatMap(({ path: own, children = [] }) => [...(own ? [`/${own}`] : []), ...patterns(children)]);
  const real: [RegExp, string][] = [...pages.values()].flat().flatMap(({ address }) => {
    const known = /^\/(enrolment|place|enrol|waiting|booking|chat)\/([0-9a-f]{20,})/.exec(address);
    return known ? [[new RegExp(`^/${known[1]}/:(token|draft)`), `/${known[1]}/${known[2]}`] as [RegExp, string]] : [];
  });
  const reference =
    /BB-\w+/.exec(
      [...pages.values()]
        .flat()
        .map(({ address }) => address)
        .find((one) => one.startsWith('/staff/enrolments/BB')) ?? '',
    )?.[0] ?? '';
  const query = (value: string) =>
    [
      'date',
      'search',
      'q',
      'page',
      'to',
      'course',
      'session',
      'item',
      'zone',
      'month',
      'show',
      'places',
      'state',
      'done',
      'seats',
      'enrolment',
      'proof',
      'token',
      'key',
      'from',
      'person',
      'offer',
      'course',
    ]
      .map((name) => `${name}=${value}`)
      .join('&');
  for (const pattern of patterns(routes)) {
    if (pattern.includes('*')) continue;
    // With a real token before them, later parameters are read too.
    const shapes = [
      pattern,
      ...real.filter(([form]) => form.test(pattern)).map(([form, own]) => pattern.replace(form, own)),
    ];
    if (pattern.startsWith('/staff/enrolments/:reference')) shapes.push(pattern.replace(':reference', reference));
    for (const shape of new Set(shapes)) {
      if (/sign-out|\.pdf/.test(shape)) continue;
      for (const value of some(odd, { always: 0, inTurn: 3 })) {
        const own = shape.replaceAll(/:\w+/g, value);
        const asked = `${shape.replaceAll(/:\w+/g, '1')}?${query(value)}`;
        const headers = { Cookie: ada.cookie, 'Sec-Fetch-Site': 'same-origin' };
        const body = new URLSearchParams({ intent: 'x', act: 'x', start: '9999-12-31T00:00:00.000Z' });
        const requests: [string, RequestInit][] = [
          [own, {}],
          [asked, {}],
          [own, { method: 'POST', body }],
        ];
        for (const [address, init] of requests) {
          const { status } = await academy.request(address, { ...init, headers, from: from() });
          if (status >= 500) faults.push(`${init.method ?? 'GET'} ${address} → ${status}`);
        }
      }
    }
  }
  expect(faults).toEqual([]);
}, 900_000);
