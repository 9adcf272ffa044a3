import { data, href, Link } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { afterIn, afterQuery } from '#app/features/reports/after.ts';
import { lastDay, periodFault, periodIn, periodQuery, periodText } from '#app/features/reports/period.ts';
import { isRowKind, readFigureRows, rowKinds } from '#app/features/reports/rows.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { formatDays } from '#app/lib/dates.ts';
import { formatCents } from '#app/lib/exact-money.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { NumberCell } from '#app/ui/staff/cells.tsx';
import { PageHead } from '#app/ui/staff/page-head.tsx';
import { PeriodForm } from '#app/ui/staff/period-form.tsx';
import { FileLink, Table, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/rows';

const onPage = 100;

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'reports:read');
  const academy = context.get(academyContext);
  const { kind } = params;
  if (!isRowKind(kind)) throw data('Not found', { status: 404 });
  const period = periodIn(url.searchParams, momentOf(academy).today);
  const after = afterIn(url.searchParams);
  const wanted = { kind, period, after, most: onPage };
  const { rows, next } = await unlessDatabaseAway(() => readFigureRows(academy.db, actor, wanted));
  const query = periodQuery(period);
  return {
    title: rowKinds[kind],
    days: periodText(period),
    from: period.from,
    to: lastDay(period),
    fault: periodFault(url.searchParams),
    isFirst: after === null,
    first: `?${query}`,
    next: next && `?${query}&${afterQuery(next)}`,
    file: `${href('/staff/:list.csv', { list: 'money-rows' })}?kind=${kind}&${query}`,
    withGst: kind === 'invoices' || kind === 'notes',
    rows: rows.map((row) => ({
      id: row.id,
      day: formatDays(row.day, row.day),
      name: row.name,
      who: row.who && showControlCharacters(row.who),
      enrolment: row.enrolment,
      amount: formatCents(row.cents),
      gst: row.gstCents === null ? '' : formatCents(row.gstCents),
    })),
  };
}

export const meta = ({ loaderData }: Route.MetaArgs) => staffMeta(loaderData?.title ?? 'Rows');

/** The rows behind a figure of the reports. */
export default function Rows({ loaderData }: Route.ComponentProps) {
  const { title, days, from, to, rows, isFirst, first, next, file, withGst } = loaderData;
  return (
    <>
      <PageHead title={title} beside={`${days}, by day in Brisbane. Amounts include GST.`} />
      <PeriodForm from={from} to={to} fault={loaderData.fault} />
      {rows.length === 0 ? (
        <Words wide>{isFirst ? 'Nothing in these days.' : 'No more rows.'}</Words>
      ) : (
        <Table
          label={title}
          rows="dense"
          stacks
          head={[
            'Day',
            withGst ? 'Document' : 'Way',
            'Buyer',
            'Enrolment',
            { text: 'Amount, AU$', right: true },
            ...(withGst ? [{ text: 'GST in it, AU$', right: true } as const] : []),
          ]}
        >
          {rows.map((row) => (
            <tr key={row.id}>
              <td className="whitespace-nowrap max-sm:col-span-1">{row.day}</td>
              <td className="max-sm:col-span-1">{row.name}</td>
              <td>{row.who}</td>
              <td>
                {row.enrolment && (
                  <TextLink to={href('/staff/enrolments/:reference', { reference: row.enrolment })}>
                    {row.enrolment}
                  </TextLink>
                )}
              </td>
              <NumberCell head="Amount, AU$">{row.amount}</NumberCell>
              {withGst && <NumberCell head="GST in it, AU$">{row.gst}</NumberCell>}
            </tr>
          ))}
        </Table>
      )}
      <nav aria-label="Pages" className="mt-4 flex flex-wrap items-center gap-3">
        {!isFirst && (
          <Link to={first} className={button.quiet}>
            First page
          </Link>
        )}
        {next && (
          <Link to={next} className={button.quiet}>
            More
          </Link>
        )}
        <OnlyWith permission="money:export">
          <FileLink to={file}>All of them as a file (CSV)</FileLink>
        </OnlyWith>
      </nav>
    </>
  );
}
