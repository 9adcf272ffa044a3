import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { readDocuments } from '#app/features/content/read-documents.server.ts';
import type { Combo, Promotion } from './promotion.ts';

export type ComboRow = Omit<Combo, 'courses'> & { courseIds: number[]; aliases: string[] };

/** Every combo that is not retired, in list order. */
export async function readComboRows(trx: Db): Promise<ComboRow[]> {
  return trx
    .selectFrom('combos')
    .select(['id', 'slug', 'title', 'description', 'discount_percent as discountPercent'])
    .select([
      sql<number[]>`array(select course_id::integer from combo_courses where combo_id = id order by position)`.as(
        'courseIds',
      ),
      sql<string[]>`array(select alias from combo_aliases where combo_id = id)`.as('aliases'),
    ])
    .where('retired_at', 'is', null)
    .orderBy('combos.position')
    .execute();
}

/** The latest promotion; the first one ends a fixed time after the first import (P16). */
export async function readPromotion(trx: Db): Promise<Promotion> {
  const latest = await trx
    .selectFrom('promotions')
    .select(['subject', 'ends_at'])
    .orderBy('starts_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (latest) return { subject: latest.subject, endsAt: latest.ends_at.toISOString() };
  const { promotion } = await readDocuments(trx, ['promotion']);
  const state = await trx.selectFrom('import_state').select('first_imported_at').executeTakeFirstOrThrow();
  const { days, hours, minutes, seconds } = promotion.lasts;
  const lastsMs = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
  const startsAt = state.first_imported_at ?? new Date(0);
  return { subject: promotion.subject, endsAt: new Date(startsAt.getTime() + lastsMs).toISOString() };
}
