import { z } from 'zod';
import { requiredText } from '#app/http/form-texts.ts';
import { tokenField } from '#app/ui/form-state.ts';
import { enquiryStates } from './inbox.ts';

const common = { [tokenField]: z.uuid(), seen: z.string() };

/** The forms of an enquiry's page for staff. */
export const actForm = z.discriminatedUnion('act', [
  z.object({ ...common, act: z.literal('answer'), answer: requiredText('your answer') }),
  z.object({ ...common, act: z.literal('state'), state: z.enum(enquiryStates) }),
  z.object({ ...common, act: z.literal('take-back'), mail: z.uuid() }),
]);
export type ActValues = z.output<typeof actForm>;
