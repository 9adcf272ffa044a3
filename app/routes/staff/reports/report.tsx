import { data, href, redirect } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { lastDay, periodFault, periodIn, periodQuery, periodText, usualPeriods } from '#app/features/reports/period.ts';
import { sumsOf } from '#app/features/reports/report.ts';
import { readReport, reportAt } from '#app/features/reports/reports.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { BarChart } from '#app/ui/staff/bar-chart.tsx';
import { NumberCell } from '#app/ui/staff/cells.tsx';
import { PageHead, Section } from '#app/ui/staff/page-head.tsx';
import { PeriodForm } from '#app/ui/staff/period-form.tsx';
import { Back, FileLink, Table, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/report';
import { cellText } from './cell-text.ts';

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'reports:read');
  // A report once; who owes is one list.
  if (params.report === 'owed') throw redirect(href('/staff/owed'), 301);
  const academy = context.get(academyContext);
  const report = reportAt(params.report);
  if (!report) throw data('Not found', { status: 404 });
  const { now, today } = momentOf(academy);
  const period = periodIn(url.searchParams, today);
  const figures = await unlessDatabaseAway(() => readReport(academy.db, actor, { report, period, now }));
  const { columns, rows, charts, hasSum } = figures;
  const { slug, title, about, definition } = report;
  const textsOf = (row: (typeof rows)[number]) => row.map((cell, at) => cellText(columns[at]?.kind ?? 'text', cell));
  return {
    ...{ title, about, definition, columns },
    days: periodText(period),
    from: period.from,
    to: lastDay(period),
    fault: periodFault(url.searchParams),
    readAt: formatMoment(now),
    usual: usualPeriods(today).map(({ text, period }) => ({ text, to: `?${periodQuery(period)}` })),
    file: `${href('/staff/:list.csv', { list: 'report' })}?report=${slug}&${periodQuery(period)}`,
    rows: rows.map(textsOf),
    sums: hasSum && rows.length > 1 ? textsOf(sumsOf(figures)) : null,
    charts: charts.map((at) => ({
      title: columns[at]?.head ?? '',
      bars: rows.map((row) => ({
        label: cellText('text', row[0] ?? null),
        value: Number(row[at] ?? 0),
        text: cellText(columns[at]?.kind ?? 'count', row[at] ?? null),
      })),
    })),
  };
}

export const meta = ({ loaderData }: Route.MetaArgs) => staffMeta(loaderData?.title ?? 'Report');

type Data = Route.ComponentProps['loaderData'];

export default function ReportPage({ loaderData }: Route.ComponentProps) {
  const { title, about, days, readAt, from, to, usual, charts, definition, file } = loaderData;
  return (
    <>
      <Back to={href('/staff/reports')}>Reports</Back>
      <PageHead title={title} beside={about} />
      <PeriodForm from={from} to={to} fault={loaderData.fault} usual={usual} />
      <p className="mb-4 text-mute">
        {days}, by day in Brisbane. Read on {readAt}.
      </p>
      <div className="grid gap-6">
        {charts.map((chart) => (
          <BarChart key={chart.title} title={chart.title} bars={chart.bars} />
        ))}
        <FigureTable shown={loaderData} />
        <p>
          <FileLink to={file}>This table as a file (CSV)</FileLink>
        </p>
        <Section title="What is counted">
          <ul className="grid max-w-prose list-disc gap-2 pt-3 pl-5">
            {definition.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Section>
      </div>
    </>
  );
}

function FigureTable({ shown: { title, columns, rows, sums } }: { shown: Data }) {
  if (rows.length === 0) return <Words wide>Nothing in these days.</Words>;
  const cell = (text: string, at: number) => {
    const { head = '', kind = 'text' } = columns[at] ?? {};
    if (kind !== 'text') {
      return (
        <NumberCell key={head} head={head}>
          {text}
        </NumberCell>
      );
    }
    return (
      <td
        key={head}
        data-head={at === 0 ? undefined : head}
        className={at === 0 ? 'whitespace-nowrap max-sm:font-semibold' : undefined}
      >
        {text}
      </td>
    );
  };
  return (
    <Table
      label={title}
      rows="dense"
      stacks
      head={columns.map(({ head, kind }) => (kind === 'text' ? head : { text: head, right: true as const }))}
    >
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two rows may show the same, and none moves
        <tr key={at}>{row.map(cell)}</tr>
      ))}
      {sums && (
        <tr className="font-semibold">
          <th scope="row" className="pr-3 text-left whitespace-nowrap">
            Together
          </th>
          {sums.slice(1).map((text, at) => cell(text, at + 1))}
        </tr>
      )}
    </Table>
  );
}
