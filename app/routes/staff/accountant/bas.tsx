import { Form, href } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { type Basis, basFigures, basisIn, wholeDollars } from '#app/features/reports/bas.ts';
import { cashByWeek, noCash, noRevenue, revenueByWeek, sumOf } from '#app/features/reports/money.server.ts';
import {
  periodOfQuarter,
  periodQuery,
  periodText,
  quarterIn,
  quarterOf,
  quartersBefore,
  quarterText,
} from '#app/features/reports/period.ts';
import type { RowKind } from '#app/features/reports/rows.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { formatCents, formatExact } from '#app/lib/exact-money.ts';
import { formatCount } from '#app/lib/money.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { select } from '#app/ui/field.ts';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { NumberCell } from '#app/ui/staff/cells.tsx';
import { PageHead, Section } from '#app/ui/staff/page-head.tsx';
import { FileLink, Table, TextLink } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/bas';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'reports:read');
  const { db, clock } = context.get(academyContext);
  const { today } = momentOf(context.get(academyContext));
  const [quarter, basis] = [quarterIn(url.searchParams, today), basisIn(url.searchParams)];
  const period = periodOfQuarter(quarter);
  const [revenue, cash] = await unlessDatabaseAway(async () => [
    sumOf(noRevenue, (await revenueByWeek(db, actor, period)).values()),
    sumOf(noCash, (await cashByWeek(db, actor, period)).values()),
  ]);
  const figures = basFigures(basis, revenue, cash);
  const rowsAt = (kind: RowKind) => `${href('/staff/money/rows/:kind', { kind })}?${periodQuery(period)}`;
  const [sales, lowered] =
    basis === 'accruals' ? (['invoices', 'notes'] as const) : (['received', 'refunded'] as const);
  const figure = (name: string, what: string, cents: number, kind: RowKind) => ({
    name,
    what,
    exact: formatCents(cents),
    dollars: formatCount(wholeDollars(cents)),
    to: rowsAt(kind),
    file: `${href('/staff/:list.csv', { list: 'money-rows' })}?kind=${kind}&${periodQuery(period)}`,
  });
  const shown = [quarterOf(today), ...[1, 2, 3, 4, 5, 6, 7].map((back) => quartersBefore(quarterOf(today), back))];
  return {
    quarter,
    basis,
    days: periodText(period),
    isOver: period.end <= today,
    readAt: formatMoment(clock.now()),
    quarters: [...new Set([...shown, quarter])].map((value) => ({ value, text: quarterText(value) })),
    figures: [
      figure('G1', 'Total sales, GST included', figures.g1, sales),
      figure('1A', 'GST on sales', figures.oneA, sales),
      figure('1B', 'Of 1B: GST on adjustments of sales', figures.oneB, lowered),
    ],
    net: formatExact(figures.oneA - figures.oneB),
    lowered: {
      amount: formatExact(figures.loweredBy),
      less: formatExact(figures.g1 - figures.loweredBy),
      to: rowsAt(lowered),
    },
    unmatched: {
      amount: formatExact(cash.unmatchedCents - cash.unmatchedRefundedCents),
      isAny: cash.unmatchedCents !== 0 || cash.unmatchedRefundedCents !== 0,
      to: rowsAt('unmatched'),
    },
  };
}

export const meta = () => staffMeta('BAS figures');

const rules: Record<Basis, string> = {
  accruals:
    'A tax invoice counts in the quarter in which it was issued, with the GST that it states. An adjustment note counts in the quarter in which it was issued, whenever its invoice was.',
  cash: 'Money counts in the quarter in which it arrived, and a refund in the quarter in which it was sent. GST is one eleventh of each sum, because everything sold is taxable. A refund that came back counts nowhere. Money that is matched later counts on the day it arrived.',
};

export default function Bas({ loaderData }: Route.ComponentProps) {
  const { quarter, basis, days, isOver, readAt, quarters, figures, net, lowered, unmatched } = loaderData;
  return (
    <>
      <PageHead title="BAS figures" beside={`${days}, by day in Brisbane. Read on ${readAt}.`} />
      <Form key={`${quarter} ${basis}`} className="mb-6 flex flex-wrap items-end gap-3 print:hidden">
        <label className="grid gap-1 text-sm font-semibold">
          Quarter
          <select name="quarter" defaultValue={quarter} className={select}>
            {quarters.map(({ value, text }) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label className="grid gap-1 text-sm font-semibold">
          GST accounting
          <select name="basis" defaultValue={basis} className={select}>
            <option value="accruals">Accruals (by date of issue)</option>
            <option value="cash">Cash (by date of payment)</option>
          </select>
        </label>
        <button type="submit" className={button.quiet}>
          Show
        </button>
      </Form>
      {!isOver && <p className="mb-4 font-semibold">This quarter has not ended. The figures will change.</p>}
      <Table
        label="Figures of sales"
        stacks
        head={[
          'Label',
          'What it is',
          { text: 'Exact, AU$', right: true },
          { text: 'Whole dollars', right: true },
          { text: 'Rows', className: 'pl-6' },
        ]}
      >
        {figures.map(({ name, what, exact, dollars, to, file }) => (
          <tr key={name}>
            <td className="font-semibold">{name}</td>
            <td>{what}</td>
            <NumberCell head="Exact, AU$">{exact}</NumberCell>
            <NumberCell head="Whole dollars">{dollars}</NumberCell>
            <td className="pl-6">
              <TextLink to={to}>
                See the rows<span className="sr-only"> of {name}</span>
              </TextLink>
              <OnlyWith permission="money:export">
                {', '}
                <FileLink to={file}>
                  CSV<span className="sr-only"> of {name}</span>
                </FileLink>
              </OnlyWith>
            </td>
          </tr>
        ))}
      </Table>
      <p className="pt-3">1A less this part of 1B is {net}.</p>
      <div className="pt-8">
        <Section title="For your accountant">
          <div className="grid max-w-prose gap-3 pt-3">
            <p>{rules[basis]}</p>
            <p>
              G1 is not lowered by <TextLink to={lowered.to}>adjustments of {lowered.amount}</TextLink>: their GST is at
              1B. If you lower G1 instead, it is {lowered.less}, 1A is {net}, and 1B has no part of sales. Purchases are
              not in these figures.
            </p>
            {unmatched.isAny && (
              <p>
                <TextLink to={unmatched.to}>{unmatched.amount} without an enrolment</TextLink> arrived in these days. It
                is in no figure {basis === 'cash' ? 'until it is matched' : 'on accruals'}.
              </p>
            )}
            <p>These figures are a working paper from our records. Your accountant decides what is lodged.</p>
          </div>
        </Section>
      </div>
    </>
  );
}
