import type { CourseCard } from './catalogue.ts';

/** Whether the courses of a category begin with a written agreement, and are never guided (P28, P38). */
export const beginsWithAgreement = (categorySlug: string): boolean => categorySlug === 'job-guarantee';

/** How a course can be taken now (P38). Where none of these holds, the list of its dates is left. */
export type Ways = { onDates: boolean; guided: boolean; agreement: boolean };

/** `onDates`: whether it has a course date to come. */
export function waysOf({ guided, category }: Pick<CourseCard, 'guided' | 'category'>, onDates: boolean): Ways {
  return { onDates, guided, agreement: beginsWithAgreement(category.slug) };
}

/** The ways to take a course in a few words, for a card: its next date first. */
export function waysText({ guided, agreement }: Ways, nextDate: string | null): string {
  if (agreement) return 'By agreement';
  if (nextDate) return `Next ${nextDate}${guided ? ', or guided' : ''}`;
  return guided ? 'Guided' : 'No date yet';
}

/** The ways to take a course in a sentence. */
export function waysSentence({ onDates, guided, agreement }: Ways): string {
  if (agreement) return 'It begins with a written agreement.';
  if (onDates) return guided ? 'On set dates, or guided online from any Monday.' : 'On set dates.';
  return guided ? 'Guided online from any Monday.' : 'No date is set yet; we tell you when there is one.';
}
