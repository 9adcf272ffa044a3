import type { Db, Trx } from '#app/db/client.server.ts';
import { demand, type StaffActor } from './actor.ts';

/** Whether single keys work in the person's inbox (WCAG 2.1.4): only for those who act there, and until switched off. */
export async function hasInboxKeys(db: Db, actor: StaffActor): Promise<boolean> {
  demand(actor, 'inbox:read');
  if (!actor.can.has('inbox:work')) return false;
  const query = db.selectFrom('staff_settings').select('inbox_keys').where('person_id', '=', actor.person.id);
  return (await query.executeTakeFirst())?.inbox_keys ?? true;
}

/** Switches the keys of the person's own inbox on or off. */
export async function setInboxKeys(trx: Trx, on: boolean, actor: StaffActor): Promise<void> {
  demand(actor, 'inbox:work');
  await trx
    .insertInto('staff_settings')
    .values({ person_id: actor.person.id, inbox_keys: on })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ inbox_keys: on }))
    .execute();
}
