import type { RouterContextProvider } from 'react-router';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { byteOrderMark, type CsvColumns, csvLine } from '#app/lib/csv-cell.ts';
import { formatCount } from '#app/lib/money.ts';
import type { Permission } from '#app/lib/permission-names.ts';

/** How many rows a file has at most. */
const mostRows = 100_000;

/** What the file of a list is made of: who asks, and the query of its address. */
type FileAsked = {
  academy: Academy;
  actor: StaffActor;
  params: URLSearchParams;
  context: Readonly<RouterContextProvider>;
  /** Whether only the head is asked for: then nothing is taken. */
  headOnly: boolean;
};

/** The files of lists by their names in the address, each with the permission that it needs (P68, P78). */
export type CsvFiles = Readonly<Record<string, { needs: Permission; read(asked: FileAsked): Promise<Response> }>>;

export const notFound = (): Response => new Response('Not found\n', { status: 404 });

type File<Row> = {
  /** The list, such as `enrolments`. */
  list: string;
  columns: CsvColumns<Row>;
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
      controller.enqueue(encoder.encode(byteOrderMark + csvLine(Object.keys(columns))));
    },
    async pull(controller) {
      if (piece.done) {
        await record();
        controller.close();
        return;
      }
      const shown = piece.value.slice(0, most - rows);
      rows += shown.length;
      const text = shown.map((row) => csvLine(Object.values(columns).map((of) => of(row)))).join('');
      const isCut = shown.length < piece.value.length;
      const note = `Only the first ${formatCount(most)} rows are in this file. Narrow the list to export the rest.`;
      controller.enqueue(encoder.encode(isCut ? text + csvLine([note]) : text));
      piece = isCut ? { done: true, value: undefined } : await pieces.next();
    },
    cancel: record,
  });
  return csvResponse(body, `${list}-${academyToday(academy.clock)}`);
}

/** A CSV to keep under a name, without its ending. */
export const csvResponse = (body: BodyInit | null, name: string): Response =>
  new Response(body, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
      'Cache-Control': 'private, no-store',
    },
  });

/** All lines of a short file, with the titles of its columns first. */
export const csvText = <Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string =>
  [
    byteOrderMark,
    csvLine(Object.keys(columns)),
    ...rows.map((row) => csvLine(Object.values(columns).map((of) => of(row)))),
  ].join('');
