import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { mailOfInstructor, readTaughtClass } from '#app/features/course-dates/tell-instructors.server.ts';
import { chooseUntil } from '#app/features/enrolments/may-change.ts';
import { enrolmentsIn, readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { entriesFor } from '#app/features/enrolments/waiting/move-course-date.server.ts';
import { accountOf, openInvoices } from '#app/features/money/accounts.server.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { balanceOf, splitCredit } from '#app/features/money/balance.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';

export type Change = 'cancel' | 'confirm' | 'move';

/**
 * What a change of a course date does to each person in it, in words. Until when buyers choose is said for its first
 * day, which a move still sets: then it is the latest day there can be.
 */
export async function loadEffects(
  db: Db,
  actor: StaffActor,
  { id, startDate }: { id: number; startDate: Day },
  { change, today }: { change: Change; today: Day },
) {
  requirePermission(actor, 'course-dates:change');
  const effects = await readEffects(db, id);
  const sum = (of: (effect: Effect) => number) => effects.reduce((all, effect) => all + of(effect), 0);
  return {
    /** Whether somebody teaches it and reads mail. */
    isTaught: (await mailOfInstructor(db, (await readTaughtClass(db, id)).instructor.slug)).length > 0,
    /** How many on the waiting list hear of another day, city or way to attend. */
    waiting: (await entriesFor(db, id)).length,
    chooseUntil: formatDay(chooseUntil(today, change === 'move' ? '9999-12-31' : startDate)),
    sums:
      change === 'confirm'
        ? [{ text: 'Becomes due', atOnce: sum(({ balanceCents }) => Math.max(0, balanceCents)), later: 0 }]
        : [
            { text: 'To refund', atOnce: 0, later: sum(({ refundCents }) => refundCents) },
            { text: 'No longer owed', atOnce: 0, later: sum(({ noLongerOwedCents }) => noLongerOwedCents) },
          ],
    effects: effects.map((effect) => ({
      reference: effect.reference,
      buyer: showControlCharacters(effect.buyer),
      told: [
        effect.email,
        ...effect.attendees.flatMap(({ email }) => (email && email !== effect.email ? email : [])),
      ].map(showControlCharacters),
      attendees: effect.attendees.map(({ id, name }) => ({ id, name: showControlCharacters(name ?? 'To be named') })),
      money:
        change === 'confirm'
          ? becomesDue(effect, today)
          : change === 'move' && startDate <= today
            ? noMoney
            : comesBack(effect, change),
    })),
  };
}

type Effect = Awaited<ReturnType<typeof readEffects>>[number];

function becomesDue({ balanceCents, dueOn }: Effect, today: Day): string {
  if (balanceCents <= 0) return 'Nothing is owed.';
  return `${formatExact(balanceCents)} becomes due by ${formatDay(dueOn === null || dueOn < today ? today : dueOn)}.`;
}

const noMoney = 'No money changes.';

function comesBack({ refundCents, noLongerOwedCents }: Effect, change: Change): string {
  const parts = [
    ...(refundCents > 0 ? [`${formatExact(refundCents)} to be refunded`] : []),
    ...(noLongerOwedCents > 0 ? [`${formatExact(noLongerOwedCents)} no longer owed`] : []),
  ];
  const when = change === 'move' ? 'If they choose a refund' : 'If not moved to another date';
  return parts.length > 0 ? `${when}: ${parts.join(', ')}.` : noMoney;
}

/**
 * What cancelling, moving or confirming a course date means for each enrolment in it: who is told, and in cents
 * what is owed now, what would come back, and what would no longer be owed (P40).
 */
function readEffects(db: Db, courseDateId: number) {
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
