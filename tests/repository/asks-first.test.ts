import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { csvFiles } from '#app/routes/staff/lists/list-files.server.ts';
import { unaskedIn, unaskedInText } from '#tests/support/asks-first.ts';
import { guardedRoutes } from '#tests/support/guarded-routes.ts';

test('P68: each query of a loader for staff takes the staff member and refuses by itself', () => {
  const files = [...new Set(guardedRoutes().map(({ file }) => file)), 'routes/staff/layout.tsx'];
  // The files of rows have one loader, and each of them reads by itself.
  expect(files.length + Object.keys(csvFiles).length).toBeGreaterThan(100);
  const faults = files.flatMap((file) => unaskedIn(path.join(projectRoot, 'app', file)));
  expect(faults).toEqual([]);
});

test.each([
  ['lists/list-files.server.ts', 'listFiles'],
  ['accountant/money-files.server.ts', 'moneyFiles'],
])('P68: each query for a file of rows in %s takes the staff member and refuses by itself', (file, name) => {
  expect(unaskedIn(path.join(projectRoot, 'app/routes/staff', file), name)).toEqual([]);
});

const page = path.join(projectRoot, 'app/routes/staff/made-up.tsx');
const loaderOf = (read: string, more = '') => `
import { readMembers } from '#app/features/people/roles.server.ts';
import { findBooking } from '#app/features/inbox/bookings/queries.server.ts';
export async function loader({ context }) {
  const actor = staffFor(context, 'staff:read');
  const { db } = context.get(academyContext);
  return unlessDatabaseAway(async () => ${read});
}
${more}`;

test.each([
  ['a query without the actor', loaderOf('readMembers(db)'), 'made-up.tsx: readMembers without the staff member'],
  ['the database in an object', loaderOf('readToday({ db })'), 'made-up.tsx: readToday without the staff member'],
  ['the whole academy', loaderOf('readAll(academy)'), 'made-up.tsx: readAll without the staff member'],
  [
    'a query that takes the actor and does not ask',
    loaderOf("findBooking(db, actor, 'x')"),
    'made-up.tsx: findBooking does not refuse by itself',
  ],
  ['a query of its own', loaderOf("db.selectFrom('people').execute()"), 'made-up.tsx: db.selectFrom in the loader'],
  [
    'a helper of the page',
    loaderOf('all(context)', 'const all = (context) => readMembers(context.get(academyContext).db);'),
    'made-up.tsx: readMembers without the staff member',
  ],
])('%s is found', (_, text, fault) => {
  expect(unaskedInText(page, text)).toEqual([fault]);
});

test('a query that asks is none, also one that asks by another', () => {
  expect(unaskedInText(page, loaderOf('readMembers(db, actor)'))).toEqual([]);
  const more = 'function read(db, actor) { return readMembers(db, actor); }';
  expect(unaskedInText(page, loaderOf('read(db, actor)', more))).toEqual([]);
});
