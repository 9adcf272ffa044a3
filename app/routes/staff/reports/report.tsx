import { data, href, Link } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { afterIn, afterQuery } from '#app/features/reports/after.ts';
import {
  everyDay,
  lastDay,
  periodFault,
  periodIn,
  periodQuery,
  periodText,
  usualPeriods,
} from '#app/features/reports/period.ts';
import { type Column, sumsOf } from '#app/features/reports/report.ts';
import { readReport, reportAt } from '#app/features/reports/reports.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { standingText } from '#app/lib/keyset.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { BarChart } from '#app/ui/staff/bar-chart.tsx';
import { NumberCell } from '#app/ui/staff/cells.tsx';
import { PageHead, Section } from '#app/ui/staff/page-head.tsx';
import { PeriodForm } from '#app/ui/staff/period-form.tsx';
import { Back, FileLink, Table, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/report';
import { cellText } from './cell-text.ts';

/** How many rows a page has of a report that has pages. */
const onPage = 200;

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'reports:read');
  const academy = context.get(academyContext);
  const report = reportAt(params.report);
  if (!report) throw data('Not found', { status: 404 });
  const { now, today } = momentOf(academy);
  const period = periodIn(url.searchParams, today, report.isState && everyDay);
  const whole = period === everyDay;
  const after = afterIn(url.searchParams);
  const asked = { report, period, now, page: { after, most: onPage } };
  const figures = await unlessDatabaseAway(() => readReport(academy.db, actor, asked));
  const { columns, rows, charts, hasSum, page } = figures;
  const query = whole ? '?' : `?${periodQuery(period)}`;
  const { slug, title, about, definition } = report;
  const textsOf = (row: (typeof rows)[number]) => row.map((cell, at) => cellText(columns[at]?.kind ?? 'text', cell));
  return {
    ...{ title, about, definition, columns },
    days: whole ? 'All that is open now' : periodText(period),
    from: whole ? '' : period.from,
    to: whole ? '' : lastDay(period),
    fault: periodFault(url.searchParams),
    readAt: formatMoment(now),
    usual: [
      ...(report.isState ? [{ text: 'All that is open now', to: '?' }] : []),
      ...usualPeriods(today).map(({ text, period }) => ({ text, to: `?${periodQuery(period)}` })),
    ],
    file: `${href('/staff/:list.csv', { list: 'report' })}?report=${slug}${query.replace('?', '&')}`,
    rows: rows.map(textsOf),
    standing: page ? standingText(page.standing) : null,
    first: after && query,
    next: page?.next ? `${query}&${afterQuery(page.next)}` : null,
    sums: hasSum && (page?.standing.total ?? rows.length) > 1 ? textsOf(sumsOf(figures)) : null,
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
  const { title, about, days, readAt, from, to, usual, charts, definition, file, standing, first, next } = loaderData;
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
        {(first || next) && (
          <nav aria-label="Pages" className="flex flex-wrap items-center gap-3">
            <span className="text-mute">{standing}</span>
            {first && (
              <Link to={first} className={button.quiet}>
                First page
              </Link>
            )}
            {next && (
              <Link to={next} className={button.quiet}>
                More
              </Link>
            )}
          </nav>
        )}
        <p>
          <FileLink to={file}>{first || next ? 'All rows' : 'This table'} as a file (CSV)</FileLink>
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

const isText = (kind: Column['kind']) => kind === 'text' || kind === 'enrolment';

function FigureTable({ shown: { title, columns, rows, sums, first, next } }: { shown: Data }) {
  if (rows.length === 0) return <Words wide>Nothing in these days.</Words>;
  const cell = (text: string, at: number) => {
    const { head = '', kind = 'text' } = columns[at] ?? {};
    if (!isText(kind)) {
      return (
        <NumberCell key={head} head={head}>
          {text}
        </NumberCell>
      );
    }
    const leads = kind === 'enrolment' && text !== '';
    return (
      <td
        key={head}
        data-head={at === 0 ? undefined : head}
        className={at === 0 ? 'whitespace-nowrap max-sm:font-semibold' : undefined}
      >
        {leads ? <TextLink to={href('/staff/enrolments/:reference', { reference: text })}>{text}</TextLink> : text}
      </td>
    );
  };
  return (
    <Table
      label={title}
      rows="dense"
      stacks
      head={columns.map(({ head, kind }) => (isText(kind) ? head : { text: head, right: true as const }))}
    >
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two rows may show the same, and none moves
        <tr key={at}>{row.map(cell)}</tr>
      ))}
      {sums && (
        <tr className="font-semibold">
          <th scope="row" className="pr-3 text-left whitespace-nowrap">
            {first || next ? 'All pages together' : 'Together'}
          </th>
          {sums.slice(1).map((text, at) => cell(text, at + 1))}
        </tr>
      )}
    </Table>
  );
}
