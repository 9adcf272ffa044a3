import { afterAll, beforeAll, expect, test } from 'vitest';
import { momentOf } from '#app/http/academy.server.ts';
import type { BackupState } from '#app/http/backup-state.server.ts';
import { tellOfBackup } from '#server/jobs.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
let owner: SignedIn;
let state: BackupState;
const at = new Date('2025-09-06T16:10:00Z');
beforeAll(async () => {
  academy = await openAcademyApp({ env: { METRICS_PORT: '9' } });
  owner = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  // The database of tests is not the program's own, so nothing backs it up.
  Object.assign(academy.services, { backups: { state: async () => state, close: async () => undefined } });
});
afterAll(() => academy.close());

const fault = 'The newest backup is older than a day.';
const good = { at, checkedAt: null, fault: null, sameDisk: false };

test('P92: a backup that is missing stands first on /staff, in figures, and as a word on /status', async () => {
  state = { ...good, fault };
  expect(await mainText(await owner.get('/staff'))).toMatch(
    /Enrol by hand The newest backup is older than a day\. The newest backup is of 7 Sept 2025, 2:10 AM/,
  );
  expect(await mainText(await academy.request('/status'))).toMatch(/Backup ?: Delayed/);
  expect(await academy.metrics?.text()).toMatch(/^backup_good 0$/m);
});

test('P92: while there is a good backup nothing is said', async () => {
  state = good;
  expect(await mainText(await owner.get('/staff'))).not.toContain('backup');
  expect(await academy.metrics?.text()).toMatch(/^backup_good 1$/m);
});

test('P92: every owner is mailed of it once a day', async () => {
  const { db } = academy.database;
  const mails = () => db.selectFrom('mails').select('recipient').where('kind', '=', 'backup-fault').execute();
  await tellOfBackup(db, good, momentOf(academy.services.academy));
  expect(await mails()).toEqual([]);
  for (let hour = 0; hour < 2; hour++) await tellOfBackup(db, { ...good, fault }, momentOf(academy.services.academy));
  expect(await mails()).toEqual([{ recipient: 'ada@example.com' }]);
});
