import type { Db } from '#app/db/client.server.ts';
import { readEffects } from '#app/features/enrolments/desk/effects.server.ts';
import { daysToChoose } from '#app/features/enrolments/session-changes.server.ts';
import { addDays, type Day, formatDay } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { undisguised } from '#app/lib/undisguised.ts';

export type Change = 'cancel' | 'confirm' | 'move';

/** What a change of a training session does to each person in it, in words. */
export async function loadEffects(db: Db, sessionId: number, { change, today }: { change: Change; today: Day }) {
  const effects = await readEffects(db, sessionId);
  return {
    chooseUntil: formatDay(addDays(today, daysToChoose)),
    effects: effects.map((effect) => ({
      reference: effect.reference,
      buyer: undisguised(effect.buyer),
      told: [
        effect.email,
        ...effect.attendees.flatMap(({ email }) => (email && email !== effect.email ? email : [])),
      ].map(undisguised),
      attendees: effect.attendees.map(({ id, name }) => ({ id, name: undisguised(name ?? 'To be named') })),
      money: change === 'confirm' ? becomesDue(effect, today) : comesBack(effect),
    })),
  };
}

type Effect = Awaited<ReturnType<typeof readEffects>>[number];

function becomesDue({ balanceCents, dueOn }: Effect, today: Day): string {
  if (balanceCents <= 0) return 'Nothing is owed.';
  return `${formatMoney(balanceCents)} becomes due by ${formatDay(dueOn === null || dueOn < today ? today : dueOn)}.`;
}

function comesBack({ refundCents, noLongerOwedCents }: Effect): string {
  const parts = [
    ...(refundCents > 0 ? [`${formatMoney(refundCents)} to be refunded`] : []),
    ...(noLongerOwedCents > 0 ? [`${formatMoney(noLongerOwedCents)} no longer owed`] : []),
  ];
  return parts.length > 0 ? `If not moved to another date: ${parts.join(', ')}.` : 'No money is concerned.';
}
