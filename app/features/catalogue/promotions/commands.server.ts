import { sql } from 'kysely';
import type { Trx } from '#app/db/client.server.ts';
import { fourWeeksMs } from '#app/features/content/promotion.server.ts';
import { lockContent } from '#app/features/content/revisions.server.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import { dayMs } from '#app/lib/durations.ts';
import { readPromotion } from './queries.server.ts';
import { isRunning } from './rules.ts';

export type NotStarted =
  | { ok: false; reason: 'running'; until: Date }
  | { ok: false; reason: 'past' }
  /** Longer than `mostDays`: a mistyped end could never be moved. */
  | { ok: false; reason: 'too-long' }
  /** Courses of combos whose price rose within the last four weeks, so that the saving would be measured against that. */
  | { ok: false; reason: 'raised'; titles: string[] };

/**
 * Starts another promotion of combos, from now to an instant (P16, P47). The end cannot be changed afterwards. Refused
 * while one runs, when it would last longer than `mostDays`, and while a price of a combo's course is dearer than it was at some time within the last four weeks.
 */
export async function startPromotion(
  trx: Trx,
  { subject, until }: { subject: string; until: Date },
  { actor, now }: { actor: Actor; now: Date },
): Promise<{ ok: true; id: number } | NotStarted> {
  requirePermission(actor, 'prices:change');
  const person = personIdOf(actor);
  if (person === null) throw new Error('only staff start promotions');
  // Until the transaction ends no price changes, and no other promotion starts.
  await lockContent(trx);
  const before = await readPromotion(trx);
  if (isRunning(before, now)) return { ok: false, reason: 'running', until: new Date(before.endsAt) };
  if (until <= now) return { ok: false, reason: 'past' };
  if (until.getTime() - now.getTime() > mostDays * dayMs) return { ok: false, reason: 'too-long' };
  const raised = await trx
    .selectFrom('courses')
    .select('title')
    .where('retired_at', 'is', null)
    .where(
      sql<boolean>`exists (select from combo_courses join combos on combos.id = combo_id
        where course_id = courses.id and combos.retired_at is null)`,
    )
    .where(
      sql<boolean>`exists (select from prices where course_id = courses.id and amount_cents < price_cents
        and until_at > ${new Date(now.getTime() - fourWeeksMs)})`,
    )
    .orderBy('title')
    .execute();
  if (raised.length > 0) return { ok: false, reason: 'raised', titles: raised.map(({ title }) => title) };
  const { id } = await trx
    .insertInto('promotions')
    .values({ subject, starts_at: now, ends_at: until, person_id: person })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ok: true, id };
}

/** A promotion of combos lasts at most about a quarter. */
export const mostDays = 93;
