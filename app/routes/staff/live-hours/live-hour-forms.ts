import { z } from 'zod';
import { requiredLine } from '#app/http/form-texts.ts';
import { common } from '#app/routes/staff/act.server.ts';
import { dayField } from '#app/routes/staff/course-dates/course-date-forms.ts';

const link = z
  .string()
  .trim()
  .max(500, 'The limit is 500 characters.')
  .refine((text) => /^https:\/\/\S+$/.test(text) && URL.canParse(text), 'Enter a link that begins with https://.');

export const newHourForm = z.object({
  ...common,
  course: requiredLine('the course', 100),
  instructor: requiredLine('the instructor', 100),
  firstOn: dayField('the first day'),
  lastOn: dayField('the last day'),
  startsAt: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 18:00.'),
  minutes: z
    .string()
    .trim()
    .regex(/^\d{1,3}$/, 'Enter the minutes as a whole number.')
    .transform(Number)
    .pipe(z.number().min(15, 'The least is 15.').max(240, 'The most is 240.')),
  zone: z.enum(['Australia/Brisbane', 'Australia/Sydney', 'Australia/Melbourne'], 'Choose a time zone.'),
  link,
  sure: z.string().optional(),
});

/** The small forms of a live hour's own page. */
export const hourForm = z.discriminatedUnion('act', [
  z.object({ ...common, act: z.literal('link'), link }),
  z.object({ ...common, act: z.literal('off'), day: dayField('the day'), reason: requiredLine('why', 200) }),
  z.object({ ...common, act: z.literal('end'), from: dayField('the day') }),
]);
