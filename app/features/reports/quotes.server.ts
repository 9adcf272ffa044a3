import { sql } from 'kysely';
import { requirePermission } from '#app/features/people/actor.ts';
import { formatMonth } from '#app/lib/dates.ts';
import { instantsOf, monthsOf } from './period.ts';
import type { Report } from './report.ts';

export const quotes: Report = {
  slug: 'quotes',
  title: 'Quotes',
  about: 'How many quotes were made, sent and accepted, by month.',
  definition: [
    'A quote counts once by its number, however many versions it has: in the month in which the first was made, and in that in which the first was sent.',
    'It counts as accepted in the month of the answer, with the total that it had then, GST included. So more may be accepted in a month than were sent.',
    'Quotes that ended without an enrolment are deleted after the time that /privacy names, and are missing then.',
    'The first and the last month have only the days that lie in the period.',
  ],
  async read(db, actor, period) {
    requirePermission(actor, 'reports:read');
    const { from, end } = instantsOf(period);
    const { rows } = await sql<{ month: string; made: number; sent: number; accepted: number; cents: number }>`
      select to_char(at at time zone 'Australia/Brisbane', 'YYYY-MM') as month, sum(made) as made, sum(sent) as sent,
        sum(accepted) as accepted, sum(cents) as cents
      from (
        select made_at as at, 1 as made, 0 as sent, 0 as accepted, 0 as cents from offers where replaces is null
        union all select sent_at, 0, 1, 0, 0 from offers where version = 1 and sent_at is not null
        union all select ended_at, 0, 0, 1, total_cents from offers where state = 'accepted'
      ) as happened
      where at >= ${from} and at < ${end} group by 1`.execute(db);
    const of = new Map(rows.map((row) => [row.month, row]));
    return {
      columns: [
        { head: 'Month', kind: 'text' },
        { head: 'Made', kind: 'count' },
        { head: 'Sent', kind: 'count' },
        { head: 'Accepted', kind: 'count' },
        { head: 'Accepted, AU$', kind: 'money' },
      ],
      rows: monthsOf(period).map((month) => {
        const { made = 0, sent = 0, accepted = 0, cents = 0 } = of.get(month) ?? {};
        return [formatMonth(month), made, sent, accepted, cents];
      }),
      charts: [3, 4],
      hasSum: true,
    };
  },
};
