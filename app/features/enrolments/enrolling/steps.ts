import { href } from 'react-router';

/**
 * The steps of an enrolment in their order; each has an address of its own under the draft's private link. What a step
 * reads, stores and needs is in `step-forms.server.ts`.
 */
export const steps = [
  { name: 'choice', title: 'Date and people' },
  { name: 'payer', title: 'Who pays' },
  { name: 'review', title: 'Check and enrol' },
] as const;

export type StepName = (typeof steps)[number]['name'];

/** The address of a step. */
export const stepPath = (draft: string, step: StepName | 'done' | 'request'): string =>
  step === 'choice' ? href('/enrol/:draft', { draft }) : href(`/enrol/:draft/${step}`, { draft });

const at = (step: StepName) => steps.findIndex(({ name }) => name === step);

/** Whether a step comes after another. */
export const isAfter = (step: StepName, other: StepName) => at(step) > at(other);

/** The step before; the first has itself. */
export const stepBefore = (step: StepName): StepName => steps[Math.max(0, at(step) - 1)]?.name ?? 'choice';

/** The step after; the last has itself. */
export const stepAfter = (step: StepName): StepName => steps[at(step) + 1]?.name ?? step;
