import type { Db } from '#app/db/client.server.ts';
import { whatNeeds } from '#app/features/content/examine.server.ts';
import type { At } from '#app/features/content/publish.server.ts';
import type { RecordRef } from '#app/features/content/records.ts';
import { countWaiting } from '#app/features/enrolments/waiting/queries.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';

/** What stands against retiring a record, and how many people on waiting lists an email would go to. */
export async function readNeeded(db: Db, actor: StaffActor, record: RecordRef, at: At) {
  requirePermission(actor, 'content:publish');
  return {
    needs: await whatNeeds(db, record, at),
    waiting: record.kind === 'course' ? await countWaiting(db, record.key) : 0,
  };
}
