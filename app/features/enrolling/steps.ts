import { href } from 'react-router';

/** The steps of an enrolment in their order; each has an address of its own under the draft's private link. */
export const steps = [
  { name: 'choice', title: 'Choose' },
  { name: 'attendees', title: 'Who attends' },
  { name: 'payer', title: 'Who pays' },
  { name: 'terms', title: 'Terms' },
  { name: 'code', title: 'Confirm address' },
  { name: 'review', title: 'Review' },
] as const;

export type StepName = (typeof steps)[number]['name'];

/** The address of a step. */
export function stepPath(draft: string, step: StepName | 'done' | 'request'): string {
  return {
    choice: () => href('/enrol/:draft', { draft }),
    attendees: () => href('/enrol/:draft/attendees', { draft }),
    payer: () => href('/enrol/:draft/payer', { draft }),
    terms: () => href('/enrol/:draft/terms', { draft }),
    code: () => href('/enrol/:draft/code', { draft }),
    review: () => href('/enrol/:draft/review', { draft }),
    done: () => href('/enrol/:draft/done', { draft }),
    request: () => href('/enrol/:draft/request', { draft }),
  }[step]();
}

const at = (step: StepName) => steps.findIndex(({ name }) => name === step);

/** Whether a step comes after another. */
export const isAfter = (step: StepName, other: StepName) => at(step) > at(other);

/** The step before; the first has itself. */
export const stepBefore = (step: StepName): StepName => steps[Math.max(0, at(step) - 1)]?.name ?? 'choice';
