import { dayMs } from '#app/lib/durations.ts';

/** The beginnings of the dedupe keys of mails about an enquiry; its reference follows, then what tells answers apart. */
export const mailKeys = {
  acknowledgement: 'enquiry-acknowledgement',
  message: 'enquiry-message',
  answer: 'enquiry-answer',
} as const;

/** How long the same body from the same email address counts as the same enquiry. */
export const repeatWindowMs = dayMs;
