import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOfToken, makeToken } from '#app/lib/private-token.server.ts';
import { consentLink } from '#app/outbox/marketing.server.ts';
import routes from '#app/routes.ts';
import { trapField } from '#app/ui/form-state.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { cuttingProxy } from '#tests/support/cutting-proxy.ts';
import { everyForm, type FormPage, type FormPages, filesWithAction, formsAt } from '#tests/support/every-form.ts';
import { personOf, signInPlayer } from '#tests/support/players.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { torture } from '#tests/support/torture.ts';
import { validFor, words } from '#tests/support/valid-forms.ts';

let database: TestDatabase;
let proxy: Awaited<ReturnType<typeof cuttingProxy>>;
let academy: AcademyApp;
let ada: SignedIn;
let pages: FormPages;
let cookie: string;
let network = 0;
const from = () => `10.2.${(++network >> 8) & 255}.${network & 255}`;

/** What the next connection is cut at, once: the beginning of a write, or the commit of one. Null once it happened. */
let next: 'begin' | 'commit' | null = null;

const writing = /\b(insert into|delete from|(?<!for )(?<!key )update ["a-z])/;

/** Follows one connection. Statements with values are named at first, and then sent by their names. */
function watch() {
  const named = new Map<string, boolean>();
  let [open, wrote] = [false, false];
  return (text: string) => {
    for (const [, name = '', statement] of text.matchAll(/(statement-\d+)\0(\s*[a-z][^\0]{5,})?/g)) {
      if (statement) named.set(name, writing.test(statement));
      wrote ||= named.get(name) ?? false;
    }
    wrote ||= writing.test(text);
    const begins = /(^|[^a-z_])(begin|start transaction[a-z ,]*)\0/.test(text);
    const commits = /(^|[^a-z_])commit\0/.test(text);
    const stores = wrote && (commits || !open);
    const hit = next === 'begin' ? begins || wrote : next === 'commit' && stores;
    if (begins || commits) open = begins;
    if (!open || begins) wrote = false;
    if (!hit) return null;
    const how = next === 'begin' ? 'before' : 'after';
    next = null;
    return how;
  };
}

beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  proxy = await cuttingProxy(database.connection, watch);
  academy = await openAcademyApp({ on: { ...database, connection: { ...database.connection, host: proxy.host } } });
  const { db } = database;
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  pages = await everyForm(academy, ada, from);
  const grace = await personOf(db, 'grace@players.example', 'Grace Hopper');
  cookie = `${ada.cookie}; player=${(await signInPlayer(academy, grace)).cookies.get('player')}`;
  const set = (file: string, address: string, fields: Record<string, string>) => pages.set(file, [{ address, fields }]);
  set('storefront/unsubscribe.tsx', await consentLink(db, '', 'ada@example.org'), {});
  set('account/bower.tsx', '/account/bower', { avenue: 'cissp' });
  set('account/settings.tsx', '/account/settings', { act: 'add-address', email: 'grace@elsewhere.example' });
  set('account/leave.tsx', '/account/leave', { act: 'leave', word: 'delete' });
  set('account/logout.ts', '/logout', {});
  const staff = { form: crypto.randomUUID(), seen: '0' };
  const invited = { act: 'invite', name: 'Alan Turing', email: 'alan@example.com', role: 'reader', teachesAs: '' };
  set('staff/people/team.tsx', '/staff/people/staff', { ...staff, ...invited });
  set('staff/people/person.tsx', `/staff/people/${grace}`, { ...staff, act: 'end', reason: 'lost' });
  set('staff/prices/prices.tsx', '/staff/prices', { ...staff, act: 'confirm-all', proof: words });
  set('links/enrolment/accounts.tsx', `/accounts/${await askedForInvoices()}`, {});
});
afterAll(async () => {
  await academy.close();
  await proxy.close();
  await database.drop();
});

