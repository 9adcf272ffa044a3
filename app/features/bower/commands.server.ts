import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { checkName } from './name-rule.ts';
import { findPublicBower } from './queries.server.ts';

/** Puts a finished course into the avenue; null for the one finished first. The course is one of the bower's own. */
export async function chooseAvenue(trx: Trx, personId: number, avenue: string | null): Promise<void> {
  await trx
    .insertInto('bowers')
    .values({ person_id: personId, avenue })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ avenue }))
    .execute();
}

/** Refused: the sentence is for the field. */
export type NotShown = { ok: false; fault: string };

/**
 * Shows a bower to everybody at a name (P63), or changes the name. Of two people who ask for one name at once the first
 * gets it. What staff took from public view stays hidden under any name until they allow it again.
 */
export async function showBower(
  trx: Trx,
  { personId, ownName, typed }: { personId: number; ownName: string | null; typed: string },
  at: Date,
): Promise<{ ok: true; slug: string } | NotShown> {
  const checked = checkName(typed, ownName);
  if (!checked.ok) return checked;
  const { name, slug } = checked;
  await sql`select pg_advisory_xact_lock(hashtext(${`bower ${slug}`}))`.execute(trx);
  const other = await trx
    .selectFrom('bowers')
    .select('person_id')
    .where('slug', '=', slug)
    .where('person_id', '<>', personId)
    .executeTakeFirst();
  if (other) return { ok: false, fault: 'Somebody else shows a bower at this name. Choose another one.' };
  await trx
    .insertInto('bowers')
    .values({ person_id: personId, name, slug, shown_at: at })
    .onConflict((conflict) =>
      conflict.column('person_id').doUpdateSet({
        name,
        slug,
        // A new name is no new day.
        shown_at: sql<Date>`coalesce(bowers.shown_at, excluded.shown_at)`,
      }),
    )
    .execute();
  return { ok: true, slug };
}

/** Takes a bower from public view because its owner says so; its name is free for others at once. */
export async function withdrawBower(trx: Trx, personId: number): Promise<void> {
  await trx
    .updateTable('bowers')
    .set({ name: null, slug: null, shown_at: null })
    .where('person_id', '=', personId)
    .execute();
}

/**
 * Records what a visitor says about a public bower, once for each form; false when there is no bower of that name. The bower
 * stays in view until staff look.
 */
export async function reportBower(
  trx: Db,
  { slug, reason }: { slug: string; reason: string },
  { idempotencyKey, at }: { idempotencyKey: string; at: Date },
): Promise<boolean> {
  const bower = await findPublicBower(trx, slug);
  if (!bower) return false;
  await trx
    .insertInto('bower_reports')
    .values({
      person_id: bower.personId,
      name: bower.name,
      reason,
      idempotency_key: idempotencyKey,
      reported_at: at,
    })
    .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
    .execute();
  return true;
}

/** Staff hide a bower with a reason that its owner reads, allow it again, or keep it as it is; reports are settled with it. */
export type BowerDecision = { kind: 'hide'; why: string } | { kind: 'allow' } | { kind: 'keep' };

/** Decides about a person's bower; false when that person has shown none. */
export async function decideBower(
  trx: Trx,
  { personId, decision, actor }: { personId: number; decision: BowerDecision; actor: StaffActor },
  at: Date,
): Promise<boolean> {
  requirePermission(actor, 'bowers:hide');
  const bower = await trx
    .selectFrom('bowers')
    .select(['hidden_at'])
    .where('person_id', '=', personId)
    .forUpdate()
    .executeTakeFirst();
  if (!bower) return false;
  if (decision.kind === 'hide') {
    await trx
      .updateTable('bowers')
      .set({ hidden_at: at, hidden_by: actor.person.id, hidden_why: decision.why })
      .where('person_id', '=', personId)
      .execute();
  } else if (decision.kind === 'allow') {
    await trx
      .updateTable('bowers')
      .set({ hidden_at: null, hidden_by: null, hidden_why: null })
      .where('person_id', '=', personId)
      .execute();
  }
  await trx
    .updateTable('bower_reports')
    .set({ settled_at: at, settled_by: actor.person.id })
    .where('person_id', '=', personId)
    .where('settled_at', 'is', null)
    .execute();
  return true;
}
