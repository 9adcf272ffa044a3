import type { CourseCard } from './catalogue.ts';

/** Whether the courses of a category begin with a written agreement, and are never guided (P28, P38). */
export const beginsWithAgreement = (categorySlug: string): boolean => categorySlug === 'job-guarantee';

/** How a course can be taken now (P38): one of these at least. */
export type Ways = { onDates: boolean; guided: boolean; list: boolean; agreement: boolean };

/** `onDates`: whether it has a training session to come. Without one and not guided, the list for the next date is left. */
export function waysOf({ guided, category }: Pick<CourseCard, 'guided' | 'category'>, onDates: boolean): Ways {
  const agreement = beginsWithAgreement(category.slug);
  return { onDates, guided, list: !onDates && !guided && !agreement, agreement };
}

/** The ways in a few words, for a card. */
export function waysText({ onDates, guided, agreement }: Ways): string {
  if (agreement) return 'By agreement';
  if (onDates) return guided ? 'On dates or guided' : 'On dates';
  return guided ? 'Guided' : 'Next date: join the list';
}

/** The ways in a sentence. */
export function waysSentence({ onDates, guided, agreement }: Ways): string {
  if (agreement) return 'It begins with a written agreement.';
  if (onDates) return guided ? 'On set dates, or guided online from any Monday.' : 'On set dates.';
  return guided ? 'Guided online from any Monday.' : 'Join the list for its next date.';
}
