import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { unnamedFrom } from '#app/features/enrolments/attendees.server.ts';
import { cardPaymentsOnTheirWay } from '#app/features/money/card/checkout-state.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { addDays } from '#app/lib/dates.ts';
import { isErased } from '#app/lib/erased-address.ts';
import type { Cents } from '#app/lib/money.ts';
import { bouncedAmong } from '#app/outbox/bounced.server.ts';
import type { BuyerAct } from './acts.ts';
import { type BuyerFacts, type NotDone, whyNot } from './rules.ts';

/** An enrolment with its buyer, as an act would treat it. */
export type PlannedBuyer = {
  id: number;
  reference: string;
  name: string;
  email: string;
  /** The open amount in cents. */
  cents: Cents;
  /** Why the buyer gets no email about it; null when they do. */
  leftOut: NotDone | 'erased' | 'bounced' | 'same-address' | null;
};

const mailKinds: Record<BuyerAct, string> = { remind: 'payment-reminder', 'ask-names': 'names-asked' };

type Row = Omit<PlannedBuyer, 'cents' | 'leftOut'> & Omit<BuyerFacts, 'onItsWay'>;

/**
 * Plans an act for the buyers of enrolments, in the order of the ids (P101). A buyer of several enrolments gets one
 * email, about the first enrolment that the act concerns.
 */
export async function planBuyers(
  db: Db,
  actor: StaffActor,
  { ids, act }: { ids: readonly number[]; act: BuyerAct },
  { today, now }: Pick<Moment, 'today' | 'now'>,
): Promise<PlannedBuyer[]> {
  requirePermission(actor, 'enrolments:read');
  const { rows } = await sql<Row>`
    select enrolments.id, reference, buyer_name as name, email, list.balance_cents::integer as "balanceCents",
      list.due_on as "dueOn", list.unnamed_until is not null as "nameMissing",
      nullif(${unnamedFrom(sql`enrolments.id`, addDays(today, 1))}, 'infinity') as "unnamedOn",
      exists (select from mails where lower(recipient) = lower(enrolments.email) and kind = ${mailKinds[act]}
        and state not in ('failed', 'dropped') and queued_at > now() - interval '3 days') as lately
    from enrolments join enrolment_list list on list.enrolment_id = enrolments.id
    where enrolments.id = any(${[...ids]}::bigint[])
    order by enrolments.id`.execute(db);
  const onTheirWay = await cardPaymentsOnTheirWay(db, ids, now);
  const bounced = await bouncedAmong(
    db,
    rows.map(({ email }) => email),
  );
  const mailed = new Set<string>();
  return rows.map(({ id, reference, name, email, ...facts }): PlannedBuyer => {
    const address = email.toLowerCase();
    const leftOut = () => {
      if (isErased(email)) return 'erased';
      const why = whyNot(act, { ...facts, onItsWay: onTheirWay.has(id) });
      if (why !== null) return why;
      if (bounced.has(address)) return 'bounced';
      if (mailed.has(address)) return 'same-address';
      mailed.add(address);
      return null;
    };
    return { id, reference, name, email, cents: Math.max(0, facts.balanceCents), leftOut: leftOut() };
  });
}
