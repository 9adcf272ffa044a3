import type { Way } from '#app/features/money/pricing.ts';
import type { RefundLadder } from '#app/features/site/agreement.ts';

/** Further rules for cancelling, only for the chosen ways to take courses (P31, P40). */
export function rulesFor(ways: readonly Way[], { fullDays, halfDays, fullHours }: RefundLadder): string[] {
  const dated = ways.some((way) => way !== 'guided');
  return [
    'Days end at midnight in Brisbane.',
    ...(ways.includes('next-date')
      ? [
          `Once a course on the list has a date, we refund all of it until ${fullDays} days before the first day, half until ${halfDays} days before, then nothing.`,
        ]
      : []),
    ...(ways.includes('session')
      ? [`Within ${fullHours} hours of enrolling, before the first day, we refund all of it.`]
      : []),
    ...(dated
      ? [
          'If you cancel and the date then sells out, with your seat taken by someone else, we refund the rest.',
          'One move to another date before the first day is free.',
          'After a move you get back at most what you would have got on the day of the move.',
          'If we cancel or move a date, you choose between another date and a full refund.',
        ]
      : []),
    'A change of name is always free.',
    'Your rights under the Australian Consumer Law apply in every case.',
  ];
}
