import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { doDaily } from '#app/db/daily-job.server.ts';
import { noteErased } from '#app/db/rewrite-tables.server.ts';
import { hashOfToken } from '#app/lib/private-token.server.ts';
import type { FormValues } from '#app/ui/form-state.ts';
import type { SeenPrices } from './seen-prices.server.ts';
import { type StepName, steps } from './steps.ts';

/** The typed fields so far (personal data), by step. */
export type Draft = Record<StepName, FormValues> & {
  id: number;
  /** The prices first shown for each `pricedItem`, and when: they hold for the visit. */
  prices: Record<string, SeenPrices>;
  /** The address whose owner entered the code sent to it. */
  confirmedEmail: string | null;
  /** Set once it was placed. */
  enrolmentId: number | null;
};

/** How long a draft is kept after its last change, and while nothing but a choice was made. */
export const draftDays = 7;
export const choiceDays = 1;
const dayMs = 24 * 60 * 60 * 1000;
export const draftTables = ['enrolment_drafts', 'email_codes'];

/**
 * The token of the draft that a form makes: 192 bits in hexadecimal, because addresses are in lower case. The same form
 * sent twice makes the same draft (P25). Only its hash is stored.
 */
export function draftToken(secret: string, formToken: string): string {
  return createHmac('sha256', secret).update(`enrolment-draft:${formToken}`).digest('hex').slice(0, 48);
}

/** The token of the buyer's link to the enrolment that was placed with this link to a draft, and with no other. */
export function placedToken(secret: string, token: string): string {
  return createHmac('sha256', secret).update(`placed-draft:${token}`).digest('hex').slice(0, 48);
}

/** Makes a draft, or finds the one that the same form made before. */
export async function storeDraft(trx: Db, token: string, at: Date): Promise<Draft> {
  await trx
    .insertInto('enrolment_drafts')
    .values({ token_hash: hashOfToken(token), created_at: at, changed_at: at })
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .execute();
  const draft = await findDraft(trx, token);
  if (!draft) throw new Error('a draft that was just stored is missing');
  return draft;
}

/** The draft of a private link; null when there is none (any more). */
export async function findDraft(db: Db, token: string): Promise<Draft | null> {
  const row = await db
    .selectFrom('enrolment_drafts')
    .select(['id', 'typed', 'prices', 'confirmed_email', 'enrolment_id'])
    .where((draft) =>
      draft.or([
        draft('token_hash', '=', hashOfToken(token)),
        draft(
          'id',
          'in',
          draft.selectFrom('private_links').select('enrolment_draft_id').where('token_hash', '=', hashOfToken(token)),
        ),
      ]),
    )
    .executeTakeFirst();
  if (!row) return null;
  // Only `saveEnrolmentDraft` writes these columns. Who attends and the terms were steps of their own before.
  const stored = row.typed as Partial<Record<StepName | 'attendees' | 'terms', FormValues>>;
  const typed = {
    ...stored,
    payer: { ...stored.attendees, ...stored.payer },
    review: stored.review ?? stored.terms ?? {},
  };
  const byStep = Object.fromEntries(steps.map(({ name }) => [name, typed[name] ?? {}])) as Record<StepName, FormValues>;
  return {
    ...byStep,
    id: row.id,
    prices: row.prices as Draft['prices'],
    confirmedEmail: row.confirmed_email,
    enrolmentId: row.enrolment_id,
  };
}

/** Locks a draft until the transaction ends; returns the address whose owner entered the code. */
export async function lockDraft(trx: Trx, id: number): Promise<string | null> {
  const query = trx.selectFrom('enrolment_drafts').select('confirmed_email').where('id', '=', id).forUpdate();
  return (await query.executeTakeFirst())?.confirmed_email ?? null;
}

/** Replaces the stored fields of these steps; does nothing once the draft was placed. */
export async function saveEnrolmentDraft(
  trx: Db,
  id: number,
  changes: Partial<Omit<Draft, 'id' | 'enrolmentId'>>,
  at: Date,
): Promise<void> {
  const { prices, confirmedEmail, ...typed } = changes;
  await trx
    .updateTable('enrolment_drafts')
    .set({
      typed: sql`typed || ${JSON.stringify(typed)}::jsonb`,
      ...(prices && { prices: JSON.stringify(prices) }),
      ...(confirmedEmail !== undefined && { confirmed_email: confirmedEmail }),
      changed_at: at,
    })
    .where('id', '=', id)
    .where('enrolment_id', 'is', null)
    .execute();
}

/** Replaces the prices that a draft was read with, unless another page stored some meanwhile. */
export async function storePrices(db: Db, draft: Pick<Draft, 'id' | 'prices'>, prices: Draft['prices']): Promise<void> {
  await db
    .updateTable('enrolment_drafts')
    .set({ prices: JSON.stringify(prices) })
    .where('id', '=', draft.id)
    .where('enrolment_id', 'is', null)
    .where(sql<boolean>`prices = ${JSON.stringify(draft.prices)}::jsonb`)
    .execute();
}

/**
 * The daily job: erases drafts that were last changed seven days ago, or one day ago when no form beyond the choice was
 * ever sent. Returns how many, null when it was done today.
 */
export async function expireDraftsDaily(db: Db, now: Date): Promise<number | null> {
  return doDaily(db, 'erase-enrolment-drafts', now, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('enrolment_drafts')
      .where(({ eb, and, or }) => {
        const unchangedFor = (days: number) => eb('changed_at', '<', new Date(now.getTime() - days * dayMs));
        return or([
          unchangedFor(draftDays),
          and([
            unchangedFor(choiceDays),
            sql<boolean>`typed - 'choice' = '{}'`,
            eb('confirmed_email', 'is', null),
            eb('enrolment_id', 'is', null),
          ]),
        ]);
      })
      .executeTakeFirstOrThrow();
    if (numDeletedRows > 0n) await noteErased(trx, draftTables);
    return Number(numDeletedRows);
  });
}
