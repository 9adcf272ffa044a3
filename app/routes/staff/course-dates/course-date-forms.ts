import { z } from 'zod';
import { common } from '#app/features/people/staff-act.server.ts';
import { optionalLine, optionalTextWithin, requiredLine } from '#app/http/form-texts.ts';
import { daysBetween } from '#app/lib/dates.ts';
import { deliveries } from '#app/lib/delivery.ts';
import { courseDateLabels } from './course-date-labels.ts';

/** A whole number in a field; `what` is its name in a sentence. */
const wholeNumber = (what: string, least: number, most: number) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,6}$/, `Enter ${what} as a whole number.`)
    .transform(Number)
    .pipe(z.number().min(least, `The least is ${least}.`).max(most, `The most is ${most}.`));

/** A day of this century: counting on from the last days of year 9999 leads to none. */
const dayOr = (fault: string) => z.iso.date(fault).refine((day) => day.startsWith('20'), fault);
/** A day in a field. */
export const dayField = (what: string) => dayOr(`Enter ${what} as a date.`);
const optionalDay = z
  .union([z.literal(''), dayOr('Enter a date, or leave it empty.')])
  .transform((day) => (day === '' ? null : day));
/** The id that a select sends; null for none. */
export const idOrNull = z.union([
  z.literal('').transform(() => null),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
]);
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 09:00.');

const times = {
  startDate: dayField('the first day'),
  endDate: dayField('the last day'),
  startTime: time,
  endTime: time,
  breakMinutes: wholeNumber('the minutes of breaks', 0, 180),
  delivery: z.enum(deliveries),
  venue: optionalLine(40).transform((venue) => (venue === '' ? null : venue)),
  instructor: requiredLine('who teaches it', 100),
  enrolmentEnds: dayField('the last day of enrolment'),
  decidedBy: optionalDay,
};

/** A line that may stay empty, then null. */
const lineOrNone = (max: number) => optionalLine(max).transform((text) => (text === '' ? null : text));
/** The way into the class. */
const joiningDetails = {
  room: lineOrNone(100),
  street: lineOrNone(200),
  joiningLink: lineOrNone(500).refine(
    (link) => link === null || (/^https:\/\/\S+$/.test(link) && URL.canParse(link)),
    'Enter a link that begins with https://, or leave it empty.',
  ),
};

/** The reason that buyers read; null for none. */
const reason = optionalTextWithin(500).transform((text) => (text === '' ? null : text));
/** The days, times and place that a move is to bring, as they are looked at before it. */
export const timesForm = z.object({ ...times, reason });
/** The box that a clash is meant: its value names what was in the way. */
const sure = z.string().optional();
export const moveForm = z.object({ ...common, ...times, reason, lastMovement: z.string(), sure });
export const newCourseDateForm = z.object({
  ...common,
  ...times,
  course: requiredLine('the course', 100),
  capacity: wholeNumber('the seats', 1, 500),
  minimum: wholeNumber('the minimum', 1, 100),
  ...joiningDetails,
  // Asked of those who see organisations.
  organisationId: idOrNull.default(null),
  sure,
});
/** Several course dates alike, to look at before they are made. */
export const seriesForm = z.object({
  ...times,
  course: requiredLine('the course', 100),
  capacity: wholeNumber('the seats', 1, 500),
  minimum: wholeNumber('the minimum', 1, 100),
  room: joiningDetails.room,
  street: joiningDetails.street,
  count: wholeNumber('how many dates', 1, 30),
  everyWeeks: wholeNumber('the weeks between them', 1, 26),
});
/** The course dates of a term, to be copied to a number of weeks later. */
export const copyForm = z
  .object({ from: dayField('the first day'), to: dayField('the last day'), weeks: wholeNumber('the weeks', 1, 156) })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'The last day lies before the first day.' })
  .refine(({ from, to }) => daysBetween(from, to) <= 200, { path: ['to'], error: 'Choose 200 days or fewer.' });
/** The form of a preview; further fields have its ticked dates. */
export const makeForm = z.looseObject({ ...common, shown: z.string(), sure });
/** Cancelling and confirming; `lastMovement` is the last sale or cancellation of a seat that the page showed. */
export const changeForm = z.object({ ...common, reason, lastMovement: z.string() });

/** The small forms of a course date's own page. */
export const courseDateForm = z.discriminatedUnion('act', [
  z.object({ ...common, act: z.literal('resize'), capacity: wholeNumber('the seats', 1, 500) }),
  z.object({
    ...common,
    act: z.literal('hold-quote'),
    seats: wholeNumber('the seats', 1, 100),
    until: dayField('the last day'),
    label: requiredLine('the number of the quote or the organisation', 100),
  }),
  z.object({ ...common, act: z.literal('joining-details'), ...joiningDetails, sure }),
  z.object({ ...common, act: z.literal('hold-anyway') }),
  z.object({
    ...common,
    act: z.literal('release-hold'),
    hold: z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  }),
]);

/** A fault of a course date as a sentence: names of fields in words, without the rule's number. */
export function faultInWords({ field, message }: { field: string; message: string }): string {
  const inWords: Record<string, string> = courseDateLabels;
  const text = message
    .replace(/ \(P\d+\)/, '')
    .replace(/\b[a-z]+[A-Z]\w*\b/g, (name) => (inWords[name] ?? name).toLowerCase());
  return `${inWords[field] ?? field} ${text}.`;
}
