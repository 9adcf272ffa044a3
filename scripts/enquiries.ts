/**
 * `npm run enquiries -- [--kind contact] [--json | --csv]`: what visitors sent, oldest first.
 * `-- --delete BB-7KQ2MX` erases one with its corrections. `-- --expire` erases all older than the 24 months the
 * privacy page promises, which the running program does by itself once a day.
 */

import { rm } from 'node:fs/promises';
import path from 'node:path';
import { rewriteErasedIfAlone } from '#app/db/rewrite-tables.server.ts';
import { settingsOrExit } from '#app/env.server.ts';
import { eraseEnquiry, eraseExpired } from '#app/features/inbox/enquiries/erase.server.ts';
import { listEnquiries } from '#app/features/inbox/enquiries/queries.server.ts';
import { enquiryKinds } from '#app/features/inbox/enquiries/schema.ts';
import { csvOf, jsonOf, listOf } from '#app/features/inbox/enquiries/staff-list.ts';
import { openClock } from '#app/lib/clock.ts';
import { mailFile } from '#app/outbox/transport.server.ts';
import { openDatabaseOrExit } from '#server/database.ts';
import { optionsOrExit } from './support/options.ts';

const usage = `npm run enquiries -- [--kind KIND] [--json | --csv]  lists what visitors sent, oldest first
npm run enquiries -- --delete BB-7KQ2MX              erases one with its corrections
npm run enquiries -- --expire                        erases all that is older than 24 months
KIND is one of ${enquiryKinds.join(', ')}.`;
const { values } = optionsOrExit(usage, {
  options: {
    kind: { type: 'string' },
    json: { type: 'boolean' },
    csv: { type: 'boolean' },
    delete: { type: 'string' },
    expire: { type: 'boolean' },
  },
});
const kind = enquiryKinds.find((one) => one === values.kind);
if (values.kind && !kind) {
  console.error(`--kind is one of ${enquiryKinds.join(', ')}`);
  process.exit(2);
}
const settings = settingsOrExit();
const { db, close } = await openDatabaseOrExit(settings, (line) => console.error(line));
if (values.delete || values.expire) {
  const count = values.delete ? await erase(values.delete) : await eraseExpired(db, openClock(settings.today).now());
  await rewriteErasedIfAlone(db);
  await close();
  console.log(`${count} ${count === 1 ? 'enquiry' : 'enquiries'} deleted`);
  process.exit(count === 0 && values.delete ? 1 : 0);
}
const rows = await listEnquiries(db, kind);
await close();

const records = rows.map(({ details, created_at, ...row }) => ({
  ...row,
  created_at: created_at.toISOString(),
  details: details as Record<string, unknown>,
}));
const write = values.json ? jsonOf : values.csv ? csvOf : listOf;
console.log(write(records));

async function erase(reference: string): Promise<number> {
  const { enquiries, mails } = await eraseEnquiry(db, reference);
  for (const id of mails) await rm(path.join(settings.dataDir, mailFile(id)), { force: true });
  return enquiries;
}
