import { byteOrderMark, type CsvColumns, csvLine } from '#app/lib/csv-cell.ts';
import type { Route } from './+types/people-file';
import { companyFor } from './company-for.server.ts';
import type { ShownDate, ShownSeat } from './company-shown.server.ts';

/** Everybody of an organisation as a file for a spreadsheet (P116). */
export async function loader({ context, params: { id } }: Route.LoaderArgs): Promise<Response> {
  const { shown } = await companyFor(context, id);
  const rows = [...shown.toCome, ...shown.over].flatMap((date) => date.seats.map((seat) => ({ date, seat })));
  const lines = [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((value) => value(row)))];
  return new Response(byteOrderMark + lines.map(csvLine).join(''), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="people.csv"',
    },
  });
}

const columns: CsvColumns<{ date: ShownDate; seat: ShownSeat }> = {
  Person: ({ seat }) => seat.name,
  Email: ({ seat }) => seat.email,
  Course: ({ date }) => date.title,
  'First day': ({ date }) => date.firstDay,
  'Last day': ({ date }) => date.lastDay,
  Where: ({ date }) => date.where,
  State: ({ seat }) => seat.state,
  Enrolment: ({ seat }) => seat.reference,
  'Bought by': ({ seat }) => seat.buyer,
  'Price incl. GST': ({ seat }) => ({ cents: seat.amountCents }),
};
