import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { accountsOf, noAccount } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { recordPayment } from '#app/features/money/payments.server.ts';
import { theProgram } from '#app/features/people/actor.ts';

/** Gives every module of a course a text. */
export async function writeModules(db: Db, course: string): Promise<void> {
  await sql`insert into course_modules (course_id, number, title, body)
    select id, number, item ->> 'module', '## Reading' || e'\n\nRead this.\n\n' || '## Exercise' || e'\n\nDo this.'
    from courses, jsonb_array_elements(details -> 'curriculum') with ordinality as part (item, number)
    where slug = ${course}
    on conflict do nothing`.execute(db);
}

/** Pays what is owed for an enrolment. */
export async function pay(db: Db, enrolmentId: number, receivedOn = '2025-09-10'): Promise<void> {
  const account = (await accountsOf(db, [enrolmentId])).get(enrolmentId) ?? noAccount;
  await db.transaction().execute((trx) =>
    recordPayment(trx, {
      enrolmentId,
      amountCents: balanceOf(account),
      receivedOn,
      method: 'bank',
      actor: theProgram,
      at: new Date(`${receivedOn}T09:00:00+10:00`),
      idempotencyKey: `paid in full: ${enrolmentId}`,
    }),
  );
}

/** Records that the first module of a place was opened. */
export const recordOpened = (db: Db, placeId: number, at: Date) =>
  db.insertInto('module_openings').values({ place_id: placeId, module: 1, opened_at: at }).execute();
