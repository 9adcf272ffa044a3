import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { unnamedFrom } from '#app/features/enrolments/names-to-come.server.ts';
import { cardPaymentsOnTheirWay } from '#app/features/money/card/checkout-state.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import { isErased } from '#app/lib/erased-address.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import type { Cents } from '#app/lib/money.ts';
import type { EnrolmentAct } from './acts.ts';
import { type ChosenFacts, groupOf, type NotDone, whyNot } from './chosen-rules.ts';
import { bouncedAmong } from './recipients.server.ts';

/** The effect of an act on one enrolment. */
export type Planned = {
  kind: 'enrolment';
  id: number;
  reference: string;
  name: string;
  email: string;
  group: ReturnType<typeof groupOf>;
  /** The open amount in cents. */
  cents: Cents;
  /** Why nothing is done for it; null when it is. */
  leftOut: NotDone | 'erased' | 'bounced' | null;
  /** It is done, but our last email to the buyer did not arrive: the letter about it may not arrive either. */
  untold: boolean;
};

/** To how many buyers the emails go: one who has several of the enrolments gets one for each. */
export const buyersOf = (plan: readonly Pick<Planned, 'email' | 'leftOut'>[]): number =>
  new Set(plan.flatMap(({ email, leftOut }) => (leftOut === null ? mailboxOf(email) : []))).size;

export type ActAsked = { act: EnrolmentAct; until: Day | null };

/**
 * What an act would do for enrolments now, in the order of their ids. The page before the button and the job ask the
 * same; what a buyer owes and is reminded of, the commands compute anew.
 */
export async function planEnrolments(
  db: Db,
  ids: readonly number[],
  { act, until }: ActAsked,
  { today, now }: Pick<Moment, 'today' | 'now'>,
): Promise<Planned[]> {
  const rows = await readFacts(db, ids, { today, until });
  const onTheirWay = await cardPaymentsOnTheirWay(db, ids, now);
  const bounced = await bouncedAmong(
    db,
    rows.map(({ email }) => email),
  );
  return rows.map(({ id, reference, name, email, askedAt, agreedAt, ...row }): Planned => {
    const facts: ChosenFacts = {
      ...row,
      onItsWay: onTheirWay.has(id),
      askedOn: askedAt && academyDay(askedAt),
      agreedOn: agreedAt && academyDay(agreedAt),
    };
    const asked = { today, until };
    const hasBounced = bounced.has(email.toLowerCase());
    // More time is given all the same: the letter about it is not what it is for.
    const unreachable = isErased(email) ? 'erased' : hasBounced && act !== 'more-time' ? 'bounced' : null;
    const leftOut = unreachable ?? whyNot(act, facts, asked);
    return {
      kind: 'enrolment',
      id,
      reference,
      name,
      email,
      group: groupOf(act, facts, asked),
      cents: Math.max(0, row.balanceCents),
      leftOut,
      untold: leftOut === null && hasBounced,
    };
  });
}

type Row = Omit<ChosenFacts, 'askedOn' | 'agreedOn' | 'onItsWay'> & {
  id: number;
  reference: string;
  name: string;
  email: string;
  askedAt: Date | null;
  agreedAt: Date | null;
};

const arrived = sql`not exists (select from mails where mails.id = mail_id and mails.state in ('failed', 'dropped'))`;

async function readFacts(
  db: Db,
  ids: readonly number[],
  { today, until }: { today: Day; until: Day | null },
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select enrolments.id, reference, buyer_name as name, email, list.balance_cents::integer as "balanceCents",
      list.due_on as "dueOn", nullif(list.starts_on, 'infinity') as "startsOn", list.unnamed_until is not null as "nameMissing",
      nullif(${unnamedFrom(sql`enrolments.id`, addDays(today, 1))}, 'infinity') as "unnamedOn",
      greatest(
        (select max(sent_on) from payment_reminders where enrolment_id = enrolments.id and ${arrived}),
        (select max(sent_on) from instalment_reminders join instalments on instalments.id = instalment_id
          where enrolment_id = enrolments.id and ${arrived})) as "remindedOn",
      (select max(agreed_at) from instalments where enrolment_id = enrolments.id and ended_at is null
          -- The last letter about it, which says so.
          and coalesce((select mails.state not in ('failed', 'dropped') from mails
            where about_kind = 'enrolment' and about_id = enrolments.id and kind = 'instalments-agreed'
            order by queued_at desc limit 1), true)) as "agreedAt",
      (select max(settled_at) from bulk_run_items item join bulk_runs on bulk_runs.id = run_id
        where about_kind = 'enrolment' and about_id = enrolments.id and act = 'ask-names' and state = 'done'
          and ${arrived}) as "askedAt",
      coalesce((select max(parts)::integer from (
        select count(*) as parts from instalments where enrolment_id = enrolments.id and ended_at is null and debt in (
          select open.debt from due_parts join instalments open on open.id = instalment_id
          where due_parts.enrolment_id = enrolments.id and due_parts.due_on < coalesce(${until}::date, 'infinity'))
        group by debt) as of_debts), 0) as instalments
    from enrolments join enrolment_list list on list.enrolment_id = enrolments.id
    where enrolments.id = any(${[...ids]}::bigint[])
    order by enrolments.id`.execute(db);
  return rows;
}
