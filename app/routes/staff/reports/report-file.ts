import { staffFor } from '#app/features/people/staff-only.server.ts';
import { everyDay, lastDay, periodIn } from '#app/features/reports/period.ts';
import { readReport, reportAt } from '#app/features/reports/reports.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { byteOrderMark, csvLine } from '#app/lib/csv-cell.ts';
import type { Route } from './+types/report-file';
import { cellInFile } from './cell-text.ts';

/** The table of a report as CSV; it names no person. */
export async function loader({ context, params, url }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'reports:read');
  const academy = context.get(academyContext);
  const report = reportAt(params.report);
  if (!report) return new Response('Not found\n', { status: 404 });
  const { now, today } = momentOf(academy);
  const period = periodIn(url.searchParams, today, report.isState && everyDay);
  const { columns, rows } = await unlessDatabaseAway(() => readReport(academy.db, actor, { report, period, now }));
  const lines = rows.map((row) => row.map((cell, at) => cellInFile(columns[at]?.kind ?? 'text', cell)));
  const text = [columns.map(({ head }) => head), ...lines].map((line) => csvLine(line)).join('');
  return new Response(byteOrderMark + text, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${report.slug}-${period === everyDay ? today : `${period.from}-to-${lastDay(period)}`}.csv"`,
      'Cache-Control': 'private, no-store',
    },
  });
}
