import { csvCell } from '#app/lib/csv-cell.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';

/** How enquiries are written down for staff: as a list to read, as CSV, as JSON. */

/** One enquiry as staff see it. */
export type StaffRecord = {
  reference: string;
  kind: string;
  created_at: string;
  first_name: string;
  last_name: string;
  email: string;
  phone: string | null;
  message: string | null;
  marketing_consent: boolean;
  corrects: string | null;
  state: string;
  details: Record<string, unknown>;
};

/** A list to read, with a count at its end. Every line of a message begins with a bar. */
export function listOf(records: readonly StaffRecord[]): string {
  const count = `${records.length} ${records.length === 1 ? 'enquiry' : 'enquiries'}`;
  return [...records.map((record) => `${linesOf(record).map(showControlCharacters).join('\n')}\n`), count].join('\n');
}

function linesOf(record: StaffRecord): string[] {
  const details = Object.entries(record.details).filter(([, value]) => value !== '');
  return [
    `${record.reference}  ${record.kind}  ${record.created_at}  ${record.state}`,
    ...(record.corrects ? [`  corrects ${record.corrects}`] : []),
    `  ${record.first_name} ${record.last_name} <${record.email}> ${record.phone ?? ''}`.trimEnd(),
    ...details.map(([name, value]) => `  ${name}: ${value}`),
    ...(record.message?.split('\n').map((line) => `  | ${line}`) ?? []),
  ];
}

const columns = [
  ...(['reference', 'kind', 'created_at', 'first_name', 'last_name', 'email', 'phone', 'message'] as const),
  ...(['marketing_consent', 'corrects', 'details', 'state'] as const),
];

/** RFC 4180, every cell quoted, the first line the columns' names; `details` is JSON. */
export function csvOf(records: readonly StaffRecord[]): string {
  const rows = records.map((record) => ({ ...record, details: JSON.stringify(record.details) }));
  const lines = rows.map((row) => columns.map((column) => csvCell(String(row[column] ?? ''))).join(','));
  return [columns.join(','), ...lines].join('\n');
}

/** JSON; what `showControlCharacters` shows as a code is written as one, which JSON reads back as it was. */
export function jsonOf(records: readonly StaffRecord[]): string {
  return showControlCharacters(JSON.stringify(records, null, 2));
}
