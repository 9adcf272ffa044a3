import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { academyToday } from '#app/lib/clock.ts';
import { byteOrderMark, type CsvValue, csvLine } from '#app/lib/csv-cell.ts';
import { formatCount } from '#app/lib/money.ts';
import { instantWithOffset } from '#app/lib/wall-clock.ts';

/** How many rows a file has at most. */
const mostRows = 100_000;

/** An instant as the pages show it, by Brisbane's clock: `2025-09-15T09:00:12+10:00`. */
export const csvInstant = (at: Date): string => instantWithOffset(academyZone, at);

/** A column of a file: its head and its value for a row. Days as 2027-02-15, amounts in dollars. */
export type CsvColumn<Row> = readonly [head: string, valueOf: (row: Row) => CsvValue];

type File<Row> = {
  /** The list, such as `enrolments`. */
  list: string;
  columns: readonly CsvColumn<Row>[];
  /** All rows, in pieces. */
  pieces: AsyncGenerator<readonly Row[], void, undefined>;
  /** Which rows: filters of the address, without words of a search, which may be somebody's name. */
  filters: string;
  most?: number;
};

/** Records in the trace who exported how many rows of what. */
export const recordExport = (
  academy: Academy,
  actor: StaffActor,
  { list, ...details }: Pick<File<never>, 'list' | 'filters'> & { rows: number },
): Promise<void> =>
  writeAuditEntry(academy.db, {
    at: academy.clock.now(),
    personId: actor.person.id,
    action: 'export-list',
    subject: `list:${list}`,
    details,
  });

/**
 * The rows of a list as CSV, read from the database as they are sent, 100,000 at most; a last line says when there are
 * more. Who exported how many rows of what is recorded when the file ends, also when it is broken off.
 */
export async function csvFile<Row>(
  academy: Academy,
  actor: StaffActor,
  { list, columns, pieces, filters, most = mostRows }: File<Row>,
): Promise<Response> {
  requirePermission(actor, 'lists:export');
  const first = await unlessDatabaseAway(() => pieces.next());
  const encoder = new TextEncoder();
  let rows = 0;
  let piece = first;
  const record = () => recordExport(academy, actor, { list, rows, filters });
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(byteOrderMark + csvLine(columns.map(([head]) => head))));
    },
    async pull(controller) {
      if (piece.done) {
        await record();
        controller.close();
        return;
      }
      const shown = piece.value.slice(0, most - rows);
      rows += shown.length;
      const text = shown.map((row) => csvLine(columns.map(([, of]) => of(row)))).join('');
      const isCut = shown.length < piece.value.length;
      const note = `Only the first ${formatCount(most)} rows are in this file. Narrow the list to export the rest.`;
      controller.enqueue(encoder.encode(isCut ? text + csvLine([note]) : text));
      piece = isCut ? { done: true, value: undefined } : await pieces.next();
    },
    cancel: record,
  });
  return new Response(body, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${list}-${academyToday(academy.clock)}.csv"`,
      'Cache-Control': 'private, no-store',
    },
  });
}