/** A link that asks an address whether it wants the invoices of an enrolment. */
async function askedForInvoices(): Promise<string> {
  const { db } = database;
  const { id } = await db.selectFrom('enrolments').select('id').orderBy('id').executeTakeFirstOrThrow();
  const token = makeToken();
  const asked = { enrolment_id: id, email: 'accounts@example.org', token_hash: hashOfToken(token) };
  await db
    .insertInto('accounts_addresses')
    .values({ ...asked, named_at: academy.now() })
    .execute();
  await db.updateTable('enrolments').set({ accounts_email: asked.email }).where('id', '=', id).execute();
  return token;
}

/** Fields for a further step of these, which store something. */
const storing: Record<string, Record<string, string>> = {
  'staff/bulk-actions/message.tsx': { act: 'test' },
  'links/enrolment/attendee.tsx': { 'guardianName-1': 'Grace Hopper' },
  'links/enrolment/add.tsx': { 'guardianName-1': 'Grace Hopper' },
  'links/enrolment/details.tsx': { organisation: 'Byron and Sons' },
  'staff/accountant/accountant.tsx': { account: '200' },
  'staff/inbox/template.tsx': { name: 'Another name' },
  'storefront/book.tsx': { start: '2025-09-11T23:00:00.000Z', email: 'new@example.org' },
};

/** They touch no database, only that of Stripe, or only once somebody has shown the first factor of a sign-in. */
const without = [
  'api/vitals.ts',
  'api/close-promotion.ts',
  'api/stripe-events.ts',
  'links/enrolment/card.tsx',
  'staff/sign-in-factor.tsx',
  'staff/sign-in-set-up.tsx',
];
/** Read by scripts, which say it in words of their own. */
const ofScripts = ['account/login-passkey.ts', 'staff/sign-in-passkey.ts', 'staff/classes/class-taps.ts'];
/** One statement without a transaction: when it is cut, nobody knows whether it arrived. */
const alone = ['account/logout.ts', 'staff/sign-out.ts'];
/** After these the browser is no longer signed in. */
const last = [
  'account/settings.tsx',
  'account/leave.tsx',
  'account/logout.ts',
  'staff/people/person.tsx',
  'staff/sign-out.ts',
];
const files = filesWithAction(routes)
  .filter((file) => !without.includes(file))
  .sort((one, other) => last.indexOf(one) - last.indexOf(other));

/** Its second page is of a file that was uploaded. */
const statement = 'staff/payments/statement.tsx';

/** Sends a form as a browser does, over a connection that breaks; a page without one as the browser without scripts. */
async function sendCut(file: string, at: 'begin' | 'commit') {
  // Nobody has to sign in anew, and no use of a sign-in is written down.
  const now = academy.now();
  await database.db.updateTable('sign_ins').set({ used_at: now, proved_at: now }).execute();
  const page: FormPage | undefined = pages.get(file)?.at(file === statement ? -1 : 0);
  const [form] = page ? await formsAt(academy, ada, page) : [];
  if (!page || !form) return { status: 404, text: 'shows no form', cut: false };
  const witness = form.typed.find((name) => name !== trapField);
  const { pathname, search } = new URL(form.to, `http://localhost:3000${page.address}`);
  const fields = {
    ...form.fields,
    ...(witness && { [witness]: words }),
    ...(file === statement ? {} : validFor(academy, file)),
    ...storing[file],
  };
  next = at;
  const answer = await academy.request(`${pathname}${asDocument(file) ? '' : '.data'}${search}`, {
    method: 'POST',
    headers: {
      Cookie: cookie,
      'Sec-Fetch-Site': 'same-origin',
      ...(!asDocument(file) && { 'Sec-Fetch-Dest': 'empty' }),
    },
    body: new URLSearchParams(fields),
    from: from(),
  });
  const cut = next === null;
  next = null;
  return { status: answer.status, text: await answer.text(), cut };
}
/** Their pages say it, with the state that the action gives. */
const stated = [
  'storefront/unsubscribe.tsx',
  'links/enrolment/accounts.tsx',
  'storefront/login-link.tsx',
  'staff/sign-in-confirm.tsx',
];
const asDocument = (file: string) => file.endsWith('.ts') || stated.includes(file);

