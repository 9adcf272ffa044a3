import { href, Link } from 'react-router';
import { listOverdue, readNextReminders } from '#app/features/enrolments/overdue.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { daysBetween } from '#app/lib/dates.ts';
import { formatCents } from '#app/lib/exact-money.ts';
import { shownPhone } from '#app/lib/phone-number.server.ts';
import { shortDate, shortDay } from '#app/lib/short-dates.ts';
import { nameWithin } from '#app/lib/short-name.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { NumberCell } from '#app/ui/staff/cells.tsx';
import { PageHead } from '#app/ui/staff/page-head.tsx';
import { ActLink, FileLink, Table, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/overdue';
import { nextStep } from './next-step.ts';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'money:read');
  const academy = context.get(academyContext);
  const { today } = momentOf(academy);
  const [, day, id] = /^(\d{4}-\d\d-\d\d)_(\d{1,15})$/.exec(url.searchParams.get('after') ?? '') ?? [];
  const after = day && id && !Number.isNaN(Date.parse(day)) ? { day, id: Number(id) } : null;
  const { rows, next, reminderOf } = await unlessDatabaseAway(async () => {
    const page = await listOverdue(academy.db, actor, { today, after });
    const ids = page.rows.map(({ id }) => id);
    return { ...page, reminderOf: await readNextReminders(academy.db, actor, ids, today) };
  });
  return {
    next: next && `?after=${next.day}_${next.id}`,
    first: after === null,
    rows: rows.map((row) => ({
      reference: row.reference,
      buyer: showControlCharacters(row.organisation ?? row.buyer),
      phone: shownPhone(row.phone),
      title: nameWithin(row.title, mostTitle),
      wholeTitle: row.title,
      begins: row.firstDay && `begins ${shortDate(row.firstDay)}`,
      days: daysBetween(row.dueOn, today),
      since: shortDay(row.dueOn),
      instalments: row.inInstalments,
      late: formatCents(row.lateCents),
      owed: formatCents(row.balanceCents),
      reminded: row.reminded.map((on) => shortDate(on).replace(` ${today.slice(0, 4)}`, '')),
      remindedToday: row.reminded[0] === today,
      undelivered: row.undelivered,
      next: nextStep({ ...row, ...reminderOf(row.id) }, today),
    })),
  };
}

export const meta = () => staffMeta('Late payments');

/** Of a course's title. */
const mostTitle = 34;

export default function LatePayments({ loaderData: { rows, next, first } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Late payments"
        beside="What was due before today, the longest first. Nobody loses a place by being late: you decide."
      />
      {rows.length === 0 ? (
        <Words wide>{first ? 'Nothing is late.' : 'No more late payments.'}</Words>
      ) : (
        <Table
          label="Late payments"
          stacks
          minWidth="min-w-[44rem] lg:min-w-[60rem]"
          head={[
            { text: 'Days late', right: true },
            'Who',
            { text: 'Late, AU$', right: true },
            { text: 'Owed, AU$', right: true, className: 'sm:max-lg:hidden' },
            'Reminded',
            'What comes next',
            { text: 'Acts', className: 'sr-only' },
          ]}
        >
          {rows.map((row) => (
            <tr key={row.reference}>
              <NumberCell head="Days late" className={row.days > 14 ? 'font-semibold text-fault' : 'font-semibold'}>
                {row.days}
              </NumberCell>
              <td className="max-sm:order-first">
                <TextLink to={href('/staff/enrolments/:reference', { reference: row.reference })}>{row.buyer}</TextLink>
                {row.phone && <div className="tabular text-sm whitespace-nowrap">{row.phone}</div>}
                <div className="text-sm text-mute" title={row.wholeTitle}>
                  {row.title}
                  {row.begins && (
                    <>
                      , <span className="whitespace-nowrap">{row.begins}</span>
                    </>
                  )}
                </div>
              </td>
              <NumberCell head="Late, AU$">
                {row.late}
                <span className="block text-sm text-mute">
                  {row.instalments ? 'instalment of ' : 'since '}
                  {row.since}
                </span>
              </NumberCell>
              <NumberCell head="Owed, AU$" className="text-mute sm:max-lg:hidden">
                {row.owed}
              </NumberCell>
              <td data-head="Reminded" className={`max-sm:col-span-1 ${row.undelivered ? 'text-fault' : 'text-mute'}`}>
                {row.reminded.length > 0 ? inOnePiece(row.reminded) : 'not yet'}
              </td>
              <td>{row.next}</td>
              <td className="text-right whitespace-nowrap">
                <Acts row={row} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {rows.length > 0 && (
        <OnlyWith permission="lists:export">
          <p className="mt-4">
            <FileLink to={href('/staff/:list.csv', { list: 'overdue' })}>All late payments, as a file (CSV)</FileLink>
          </p>
        </OnlyWith>
      )}
      <nav aria-label="Pages" className="mt-4 flex gap-3">
        {!first && (
          <Link to={href('/staff/overdue')} className={button.quiet}>
            First page
          </Link>
        )}
        {next && (
          <Link to={next} className={button.quiet}>
            More
          </Link>
        )}
      </nav>
    </>
  );
}

/** Days in a row, none of which breaks over two lines. */
const inOnePiece = (days: readonly string[]) =>
  days.map((day, at) => (
    <span key={day}>
      {at > 0 && ', '}
      <span className="whitespace-nowrap">{day}</span>
    </span>
  ));

function Acts({
  row: { reference, buyer, remindedToday },
}: {
  row: Route.ComponentProps['loaderData']['rows'][number];
}) {
  return (
    <span className="inline-flex gap-x-3 gap-y-1.5 max-sm:gap-x-5 sm:max-lg:flex-col sm:max-lg:items-end">
      <OnlyWith permission="enrolments:change">
        {!remindedToday && (
          <ActLink to={href('/staff/enrolments/:reference/remind', { reference })}>
            Remind<span className="sr-only"> {buyer}</span>
          </ActLink>
        )}
      </OnlyWith>
      <OnlyWith permission="money:agree">
        <ActLink to={href('/staff/enrolments/:reference/instalments', { reference })}>
          Instalments<span className="sr-only"> of {buyer}</span>
        </ActLink>
      </OnlyWith>
      <OnlyWith permission="enrolments:change">
        <ActLink to={href('/staff/enrolments/:reference/cancel', { reference })}>
          Cancel<span className="sr-only"> places of {buyer}</span>
        </ActLink>
      </OnlyWith>
    </span>
  );
}
