import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { openInvoicesOf } from '#app/features/money/accounts.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import { nextReminderOn } from './payment-steps.ts';

const pageLength = 50;

/** Where a page of late payments begins: behind an enrolment by the day since when it is due and its id. */
export type OverdueAfter = { day: Day; id: number };

export type Overdue = {
  id: number;
  reference: string;
  buyer: string;
  phone: string | null;
  organisation: string | null;
  title: string;
  /** The first day on which something that is late was due. */
  dueOn: Day;
  /** The late amount, and the whole balance. */
  lateCents: Cents;
  balanceCents: Cents;
  firstDay: Day | null;
  inInstalments: boolean;
  /** The days on which we reminded the buyer, the latest first. */
  reminded: Day[];
  /** Whether the mail of the last reminder failed. */
  undelivered: boolean;
};

/**
 * A page of the enrolments with something overdue, the longest first (P39): what is late and since when,
 * `open_invoices` says, as it was written down for lists.
 */
export async function listOverdue(
  db: Db,
  actor: StaffActor,
  { today, after, most = pageLength }: { today: Day; after: OverdueAfter | null; most?: number },
): Promise<{ rows: Overdue[]; next: OverdueAfter | null }> {
  requirePermission(actor, 'money:read');
  const beyond = after ? sql`and (list.due_on, list.enrolment_id) > (${after.day}::date, ${after.id})` : sql``;
  const { rows } = await sql<Omit<Overdue, 'reminded'>>`
    select enrolments.id, reference, buyer_name as buyer, phone, organisation, title, list.due_on as "dueOn",
      late.cents::integer as "lateCents", list.balance_cents::integer as "balanceCents", late.first_day as "firstDay",
      late.agreed as "inInstalments", false as undelivered
    from enrolment_list list
    join enrolments on enrolments.id = list.enrolment_id
    cross join lateral (
      select coalesce(sum(due_cents), 0) as cents, min(first_day) as first_day,
        coalesce(bool_or(instalment_id is not null), false) as agreed
      from due_parts where due_parts.enrolment_id = list.enrolment_id and due_parts.due_on < ${today}
    ) as late
    where list.due_on < ${today} ${beyond}
    order by list.due_on, list.enrolment_id
    limit ${most + 1}`.execute(db);
  const page = rows.slice(0, most);
  const last = page.at(-1);
  const sent = await remindersOf(
    db,
    page.map(({ id }) => id),
  );
  return {
    rows: page.map((row) => {
      const its = sent.filter(({ enrolment_id }) => enrolment_id === row.id);
      return { ...row, reminded: its.map(({ sent_on }) => sent_on), undelivered: its[0]?.state === 'failed' };
    }),
    next: rows.length > most && last ? { day: last.dueOn, id: last.id } : null,
  };
}

/** When the program reminds next of each enrolment, and whether it reminds of anything that is late (P39). */
export async function readNextReminders(db: Db, actor: StaffActor, ids: readonly number[], today: Day) {
  requirePermission(actor, 'money:read');
  const open = await openInvoicesOf(db, ids);
  return (id: number) => {
    const invoices = open.get(id) ?? [];
    return {
      remindsOn: nextReminderOn(invoices, today),
      onlyKept: invoices.every(({ askedCents }) => askedCents === 0),
    };
  };
}

/** All enrolments with something overdue, in pieces, for a file (P78). */
export async function* everyOverdue(
  db: Db,
  actor: StaffActor,
  today: Day,
  most = 1000,
): AsyncGenerator<Overdue[], void, undefined> {
  let after: OverdueAfter | null = null;
  do {
    const { rows, next }: Awaited<ReturnType<typeof listOverdue>> = await listOverdue(db, actor, {
      today,
      after,
      most,
    });
    yield rows;
    after = next;
  } while (after !== null);
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
