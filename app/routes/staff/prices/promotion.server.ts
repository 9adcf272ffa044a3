import type { Db } from '#app/db/client.server.ts';
import { demand, type StaffActor } from '#app/features/people/actor.ts';
import { readPromotion } from '#app/features/promotions/queries.server.ts';

/** The promotion as staff see it. */
export async function readPromotionForStaff(db: Db, actor: StaffActor) {
  demand(actor, 'prices:read');
  return readPromotion(db);
}
