import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { everyRow, type Keyset, listedPage } from '#app/db/keyset.server.ts';
import { wordsFit } from '#app/db/words-fit.ts';
import { openInvoicesOf } from '#app/features/money/accounts.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { addDays, type Day, mondayOf } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import { shownPhone } from '#app/lib/phone-number.server.ts';
import type { ListView } from '#app/ui/staff/list-address.ts';
import { nextReminderOn } from './payment-steps.ts';

const pageLength = 50;
/** From how many days on a debt counts as long late. */
const longDays = 14;

/** Due from today to Sunday, up to 14 days late, later than that, and due after this week. */
export type Band = 'week' | 'late' | 'long' | 'later';

export type OwedView = ListView<{ readonly due: Band | null }, keyof typeof keys>;

export type Owed = {
  id: number;
  reference: string;
  buyer: string;
  phone: string | null;
  organisation: string | null;
  title: string;
  /** The first day on which something that is open was or is due. */
  dueOn: Day;
  /** The amount that was due before today, and the whole balance. */
  lateCents: Cents;
  balanceCents: Cents;
  firstDay: Day | null;
  inInstalments: boolean;
  /** The days on which we reminded the buyer, the latest first. */
  reminded: Day[];
  /** Whether the mail of the last reminder failed. */
  undelivered: boolean;
  /** The next day on which the program reminds (P39); null when it does not. */
  remindsOn: Day | null;
  /** Whether only what we keep of cancelled places is open, of which the program never reminds. */
  onlyKept: boolean;
};

/** Whether a part of `due_parts` is due in a band. */
export function dueIn(band: Band | null, today: Day) {
  const [end, longBefore] = [addDays(mondayOf(today), 7), addDays(today, -longDays)];
  switch (band) {
    case 'week':
      return sql<boolean>`part.due_on >= ${today} and part.due_on < ${end}`;
    case 'late':
      return sql<boolean>`part.due_on >= ${longBefore} and part.due_on < ${today}`;
    case 'long':
      return sql<boolean>`part.due_on < ${longBefore}`;
    case 'later':
      return sql<boolean>`part.due_on >= ${end}`;
    case null:
      return sql<boolean>`true`;
  }
}

/**
 * One page of the enrolments with something due on a day, the longest late first (P39), with the sum of what is due in the
 * view: what is due and when, `open_invoices` says, as it was written down for lists.
 */
export async function listOwed(db: Db, actor: StaffActor, view: OwedView, today: Day) {
  requirePermission(actor, 'money:read');
  const set = owedKeyset(view, today);
  const { rows, ...page } = await listedPage(db, set, { ...view, length: pageLength }, (ids) =>
    readOwed(db, ids, today),
  );
  const { rows: sums } = await sql<{ parts: number; cents: number }>`
    select count(*)::integer as parts, coalesce(sum(due_cents), 0)::bigint as cents from due_parts part
    where ${dueIn(view.values.due, today)} and enrolment_id in (
      select list.enrolment_id from ${set.from} where ${sql.join(set.where, sql` and `)})`.execute(db);
  return { ...page, owed: rows, sum: sums[0] ?? { parts: 0, cents: 0 } };
}

/** All enrolments of a view, in pieces, for a file (P78). */
export async function* everyOwed(db: Db, actor: StaffActor, view: OwedView, today: Day, length = 1000) {
  requirePermission(actor, 'money:read');
  yield* everyRow(db, owedKeyset(view, today), { ...view, length }, (ids) => readOwed(db, ids, today));
}

const keys = {
  due: { key: sql`list.due_on`, kind: 'day' },
  owed: { key: sql`list.balance_cents`, kind: 'whole' },
} as const;

function owedKeyset({ search, values: { due }, sort }: OwedView, today: Day): Keyset {
  const named = wordsFit(search, sql`list.words`);
  return {
    from: sql`enrolment_list list`,
    ...keys[sort],
    id: sql`list.enrolment_id`,
    where: [
      sql`list.due_on is not null`,
      ...(named ? [named] : []),
      ...(due
        ? [
            sql`exists (select from due_parts part where part.enrolment_id = list.enrolment_id and ${dueIn(due, today)})`,
          ]
        : []),
    ],
  };
}

async function readOwed(db: Db, ids: readonly number[], today: Day): Promise<Owed[]> {
  const { rows } = await sql<Omit<Owed, 'reminded' | 'undelivered' | 'remindsOn' | 'onlyKept'>>`
    select enrolments.id, reference, buyer_name as buyer, phone, organisation, title, list.due_on as "dueOn",
      due.late_cents::integer as "lateCents", list.balance_cents::integer as "balanceCents",
      due.first_day as "firstDay", due.agreed as "inInstalments"
    from enrolment_list list
    join enrolments on enrolments.id = list.enrolment_id
    cross join lateral (
      select coalesce(sum(due_cents) filter (where due_on < ${today}), 0) as late_cents, min(first_day) as first_day,
        coalesce(bool_or(instalment_id is not null), false) as agreed
      from due_parts where due_parts.enrolment_id = list.enrolment_id
    ) as due
    where list.enrolment_id = any(${[...ids]}::bigint[])`.execute(db);
  const [sent, open] = [await remindersOf(db, ids), await openInvoicesOf(db, ids)];
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    const its = sent.filter(({ enrolment_id }) => enrolment_id === id);
    const invoices = open.get(id) ?? [];
    return [
      {
        ...row,
        phone: shownPhone(row.phone),
        reminded: its.map(({ sent_on }) => sent_on),
        undelivered: its[0]?.state === 'failed',
        remindsOn: nextReminderOn(invoices, today),
        onlyKept: invoices.every(({ askedCents }) => askedCents === 0),
      },
    ];
  });
}

/** The payment reminders to buyers, latest first, with the state of each mail that is kept. */
async function remindersOf(db: Db, ids: readonly number[]) {
  const { rows } = await sql<{ enrolment_id: number; sent_on: Day; state: string | null }>`
    select told.enrolment_id, told.sent_on, max(mails.state) as state
    from payment_reminders told left join mails on mails.id = told.mail_id
    where enrolment_id = any(${[...ids]}::bigint[])
    group by told.enrolment_id, told.sent_on order by told.sent_on desc`.execute(db);
  return rows;
}