/** The sentences of an answer, without the rest of its page. */
const inShort = (text: string) =>
  (/[^">]*(not available|could not confirm)[^"<]*/.exec(text)?.[0] ?? text).slice(0, 300);

/** Refused here for what was typed, before anything is asked of the database. */
const refusedAtOnce = ['enrol/request.tsx', 'staff/course-dates/course-date-new.tsx'];

test('P88: a form whose act was not begun says for sure that nothing was done', async () => {
  const wrong: string[] = [];
  for (const file of files) {
    const { status, text, cut } = await sendCut(file, 'begin');
    const sure = /nothing (was|is)|not (logged|signed|enrolled|opened|saved|withdrawn|take|end) ?/i.test(text);
    if (!cut) wrong.push(`${file} wrote nothing → ${status} ${inShort(text)}`);
    else if (status !== 503) wrong.push(`${file} → ${status} ${inShort(text)}`);
    else if (/could not confirm|not confirmed/i.test(text) && !alone.includes(file))
      wrong.push(`${file}: ${inShort(text)}`);
    else if (!sure && ![...ofScripts, ...alone].includes(file)) wrong.push(`${file} does not say it: ${inShort(text)}`);
  }
  expect(wrong.filter((one) => !refusedAtOnce.includes(one.split(' ')[0] ?? ''))).toEqual([]);
});

/**
 * Refused here, which undoes what they wrote: what they need is not in this database. Those of staff are taken in one
 * transaction like the others (`takeStaffAct`), and a code, link or passkey that nobody has changes nothing.
 */
const neverStored = [
  ...refusedAtOnce,
  ...['storefront/login-code.tsx', 'storefront/login-undo.tsx', 'staff/sign-in-code.tsx'],
  ...['account/login-passkey.ts', 'account/passkey.ts', 'staff/sign-in-passkey.ts'],
  ...['staff/waiting-course-date.tsx', 'staff/mail.tsx', 'staff/faults.tsx'],
  ...['bulk-action', 'buyers'].map((name) => `staff/bulk-actions/${name}.tsx`),
  ...['certificates', 'course-date-move'].map((name) => `staff/course-dates/${name}.tsx`),
  ...['class', 'class-details', 'answer', 'hand-out'].map((name) => `staff/classes/${name}.tsx`),
  ...['enrol', 'cancel'].map((name) => `staff/enrolments/${name}.tsx`),
  'company/company.tsx',
  ...['cancel', 'transfer', 'choose', 'organisation'].map((name) => `links/enrolment/${name}.tsx`),
  ...['payments', 'suggested', 'payment'].map((name) => `staff/payments/${name}.tsx`),
  ...['offer', 'organisation'].map((name) => `staff/offers/${name}.tsx`),
  'staff/live-hours/live-hour-new.tsx',
  'staff/certificates/place-certificate.tsx',
  'staff/prices/promotion.tsx',
  'staff/content/record.tsx',
  'staff/content/record-history.tsx',
  // Stores nothing.
  'staff/content/record-preview.ts',
  'staff/people/member.tsx',
  'staff/classes/class-taps.ts',
  // Their pages show no form any more after what the others did.
  'enrol/review.tsx',
  ...['add', 'instalments', 'remind'].map((name) => `staff/enrolments/${name}.tsx`),
];

torture('P88: a form that was stored, and whose answer was lost, says that it may have been', async () => {
  const wrong: string[] = [];
  const notStored: string[] = [];
  for (const file of files) {
    const { status, text, cut } = await sendCut(file, 'commit');
    if (!cut) notStored.push(`${file} → ${status} ${inShort(text)}`);
    else if (status !== 503) wrong.push(`${file} → ${status} ${inShort(text)}`);
    else if (/nothing was (changed|done|sent|saved|placed)/i.test(text)) wrong.push(`${file}: ${inShort(text)}`);
    else if (!/could not confirm|not (logged|signed) in yet/i.test(text) && !ofScripts.includes(file))
      wrong.push(`${file} does not say it: ${inShort(text)}`);
  }
  expect(wrong).toEqual([]);
  expect(notStored.filter((one) => !neverStored.includes(one.split(' ')[0] ?? ''))).toEqual([]);
});
