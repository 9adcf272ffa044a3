import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { datesTodo } from '#app/features/catalogue/site/owner-sections.server.ts';
import { countTodo, mostTodo } from '#app/features/enrolments/todo.server.ts';
import { countCardTroubles } from '#app/features/money/card/troubles.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import type { Permission } from '#app/features/people/permissions.ts';
import type { Turn } from '#app/lib/at-most.ts';
import type { Day } from '#app/lib/dates.ts';
import type { MailHealth } from '#app/outbox/mail-health.server.ts';
import { mailTodo } from '#app/routes/staff/mail-todo.server.ts';

/** Something that is looked at as a whole, with its page and the permission that the page takes. */
type Item = { count: number; what: string; why: string; to: string; needs: Permission };

type At = {
  actor: StaffActor;
  now: Date;
  today: Day;
  health: () => Promise<MailHealth>;
  /** Whether buyers can pay by card. */
  byCard: boolean;
  turn: Turn;
};

/**
 * Tasks that are counted as a whole and not listed one by one: mail that does not go out, the end of the calendar, open
 * choices.
 */
export async function alsoToSee(db: Db, { actor, now, today, health, byCard, turn }: At) {
  const [todo, mail, dates, cards] = await Promise.all([
    turn(() => countTodo(db, actor, today)),
    actor.can.has('mail:read') ? turn(async () => mailTodo(await health())) : [],
    turn(() => datesTodo(db, actor, today)),
    byCard && actor.can.has('money:read') ? turn(() => countCardTroubles(db, actor, now)) : 0,
  ]);
  const items: Item[] = [
    {
      count: todo.choosing,
      what: 'Choices open',
      why: 'Buyers may choose another date or a refund. A buyer who does not answer keeps a date that we moved, and gets a refund for one that we cancelled.',
      to: `${href('/staff/enrolments')}?state=choosing`,
      needs: 'enrolments:read',
    },
    {
      count: cards,
      what: 'Card payments to look at',
      why: 'Disputes, refunds that failed, and payments that we could not match. The page says what to do about each.',
      to: href('/staff/card-payments'),
      needs: 'money:read',
    },
    {
      count: todo.faults,
      what: 'Jobs that failed',
      why: 'The program could not do something. The page says what it is and what you can do.',
      to: href('/staff/faults'),
      needs: 'faults:read',
    },
  ];
  const shown = items.filter(({ count, needs }) => count > 0 && actor.can.has(needs));
  return [...mail, ...dates, ...shown].map(({ count, what, why, to }) => ({
    what,
    why,
    to,
    count: count >= mostTodo ? `${mostTodo}+` : String(count),
  }));
}
