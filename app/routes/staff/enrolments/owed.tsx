import { href } from 'react-router';
import { listOwed } from '#app/features/enrolments/owed.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { ListPage } from '#app/ui/staff/list-page.tsx';
import type { Route } from './+types/owed';
import { bands, owedList } from './owed-list.tsx';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'money:read');
  const academy = context.get(academyContext);
  const { today } = momentOf(academy);
  const view = owedList.viewOf(url.searchParams);
  const { owed, sum, ...page } = await unlessDatabaseAway(() => listOwed(academy.db, actor, view, today));
  return {
    ...owedList.pageOf(view, page),
    sum: `${sum.parts === 1 ? '1 payment' : `${sum.parts} payments`}, ${formatExact(sum.cents)} together`,
    rows: owed.map((row) => owedList.show(row, today)),
  };
}

export const meta = () => staffMeta('Who owes');

export default function WhoOwes({ loaderData: { rows, sum, ...page } }: Route.ComponentProps) {
  const { view } = page;
  return (
    <ListPage
      list={owedList}
      page={page}
      beside={`${sum}. Nobody loses a place by being late: you decide.`}
      tabs={owedList.tabsOf(view, 'due', bands)}
      searches="Name, email, number, invoice"
      rows={rows}
      keyOf={({ reference }) => reference}
      choosing={{
        list: 'state=unpaid',
        all: null,
        acts: [
          {
            to: href('/staff/bulk-actions/buyers/:act', { act: 'remind' }),
            text: 'Remind of payment',
            needs: 'enrolments:change',
          },
          {
            to: href('/staff/bulk-actions/message/:list', { list: 'enrolments' }),
            text: 'Write to them',
            needs: 'mail:send',
          },
        ],
        labelOf: ({ buyer, reference }) => `${buyer}, ${reference}`,
      }}
      none={view.search || view.values.due ? 'Nobody matches.' : 'Nobody owes anything that is due.'}
    />
  );
}
