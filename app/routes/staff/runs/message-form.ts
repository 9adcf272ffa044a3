import { z } from 'zod';
import { templateFault } from '#app/features/runs/fields.ts';
import { requiredLine, requiredText } from '#app/http/form-texts.ts';
import { common } from '#app/routes/staff/act.server.ts';

const template = (text: string, context: z.RefinementCtx) => {
  const message = templateFault(text);
  if (message) context.addIssue({ code: 'custom', message });
};
const box = z
  .string()
  .optional()
  .transform((value) => value === 'on');

/** A message to a course date; `expects` names who gets it by the preview that was shown. */
export const messageForm = z.object({
  ...common,
  attendees: box,
  buyers: box,
  waiting: box,
  purpose: z.enum(['service', 'news'], 'Say whether it is about the course date, or news and offers.'),
  subject: requiredLine('a subject', 120).superRefine(template),
  body: requiredText('what you want to say').superRefine(template),
  day: z.union([z.literal(''), z.iso.date('Enter a date, or leave it empty.')]).default(''),
  time: z
    .string()
    .regex(/^(([01]\d|2[0-3]):[0-5]\d)?$/, 'Enter a time such as 09:00.')
    .default(''),
  expects: z.string().default(''),
});
export type MessageForm = z.output<typeof messageForm>;
