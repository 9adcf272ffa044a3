import { href } from 'react-router';
import { type Choice, mondayField, type ProductToChoose, wayField } from '#app/features/enrolments/enrolling/choice.ts';
import type { FormValues } from '#app/ui/form-state.ts';

/** The page on which the code for a quote is typed. */
export const quotePath = (draft: string): string => href('/quote/:draft', { draft });

export const quoteLabels = {
  attendees: 'How many people',
  buyerName: 'Your name',
  organisation: 'Organisation',
  email: 'Email',
  abn: 'ABN',
};

/** The query by which an address names what an item such as `course:cissp` is. */
export function queryOf(item: string): Record<string, string> {
  const [kind = '', slug = ''] = item.split(':');
  return { [kind]: slug };
}

/** The fields of the form besides the ways of its courses. */
export const quoteFields = ['item', 'seen', ...Object.keys(quoteLabels)];

/** What somebody who asks their employer fills in (P113). */
export const employerLabels = {
  buyerName: 'Your name',
  email: 'Your email',
  organisation: 'Your employer',
  approverName: 'Who decides there',
  approverEmail: 'Their email',
  purpose: 'What I will do with it',
  deadline: 'By when',
  audience: 'Who else learns from it',
};
export const employerFields = ['item', 'seen', ...Object.keys(employerLabels)];

/** One way to take a course, as one option of a select: a date with seats, or guided study from a Monday. */
export const guidedPrefix = 'guided:';

/** The same as the checkout has it: the way in one field, and the Monday in another. */
export function asChoice({ courses }: Pick<ProductToChoose, 'courses'>, values: FormValues): FormValues {
  const pairs = courses.flatMap(({ slug }) => {
    const way = values[wayField(slug)] ?? '';
    if (!way.startsWith(guidedPrefix)) return [];
    return [
      [wayField(slug), 'guided'],
      [mondayField(slug), way.slice(guidedPrefix.length)],
    ];
  });
  return { ...values, ...Object.fromEntries(pairs) };
}

/** Whether somebody may make a quote of a choice without staff, and why not (P28, P112). */
export function quoteRefused(
  request: 'agreement-first' | 'large-group' | 'no-date' | null,
  choice: Choice,
): string | null {
  if (request === 'agreement-first')
    return 'A job-guarantee programme begins with a written agreement. Send us a request, and we answer within one business day.';
  if (request === 'large-group')
    return 'Here you can make a quote for up to six seats. For more, write to us: we answer by the end of the next business day.';
  if (request === 'no-date' || choice.choices.every(({ way }) => way === 'next-date'))
    return 'A course without a date has no quote yet. Join its list, and we offer you a seat when we set a date.';
  return null;
}
