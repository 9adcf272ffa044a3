import { attendeesStep } from './attendees-step.server.ts';
import { codeStep } from './code-step.server.ts';
import { payerStep } from './payer-step.server.ts';
import type { StepForm } from './step-form.ts';
import { type StepName, stepPath } from './steps.ts';
import { termsStep } from './terms-step.server.ts';

/** The steps whose forms `takeStep` takes; choosing and the button that places have commands of their own. */
export type FormStep = Exclude<StepName, 'choice'>;

/** What each step reads, stores and needs, by its name in `steps`. */
export const stepForms: Readonly<Record<FormStep, StepForm>> = {
  attendees: attendeesStep,
  payer: payerStep,
  terms: termsStep,
  code: codeStep,
  review: {
    isComplete: () => false,
    take: (_trx, _academy, { token }) => ({ ok: true, to: stepPath(token, 'review') }),
  },
};
