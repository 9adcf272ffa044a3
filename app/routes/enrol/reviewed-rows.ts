import { courseLines } from '#app/features/enrolments/enrolling/draft-summary.ts';
import type { OpenDraft } from '#app/features/enrolments/enrolling/open-draft.ts';
import type { ReviewedPart } from '#app/features/enrolments/enrolling/step-form.ts';
import { stepForms } from '#app/features/enrolments/enrolling/step-forms.server.ts';
import { type StepName, steps } from '#app/features/enrolments/enrolling/steps.ts';

export type ReviewSection = ReviewedPart & { step: StepName };

/** Everything that was filled in, by the step in which it can be changed. */
export function reviewOf(opened: OpenDraft): ReviewSection[] {
  return steps.flatMap(({ name }) => {
    const parts = name === 'choice' ? [chosen(opened)] : (stepForms[name].reviewed?.(opened) ?? []);
    return parts.filter(({ rows }) => rows.length > 0).map((part) => ({ ...part, step: name }));
  });
}

function chosen({ product, choice }: OpenDraft): ReviewedPart {
  const courses = product && choice ? courseLines(product, choice) : [];
  const [only, ...others] = courses;
  if (only && others.length === 0)
    return { title: 'Date', rows: [{ name: 'Date', value: only.lines.join('\n'), plain: true }] };
  return { title: 'Courses', rows: courses.map(({ title, lines }) => ({ name: title, value: lines.join('\n') })) };
}
