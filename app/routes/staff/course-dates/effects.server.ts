import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { enrolmentsIn, readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { balanceOf, splitCredit } from '#app/features/money/balance.ts';
import { openInvoices } from '#app/features/money/open-invoices.server.ts';

/**
 * What cancelling, moving or confirming a course date means for each enrolment in it: who is told, and in cents
 * what is owed now, what would come back, and what would no longer be owed (P40).
 */
export function readEffects(db: Db, courseDateId: number) {
  return db.transaction().execute(async (trx) => {
    // One view of it all: somebody may be enrolling.
    await sql`set transaction isolation level repeatable read, read only`.execute(trx);
    const effects = [];
    for (const id of await enrolmentsIn(trx, courseDateId)) {
      const { reference, buyerName, organisation, email, places } = await readEnrolment(trx, id);
      const its = places.filter(({ state, courseDate }) => state === 'active' && courseDate?.id === courseDateId);
      const charged = await chargedFor(trx, id);
      const chargedCents = its.reduce((sum, place) => sum + charged(place.id), 0);
      const balanceCents = balanceOf(await accountOf(trx, id));
      const { refundCents } = splitCredit(balanceCents, chargedCents);
      const open = await openInvoices(trx, id);
      effects.push({
        reference,
        buyer: organisation ? `${buyerName}, ${organisation}` : buyerName,
        email,
        attendees: its.map(({ attendee }) => ({ id: attendee.id, name: attendee.name, email: attendee.email })),
        balanceCents,
        refundCents,
        noLongerOwedCents: chargedCents - refundCents,
        // The due date once every course date is confirmed.
        dueOn: open.map(({ dueOn, printedDueOn }) => dueOn ?? printedDueOn).toSorted()[0] ?? null,
      });
    }
    return effects;
  });
}
