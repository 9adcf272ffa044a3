import { payerStep } from './payer-step.server.ts';
import { reviewStep } from './review-step.server.ts';
import type { StepForm } from './step-form.ts';
import type { StepName } from './steps.ts';

/** The steps whose forms `takeStep` takes; choosing and the button that places have commands of their own. */
export type FormStep = Exclude<StepName, 'choice'>;

/** The form of each step by its name in `steps`. */
export const stepForms: Readonly<Record<FormStep, StepForm>> = { payer: payerStep, review: reviewStep };
