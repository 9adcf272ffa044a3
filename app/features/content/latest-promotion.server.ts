import type { Db } from '#app/db/client.server.ts';
import { readDocuments } from './read-documents.server.ts';

/** The latest promotion of combos and its end; the first one ends a fixed time after the first import (P16). */
export async function readLatestPromotion(trx: Db): Promise<{ subject: string; endsAt: Date }> {
  const latest = await trx
    .selectFrom('promotions')
    .select(['subject', 'ends_at as endsAt'])
    .orderBy('starts_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (latest) return latest;
  const { promotion } = await readDocuments(trx, ['promotion']);
  const state = await trx.selectFrom('import_state').select('first_imported_at').executeTakeFirstOrThrow();
  const { days, hours, minutes, seconds } = promotion.lasts;
  const lastsMs = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
  const startsAt = state.first_imported_at ?? new Date(0);
  return { subject: promotion.subject, endsAt: new Date(startsAt.getTime() + lastsMs) };
}
