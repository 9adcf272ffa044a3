import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#app/db/client.server.ts';
import { Busy } from '#app/db/connection-failure.server.ts';
import routes from '#app/routes.ts';
import { trapField } from '#app/ui/form-state.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { everyForm, type FormPages, filesWithAction, formsAt } from '#tests/support/every-form.ts';
import type { PageForm } from '#tests/support/forms-of.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';
import { validFor, words } from '#tests/support/valid-forms.ts';

let academy: AcademyApp;
let ada: SignedIn;
let pages: FormPages;
let network = 0;
const from = () => `10.1.${(++network >> 8) & 255}.${network & 255}`;

beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  pages = await everyForm(academy, ada, from);
});
afterAll(() => academy.close());

/** A database that no connection can be had of. */
function failing(error: Error): Db {
  const pool = { connect: () => Promise.reject(error), end: async () => undefined };
  return new Kysely({ dialect: new PostgresDialect({ pool: pool as never }) });
}
const away = () => failing(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));

/** Those that take no form of a page, or touch the database of sign-ins or none; `lost-answers.test.ts` sends them too. */
const others = [
  'api/stripe-events.ts',
  'api/vitals.ts',
  'api/close-promotion.ts',
  ...['', '-code', '-confirm', '-factor', '-set-up'].map((step) => `staff/sign-in${step}.tsx`),
  ...['', '-code', '-link', '-undo'].map((step) => `storefront/login${step}.tsx`),
  'staff/sign-in-passkey.ts',
  ...['address.tsx', 'bower.tsx', 'logout.ts', 'login-passkey.ts', 'passkey.ts', 'settings.tsx'].map(
    (file) => `account/${file}`,
  ),
  // Asked of somebody who is not logged in as a player.
  'account/leave.tsx',
  'company/company.tsx',
  'staff/sign-out.ts',
  // Card payment is not set up here.
  'links/enrolment/card.tsx',
  // Has a job done once more whenever it is asked for; nothing was typed.
  'staff/faults.tsx',
  // Ask for a sign-in of the last ten minutes, and have tests of their own.
  ...['team.tsx', 'member.tsx', 'person.tsx'].map((file) => `staff/people/${file}`),
  // Makes a file of what is issued; nothing was typed but a day.
  'staff/accountant/accountant.tsx',
  // Taken like the form that moves a course date.
  'staff/course-dates/course-date-new.tsx',
];
/** Their answer is a page that says it, and nothing was typed that is not stored already. */
const pagesOfTheirOwn = [
  'storefront/unsubscribe.tsx',
  'links/enrolment/accounts.tsx',
  'enrol/request.tsx',
  'enrol/earlier-step.ts',
  'staff/mail-send-now.ts',
];

/** As a browser with JavaScript sends it: the answer is the action's alone. */
function send({ to, fields }: PageForm, page: string): Promise<Response> {
  const address = new URL(to, `http://localhost:3000${page}`);
  return academy.request(`${address.pathname}.data${address.search}`, {
    method: 'POST',
    headers: { Cookie: ada.cookie, 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Dest': 'empty' },
    body: new URLSearchParams(fields),
    from: from(),
  });
}

test('P88: every form is answered in words with a 503, and keeps what was typed, while the database is busy or away', async () => {
  const { academy: enquiries } = academy.services;
  const [db, formsDb] = [enquiries.db, enquiries.forms.db];
  const files = filesWithAction(routes).filter((file) => !others.includes(file));
  const wrong: string[] = [];
  for (const file of files) {
    const [page] = pages.get(file) ?? [];
    if (!page) return expect.unreachable(file);
    const [form] = await formsAt(academy, ada, page);
    if (!form) return expect.unreachable(`${file} shows no form`);
    const witness = form.typed.find((name) => name !== trapField);
    const fields = { ...form.fields, ...(witness && { [witness]: words }), ...validFor(academy, file) };
    for (const [what, instead] of [
      ['busy', failing(new Busy('all connections are in use'))],
      ['away', away()],
    ] as const) {
      Object.assign(enquiries, { db: instead });
      Object.assign(enquiries.forms, { db: instead });
      const answer = await send({ ...form, fields }, page.address);
      Object.assign(enquiries, { db });
      Object.assign(enquiries.forms, { db: formsDb });
      const text = await answer.text();
      const said = what === 'busy' ? /Many people are/ : /system is not available/;
      if (answer.status !== 503 || !(said.test(text) || pagesOfTheirOwn.includes(file)))
        wrong.push(`${file} ${what} → ${answer.status}`);
      if (witness && !pagesOfTheirOwn.includes(file) && !text.includes(fields[witness] ?? ''))
        wrong.push(`${file} ${what}: ${witness} is lost`);
    }
  }
  expect(wrong).toEqual([]);
});

test('the mail that this computer can read is answered with a 503 while the database is away', async () => {
  const { database } = academy.services;
  const { db } = database;
  Object.assign(database, { db: away() });
  const mail = '/mail/0199d7a4-7e3b-7c51-9c2a-2f1f4f0a7b11';
  const answers = await Promise.all(
    ['/mail', mail, `${mail}/html`].map((path) => academy.request(path, { from: '127.0.0.1' })),
  );
  Object.assign(database, { db });
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
});

test('P25: a form of staff that comes twice is stored once, and answered as at first', async () => {
  const { db } = academy.database;
  const count = async () => {
    const tables = [
      'audit_entries',
      'submitted_staff_forms',
      'mails',
      'enrolments',
      'places',
      'payments',
      'waiting_offers',
    ];
    const { rows } = await sql<object>`select ${sql.join(
      tables.map((table) => sql`(select count(*) from ${sql.table(table)}) as ${sql.ref(table)}`),
    )}`.execute(db);
    return rows[0];
  };
  const accepted: string[] = [];
  for (const [file, tried] of pages) {
    if (!file.startsWith('staff/') || others.includes(file)) continue;
    for (const page of tried) {
      for (const form of await formsAt(academy, ada, page)) {
        const texts = Object.fromEntries(form.typed.map((name) => [name, form.fields[name] || '1']));
        const filled = { ...form, fields: { ...form.fields, ...texts } };
        const first = await send(filled, page.address);
        const before = await count();
        const second = await send(filled, page.address);
        expect([file, second.status]).toEqual([file, first.status]);
        if (first.status !== 202) continue;
        expect([file, await count()]).toEqual([file, before]);
        accepted.push(`${file} ${form.fields.act ?? ''}`.trim());
      }
    }
  }
  expect(accepted).toEqual(
    expect.arrayContaining([
      'staff/enquiry.tsx answer',
      'staff/enquiry.tsx note',
      'staff/conversation.tsx answer',
      'staff/conversation.tsx note',
      'staff/enrolments/enrolment.tsx links',
      'staff/course-dates/course-date.tsx resize',
      'staff/course-dates/course-date-change.tsx cancel',
      'staff/payments/statement.tsx record',
    ]),
  );
});
