import { href } from 'react-router';
import type { z } from 'zod';
import type { Db } from '#app/db/client.server.ts';
import { findCourseId } from '#app/features/catalogue/queries.server.ts';
import type { NewCourseDate } from '#app/features/course-dates/commands.server.ts';
import {
  makeCourseDates,
  nameOfShown,
  type Proposal,
  proposeCourseDates,
  readPlanned,
  readPublicHolidays,
} from '#app/features/course-dates/plan.server.ts';
import {
  copiesOf,
  datesOfSeries,
  lastHolidayKnown,
  oddDays,
  type Skipped,
} from '#app/features/course-dates/planner.ts';
import { waitingForNextDate } from '#app/features/enrolments/waiting/move-course-date.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { type ActDone, type Refused, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { firstFaults } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import type { FieldErrors, FormState } from '#app/ui/form-state.ts';
import { copyForm, faultInWords, makeForm, seriesForm } from './course-date-forms.ts';

type Holiday = { name: string; day: Day };
/** Course dates as they would be made; `moved` says by which holidays one was moved on. */
export type Plan = {
  rows: (Omit<Proposal, 'faults'> & {
    /** Why it cannot be made, in words. */
    faults: string[];
    /** What is unusual about its days, in words. */
    odd: string[];
    moved: { weeks: number; holidays: Holiday[] } | null;
  })[];
  skipped: Skipped[];
  /** A hash of the shown plan, so that only a plan that somebody has seen is made. */
  shown: string;
  /** How many wait for the next date of a course of the plan; courses for which nobody waits are left out. */
  waiting: { title: string; count: number }[];
  /** The last public holiday in the list, when dates lie after it: those were not checked. */
  unchecked: Day | null;
};
type ReadPlan = { ok: true; plan: Plan } | { ok: false; errors: FieldErrors };

/** The dates of a series as its fields say (P77). */
export async function planSeries(
  db: Db,
  actor: StaffActor,
  sent: Record<string, string>,
  today: Day,
): Promise<ReadPlan> {
  requirePermission(actor, 'course-dates:change');
  const parsed = seriesForm.safeParse(sent);
  if (!parsed.success) return refused(parsed.error);
  const { course, room, street, count, everyWeeks, ...wish } = parsed.data;
  const courseId = (await findCourseId(db, course)) ?? 0;
  const holidays = await readPublicHolidays(db);
  const first: NewCourseDate = { ...wish, courseId, joiningDetails: { room, street, joiningLink: null } };
  const { dates, skipped } = datesOfSeries(first, { times: count, everyWeeks }, holidays);
  const rows = (await proposeCourseDates(db, dates, today)).map((proposal) => ({
    ...inWords(proposal),
    odd: oddDays(proposal.wish, holidays, today),
    moved: null,
  }));
  return { ok: true, plan: await planOf(db, rows, { skipped, lastHoliday: lastHolidayKnown(holidays) }) };
}

/**
 * The public course dates that start in a term, so many weeks later (P77). Links are not copied: each class gets its own.
 */
export async function planCopy(db: Db, actor: StaffActor, sent: Record<string, string>, today: Day): Promise<ReadPlan> {
  requirePermission(actor, 'course-dates:change');
  const parsed = copyForm.safeParse(sent);
  if (!parsed.success) return refused(parsed.error);
  const { from, to, weeks } = parsed.data;
  const holidays = await readPublicHolidays(db);
  const term = (await readPlanned(db, { from, to })).filter(
    ({ startDate, organisationId }) => startDate >= from && organisationId === null,
  );
  const copies = copiesOf(term.map(wishOf), weeks, holidays);
  const proposals = await proposeCourseDates(
    db,
    copies.map(({ date }) => date),
    today,
  );
  const rows = proposals.map((proposal, at) => {
    const copy = copies[at];
    const moved = copy && copy.passed.length > 0 ? { weeks: copy.weeks, holidays: copy.passed } : null;
    return { ...inWords(proposal), odd: oddDays(proposal.wish, holidays, today), moved };
  });
  return { ok: true, plan: await planOf(db, rows, { skipped: [], lastHoliday: lastHolidayKnown(holidays) }) };
}

const inWords = ({ faults, ...proposal }: Proposal) => ({ ...proposal, faults: faults.map(faultInWords) });

