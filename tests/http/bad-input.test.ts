import type { RouteConfigEntry } from '@react-router/dev/routes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import routes from '#app/routes.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { everyForm, type FormPages, filesWithAction, formsAt } from '#tests/support/every-form.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';
import { times, torture } from '#tests/support/torture.ts';

/** Values that nobody types, for each field of each form. */
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

/** Tries everything everywhere, which takes many minutes. */
const all = times(0, 1) === 1;
const turns = new Map<object, number>();
/** The next ones of a list in turn, so that all are tried on different fields or addresses. */
function next<T>(list: readonly T[], count: number): T[] {
  if (all) return [...list];
  const turn = turns.get(list) ?? 0;
  turns.set(list, turn + count);
  return Array.from({ length: count }, (_, at) => list[(turn + at) % list.length] as T);
}

const values = Object.entries(hostile);

let academy: AcademyApp;
let ada: SignedIn;
/** The pages with forms of each file with an action. */
let pages: FormPages;
let network = 0;
const from = () => `10.${(++network >> 16) & 255}.${(network >> 8) & 255}.${network & 255}`;

beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  pages = await everyForm(academy, ada, from);
});
afterAll(() => academy.close());

// The page of a person has its one form for people with an account, which staff-team.test.ts tries.
const raw = ['api/stripe-events.ts', 'api/vitals.ts', 'staff/people/person.tsx'];

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

torture('no value in any field of any form is a 500, and the other fields keep their text', async () => {
  const faults: string[] = [];
  let sent = 0;
  academy.logged.length = 0;
  for (const [file, tried] of pages) {
    for (const one of tried) {
      const forms = await formsAt(academy, ada, one);
      if (forms.length === 0) faults.push(`${file} ${one.address} shows no form`);
      for (const { to, fields, typed } of forms) {
        const address = new URL(to, `http://localhost:3000${one.address}`);
        for (const field of [...Object.keys(fields), 'no-such-field', 'a\0name']) {
          const witness = typed.find((name) => name !== field);
          const filled = { ...fields, ...(witness && { [witness]: words }) };
          for (const [what, value] of next(values, 1)) {
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
});

test('a body that is too long, and one that is no form, are refused in words', async () => {
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
    // A text of the academy may be longer than a message.
    const much = file.startsWith('staff/content/') ? 300_000 : 100_000;
    const long = await send(new URLSearchParams({ message: 'x'.repeat(much) }));
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
});

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

torture('no path and no question with odd values is a fault of ours', async () => {
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
      'courseDate',
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
      for (const value of next(odd, 2)) {
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
});
