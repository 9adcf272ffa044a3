import type { Db } from '#app/db/client.server.ts';
import { readPromotion } from '#app/features/catalogue/promotions/queries.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';

/** The promotion as staff see it. */
export async function readPromotionForStaff(db: Db, actor: StaffActor) {
  requirePermission(actor, 'prices:read');
  return readPromotion(db);
}
