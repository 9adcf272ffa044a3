/**
 * `npm run enquiries -- [--kind contact] [--json | --csv]`: what visitors sent, oldest first.
 * `-- --delete BB-7KQ2MX` and `-- --expire` delete one, or all older than the 24 months the privacy page promises.
 */
import { parseArgs } from 'node:util';
import { settingsOrExit } from '#app/env.server.ts';
import { deleteEnquiries } from '#app/features/enquiries/commands.server.ts';
import { listEnquiries } from '#app/features/enquiries/queries.server.ts';
import { enquiryKinds } from '#app/features/enquiries/schema.ts';
import { openDatabaseOrExit } from '#server/database.ts';

const { values } = parseArgs({
  options: {
    kind: { type: 'string' },
    json: { type: 'boolean' },
    csv: { type: 'boolean' },
    delete: { type: 'string' },
    expire: { type: 'boolean' },
  },
});
if (values.kind && !enquiryKinds.some((kind) => kind === values.kind)) {
  console.error(`--kind is one of ${enquiryKinds.join(', ')}`);
  process.exit(2);
}
const database = await openDatabaseOrExit(settingsOrExit(), (line) => console.error(line));
if (values.delete || values.expire) {
  const before = new Date();
  before.setMonth(before.getMonth() - 24);
  const count = await deleteEnquiries(database.db, values.delete ? { reference: values.delete } : { before });
  await database.close();
  console.log(`${count} ${count === 1 ? 'enquiry' : 'enquiries'} deleted`);
  process.exit(count === 0 && values.delete ? 1 : 0);
}
const rows = await listEnquiries(database.db, values.kind);
await database.close();

const records = rows.map(({ id: _, idempotency_key: __, details, created_at, ...row }) => ({
  ...row,
  created_at: created_at.toISOString(),
  details: details as Record<string, unknown>,
}));
if (values.json) console.log(JSON.stringify(records, null, 2));
else if (values.csv) printCsv();
else printList();

function printCsv() {
  const columns = ['reference', 'kind', 'created_at', 'first_name', 'last_name', 'email', 'phone', 'message'] as const;
  console.log([...columns, 'marketing_consent', 'details'].join(','));
  for (const record of records) {
    const cells = [...columns.map((column) => record[column] ?? ''), String(record.marketing_consent)];
    console.log([...cells, JSON.stringify(record.details)].map(csvCell).join(','));
  }
}

/** Quoted; a leading sign that a spreadsheet would take for a formula is disarmed. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

function printList() {
  for (const record of records) {
    console.log(`${record.reference}  ${record.kind}  ${record.created_at}`);
    console.log(`  ${record.first_name} ${record.last_name} <${record.email}> ${record.phone ?? ''}`);
    const details = Object.entries(record.details).filter(([, value]) => value !== '');
    if (details.length > 0) console.log(`  ${details.map(([key, value]) => `${key}: ${value}`).join(', ')}`);
    if (record.message) console.log(`  ${record.message.replaceAll('\n', '\n  ')}`);
    console.log('');
  }
  console.log(`${records.length} ${records.length === 1 ? 'enquiry' : 'enquiries'}`);
}
