import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { readLatestPromotion } from '#app/features/content/promotion.server.ts';
import type { Combo, Promotion } from './promotion.ts';

export type ComboRow = Omit<Combo, 'courses'> & { courseIds: number[]; aliases: string[] };

/** Every combo that is not retired, in list order. */
export async function readComboRows(trx: Db): Promise<ComboRow[]> {
  return trx
    .selectFrom('combos')
    .select(['id', 'slug', 'title', 'description', 'discount_percent as discountPercent', 'aliases'])
    .select(
      sql<number[]>`array(select course_id::integer from combo_courses where combo_id = id order by position)`.as(
        'courseIds',
      ),
    )
    .where('retired_at', 'is', null)
    .orderBy('combos.position')
    .execute();
}

/** The latest promotion of combos (P16). */
export async function readPromotion(trx: Db): Promise<Promotion> {
  const { subject, endsAt } = await readLatestPromotion(trx);
  return { subject, endsAt: endsAt.toISOString() };
}
