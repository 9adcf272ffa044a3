import { existsSync, readdirSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  databaseIdentity,
  lastNumbers,
  marksFolder,
  openGivenNumbers,
  raiseMarks,
  readMarks,
  skippedNumbers,
} from '#app/features/money/document-numbers.server.ts';
import { findSignIn } from '#app/features/people/sign-ins.server.ts';
import { connectionUrl } from '#scripts/support/codegen.ts';
import { runScript, temporaryFolder } from '#scripts/support/program.ts';
import { changesOf } from '#tests/support/changes-of.ts';
import { enrolInvoiced } from '#tests/support/money.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { insertSignIn } from '#tests/support/staff.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { torture } from '#tests/support/torture.ts';

const day = { today: '2025-09-08', at: new Date('2025-09-08T09:00:00+10:00') };

let database: SharedDatabase;
let data: ReturnType<typeof temporaryFolder>;
const logged: string[] = [];
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty();
  data = temporaryFolder();
  logged.length = 0;
});
afterEach(async () => {
  data.remove();
});

/** A program that starts on the database. */
const program = (dataDir = data.folder) => {
  const log = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  return openGivenNumbers({
    db: database.db,
    folders: [dataDir],
    clock: { now: () => day.at, aheadMs: 0 },
    log: { warn: log, error: log },
  });
};
const enrol = async () => (await enrolInvoiced(database.db, day)).number;

/** The database as a backup has it that was made when so many invoices were issued. */
async function restoreTo(last: number) {
  await database.owner.transaction().execute(async (trx) => {
    // Documents are only added to, by triggers.
    await sql`set local session_replication_role = replica`.execute(trx);
    const gone = trx.selectFrom('tax_invoices').select('id').where('number', '>', last);
    await trx.deleteFrom('tax_invoice_lines').where('tax_invoice_id', 'in', gone).execute();
    await trx.deleteFrom('tax_invoices').where('number', '>', last).execute();
    await trx.updateTable('document_numbers').set({ last }).where('kind', '=', 'tax-invoice').execute();
    await trx.deleteFrom('skipped_numbers').execute();
  });
}

test('P30: a number given out before a restore is never given out again, and skipped numbers are recorded', async () => {
  const before = program();
  expect([await enrol(), await enrol(), await enrol()]).toEqual(['INV-00001', 'INV-00002', 'INV-00003']);
  await before.keep();
  await restoreTo(1);
  await program().keep();
  expect(await enrol()).toBe('INV-00004');
  expect(await skippedNumbers(database.db)).toEqual([{ first: 'INV-00002', last: 'INV-00003', at: day.at }]);
  expect(logged).toEqual(['numbers given out before a restore are skipped {"skipped":["INV-00002 to INV-00003"]}']);
  const entry = await database.db
    .selectFrom('audit_entries')
    .select(['subject', 'details'])
    .where('action', '=', 'skip-numbers')
    .execute();
  expect(entry).toEqual([{ subject: 'document-numbers:tax-invoice', details: { from: 'INV-00002', to: 'INV-00003' } }]);
  expect(await changesOf(database.db, 'document-numbers:tax-invoice')).toEqual([['skip-numbers', 'last', 1, 3]]);
  // A program that went on running through the restore does the same.
  await before.keep();
  await restoreTo(1);
  await before.keep();
  expect(await enrol()).toBe('INV-00005');
});

test('nothing is skipped in a database that is not behind, nor in another one with the same folder', async () => {
  await enrol();
  await program().keep();
  await program().keep();
  expect(await enrol()).toBe('INV-00002');
  expect(await skippedNumbers(database.db)).toEqual([]);
  const other = await createTestDatabase('academyTemplate');
  try {
    const log = { warn: () => undefined, error: () => undefined };
    await openGivenNumbers({
      db: other.db,
      folders: [data.folder],
      clock: { now: () => day.at, aheadMs: 0 },
      log,
    }).keep();
    expect(await lastNumbers(other.db)).toEqual({ 'tax-invoice': 0, 'adjustment-note': 0, offer: 0 });
  } finally {
    await other.drop();
  }
});

test('the files only rise, however many processes write them at once, and a folder that cannot be written to stops nothing', async () => {
  const folder = marksFolder(data.folder, await databaseIdentity(database.db));
  expect(await readMarks(folder)).toBeNull();
  const numbers = [3, 9, 5, 9, 1];
  await Promise.all(numbers.map((last) => raiseMarks(folder, { 'tax-invoice': last, 'adjustment-note': 2, offer: 4 })));
  expect(await readMarks(folder)).toEqual({ 'tax-invoice': 9, 'adjustment-note': 2, offer: 4 });
  await raiseMarks(folder, { 'tax-invoice': 12, 'adjustment-note': 0, offer: 0 });
  expect(readdirSync(folder).toSorted()).toEqual(['ADJ-00002', 'INV-00012', 'OFF-00004']);
  await enrol();
  await program('/proc/none').keep();
  expect(logged).toEqual([expect.stringContaining('could not be written')]);
});

async function restoreCheck(args: string[], status: number): Promise<string> {
  const run = runScript('restore-check.ts', args, {
    DATABASE_URL: connectionUrl(database.connection),
    DATA_DIR: data.folder,
  });
  expect([await run.end(), run.output()]).toEqual([status, expect.any(String)]);
  return run.output();
}

test('npm run restore-check ends every sign-in, and every link and code for one', async () => {
  const { db } = database;
  const { value } = await insertSignIn(db, { email: 'ada@example.com', name: 'Ada Byron' }, day.at);
  const { person_id } = await db.selectFrom('sign_ins').select('person_id').executeTakeFirstOrThrow();
  const asked = { email: 'ada@example.com', asked_at: day.at };
  await db
    .insertInto('sign_in_asks')
    .values({ ...asked, audience: 'staff', browser_hash: 'b', leads_to: '/' })
    .execute();
  await db
    .insertInto('address_asks')
    .values({ ...asked, person_id, link_hash: 'l' })
    .execute();
  const find = () => findSignIn(db, { token: value, audience: 'staff', at: day.at });
  expect(await find()).not.toBeNull();
  // Nothing is done when a number is a typing mistake.
  await restoreCheck(['--after', 'INV-99999'], 2);
  expect(await find()).not.toBeNull();
  expect(await restoreCheck(['--after', 'INV-00001'], 0)).toContain('Ended 1 login,');
  expect(await find()).toBeNull();
  for (const table of ['sign_in_asks', 'address_asks'] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
});

torture('npm run restore-check skips numbers that were given out, by the files or by a given number', async () => {
  await enrol();
  const unknown = await restoreCheck([], 1);
  expect(unknown).toContain('last in the database INV-00001');
  expect(unknown).toContain('No numbers given out were kept');
  expect(await restoreCheck(['--after', 'INV-00120'], 0)).toContain('Skipped: INV-00002 to INV-00120');
  expect(await enrol()).toBe('INV-00121');
  await program().keep();
  await restoreTo(1);
  expect(await restoreCheck([], 0)).toContain('Skipped: INV-00002 to INV-00121');
  expect(await restoreCheck([], 0)).toContain('Nothing was skipped');
  expect(await restoreCheck(['--after', 'INV-99999'], 2)).toContain('more than 10000 numbers ahead');
  expect(await restoreCheck(['--after', '120'], 2)).toContain('Not a number such as INV-00120');
  expect(await enrol()).toBe('INV-00122');
  expect(existsSync(marksFolder(data.folder, await databaseIdentity(database.db)))).toBe(true);
});
