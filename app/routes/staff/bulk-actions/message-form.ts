import { z } from 'zod';
import { templateFault } from '#app/features/bulk-actions/fields.ts';
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

/** A message to several people; `expects` names who gets it by the preview that was shown. */
export const messageForm = z.object({
  ...common,
  attendees: box,
  buyers: box,
  waiting: box,
  purpose: z.enum(['service', 'news'], 'Say whether it is about their course, or news and offers.'),
  subject: requiredLine('a subject', 120).superRefine(template),
  body: requiredText('what you want to say').superRefine(template),
  expects: z.string().default(''),
});
export type MessageForm = z.output<typeof messageForm>;
