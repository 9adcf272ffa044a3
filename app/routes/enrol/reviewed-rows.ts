import { courseLines } from '#app/features/enrolling/draft-summary.ts';
import type { OpenDraft } from '#app/features/enrolling/open-draft.ts';
import type { ReviewedRow } from '#app/features/enrolling/step-form.ts';
import { stepForms } from '#app/features/enrolling/step-forms.server.ts';
import { type StepName, steps } from '#app/features/enrolling/steps.ts';

export type ReviewSection = { title: string; step: StepName; rows: ReviewedRow[] };

/** Everything that was filled in, by the step in which it can be changed. */
export function reviewOf(opened: OpenDraft): ReviewSection[] {
  return steps.flatMap(({ name, title }): ReviewSection[] => {
    if (name === 'choice') return [{ title: 'What', step: name, rows: chosenRows(opened) }];
    const rows = stepForms[name].reviewed?.(opened) ?? [];
    return rows.length > 0 ? [{ title, step: name, rows }] : [];
  });
}

function chosenRows({ product, choice }: OpenDraft): ReviewedRow[] {
  if (!product || !choice) return [];
  return [
    ...courseLines(product, choice).map(({ title, lines }): ReviewedRow => [title, lines.join('\n')]),
    ['Attendees', String(choice.attendees)],
  ];
}
