import { z } from 'zod';
import type { StaffActor } from '#app/features/people/actor.ts';
import { type ActDone, common, type StaffFormResult, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import { readClashesOfHour } from '#app/features/study/hour-clashes.server.ts';
import { changeLink, endLiveHour, setLiveHour, takeDayOff } from '#app/features/study/live-hours.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { requiredLine } from '#app/http/form-texts.ts';
import { clashRefusal } from '#app/routes/staff/course-dates/clash-refusal.server.ts';
import { dayField } from '#app/routes/staff/course-dates/course-date-forms.ts';
import type { FieldErrors } from '#app/ui/form-state.ts';

type Asked = { form: FormData | null; actor: StaffActor };

/** Plans a live hour (P60); its id is there when it was made. */
export async function takeNewHour(
  academy: Academy,
  { form, actor }: Asked,
): Promise<{ result: StaffFormResult; id: number | null }> {
  let made: number | null = null;
  const result = await takeStaffAct(academy, {
    form,
    schema: newHourForm,
    subject: 'live-hour:new',
    actor,
    compares: false,
    async act(trx, data, moment) {
      const { course, instructor, startsAt, minutes, zone, link, firstOn, lastOn, sure } = data;
      const wish = { course, instructor, startsAt, minutes, zone, link, firstOn, lastOn };
      const set = await setLiveHour(trx, { wish, actor }, moment);
      if (!set.ok) return { ok: false, reason: 'refused', errors: notSet[set.reason] };
      const clash = clashRefusal(await readClashesOfHour(trx, { ...wish, id: set.id }, actor), sure);
      if (clash) return clash;
      made = set.id;
      return { ok: true, did: { action: 'set-live-hour', details: { hour: set.id } } };
    },
  });
  return { result, id: made };
}

const notSet: Record<string, FieldErrors> = {
  course: { course: 'There is no such course on sale.' },
  'not-guided': { course: 'This course has no guided study.' },
  instructor: { instructor: 'Choose one of our instructors.' },
  'first-day': { firstOn: 'Choose a day after today.' },
  'last-day': { lastOn: 'Choose the first day or a later one.' },
  'too-long': { lastOn: 'Choose a day at most two years after the first.' },
};

/** Takes the small forms of a live hour: another link, a week without it, its end. Those who may come are told. */
export function takeHourAct(academy: Academy, { form, actor, id }: Asked & { id: number }): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: hourForm,
    subject: `live-hour:${id}`,
    actor,
    async act(trx, data, moment) {
      const result = await (async () => {
        switch (data.act) {
          case 'link':
            return changeLink(trx, { id, link: data.link, actor }, moment);
          case 'off':
            return takeDayOff(trx, { id, day: data.day, reason: data.reason, actor }, moment);
          case 'end':
            return endLiveHour(trx, { id, from: data.from, actor }, moment);
        }
      })();
      if (result.ok) return didOf(data);
      if (result.reason === 'unknown') return { ok: false, reason: 'missing' };
      return { ok: false, reason: 'refused', fault: whyNot[result.reason] };
    },
  });
}

type Act = { act: 'link' } | { act: 'off'; day: string } | { act: 'end'; from: string };

/** Only attendees may read the link itself. */
function didOf(data: Act): ActDone {
  switch (data.act) {
    case 'link':
      return { ok: true, did: { action: 'link-live-hour' } };
    case 'off':
      return { ok: true, did: { action: 'skip-live-hour', details: { day: data.day } } };
    case 'end':
      return { ok: true, did: { action: 'end-live-hour', details: { from: data.from } } };
  }
}

const whyNot = {
  over: 'This live hour is over.',
  unchanged: 'It is so already.',
  'no-such-day': 'No live hour is planned on that day, or the day is past.',
  held: 'The live hour of that day is over already. Choose a later day.',
};

const link = z
  .string()
  .trim()
  .max(500, 'The limit is 500 characters.')
  .refine((text) => /^https:\/\/\S+$/.test(text) && URL.canParse(text), 'Enter a link that begins with https://.');

const newHourForm = z.object({
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
const hourForm = z.discriminatedUnion('act', [
  z.object({ ...common, act: z.literal('link'), link }),
  z.object({ ...common, act: z.literal('off'), day: dayField('the day'), reason: requiredLine('why', 200) }),
  z.object({ ...common, act: z.literal('end'), from: dayField('the day') }),
]);
