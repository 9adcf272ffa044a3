import type { Way } from '#app/features/money/pricing.ts';
import { ladder } from '#app/features/money/refund.ts';

const { fullDays, halfDays, fullHours } = ladder;

/** Further rules for cancelling and moving, only for the chosen ways to take courses (P31, P100). */
export function rulesFor(ways: readonly Way[]): string[] {
  const dated = ways.some((way) => way !== 'guided');
  return [
    'Days end at midnight in Brisbane.',
    ...(ways.includes('next-date')
      ? [
          `Once a course on the list has a date, we refund all of it until ${fullDays} days before the first day, half until ${halfDays} days before, then nothing.`,
        ]
      : []),
    ...(ways.includes('date')
      ? [`Within ${fullHours} hours of enrolling, before the first day, we refund all of it.`]
      : []),
    ...(dated
      ? [
          'One move to another date before the first day is free.',
          'After a move you get back at most what you would have got on the day of the move.',
          'If we cancel or move a date, you choose between another date and a full refund.',
        ]
      : []),
    ways.includes('guided')
      ? 'You may give a place to somebody else, free, until its first day, or its first module.'
      : 'You may give a place to somebody else, free, until its first day.',
    'Your rights under the Australian Consumer Law apply in every case.',
  ];
}