const refused = (error: z.ZodError): ReadPlan => ({ ok: false, errors: firstFaults(error) });

async function planOf(
  db: Db,
  rows: Plan['rows'],
  { skipped, lastHoliday }: { skipped: Skipped[]; lastHoliday: Day | null },
): Promise<Plan> {
  const beyond = rows.some(({ wish }) => lastHoliday === null || wish.endDate > lastHoliday);
  const titles = new Map(rows.map(({ wish, title }) => [wish.courseId, title]));
  const counts = await waitingForNextDate(db, [...titles.keys()]);
  const waiting = [...titles].flatMap(([id, title]) => {
    const count = counts.get(id) ?? 0;
    return count > 0 ? [{ title, count }] : [];
  });
  return { rows, skipped, waiting, shown: nameOfShown(rows), unchecked: beyond ? lastHoliday : null };
}

/** How many days before the first day it is decided at the latest whether a date is held (P39). */
const decisionDays = 14;

/**
 * A course date to make like one that there is. A date that was confirmed and then moved has no day of decision any more; the
 * copy gets the latest one, because nobody has decided about it.
 */
function wishOf(courseDate: Awaited<ReturnType<typeof readPlanned>>[number]): NewCourseDate {
  const { courseId, startDate, endDate, startTime, endTime, breakMinutes, delivery, venue, instructor } = courseDate;
  const { capacity, minimum, enrolmentEnds, room, street } = courseDate;
  const decidedBy =
    courseDate.decidedBy ?? (courseDate.confirmedOn === null ? null : addDays(startDate, -decisionDays));
  const times = { startDate, endDate, startTime, endTime, breakMinutes, delivery, venue, instructor };
  const joiningDetails = { room, street, joiningLink: null };
  return { courseId, ...times, capacity, minimum, enrolmentEnds, decidedBy, joiningDetails };
}

/** The preview: the plan, or the faults beside the fields. */
export const shownPlan = (read: ReadPlan | null, form: FormState): { form: FormState; plan: Plan | null } => ({
  form: read && !read.ok ? { ...form, errors: read.errors } : form,
  plan: read?.ok ? read.plan : null,
});

type Sent = { request: Request; url: URL; actor: StaffActor; planOfPage: typeof planSeries };

/**
 * Makes the ticked dates of a plan, all or none, and leads to the list of their days. Refused when the plan is
 * another than the page showed, and when a date clashes and nobody said that this is meant.
 */
export async function takePlan(academy: Academy, { request, url, actor, planOfPage }: Sent) {
  const fields = Object.fromEntries(url.searchParams);
  let madeOn: Day[] = [];
  const result = await takeStaffAct(academy, {
    form: await readForm(request),
    schema: makeForm,
    subject: 'course-date:new',
    actor,
    async act(trx, data, { now, today }): Promise<ActDone | Refused> {
      const found = await planOfPage(trx, actor, fields, today);
      if (!found.ok || found.plan.shown !== data.shown) return refusal(changed);
      const chosen = found.plan.rows.filter((_, at) => typeof data[`take-${at}`] === 'string');
      if (chosen.length === 0) return refusal('No course date is ticked.');
      const clashing = chosen.filter(({ inTheWay, odd }) => inTheWay.length + odd.length > 0).length;
      if (clashing > 0 && !data.sure) {
        const message = `Something is in the way of ${clashing} of the ticked dates. Tick this box, or take them out.`;
        return { ok: false, reason: 'refused', errors: { sure: message } };
      }
      const wishes = chosen.map(({ wish }) => wish);
      const made = await makeCourseDates(trx, wishes, { actor, now, today });
      if (!made.ok) {
        const wish = wishes[made.at];
        return refusal(`${wish?.startDate}: ${made.faults.map(faultInWords).join(' ')} No course date was made.`);
      }
      madeOn = wishes.map(({ startDate }) => startDate).toSorted();
      return { ok: true, did: null };
    },
  });
  const [first, last] = [madeOn[0], madeOn.at(-1)];
  const days = first && last ? `?starts-from=${first}&starts-before=${addDays(last, 1)}` : '';
  return answerForm(result, `${href('/staff/course-dates')}${days}`);
}

const refusal = (fault: string): Refused => ({ ok: false, reason: 'refused', fault });
const changed = 'The course dates or their clashes have changed since you opened this page. Look at them again.';
