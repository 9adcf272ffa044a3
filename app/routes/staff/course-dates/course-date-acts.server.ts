import type { Trx } from '#app/db/client.server.ts';
import { findCourseId } from '#app/features/catalogue/queries.server.ts';
import { holdAnyway, makeCourseDate, resizeCourseDate } from '#app/features/course-dates/commands.server.ts';
import type { FaultyTimes } from '#app/features/course-dates/course-date-times.server.ts';
import type { JoiningDetails } from '#app/features/course-dates/joining-details.ts';
import { readInTheWayOf, readPublicHolidays } from '#app/features/course-dates/plan.server.ts';
import { oddDays } from '#app/features/course-dates/planner.ts';
import { findCourseDateId, readRoom } from '#app/features/course-dates/queries.server.ts';
import { endHold, holdSeats, type LockedCourseDate, lockCourseDates } from '#app/features/course-dates/seats.server.ts';
import {
  cancelCourseDateAndAsk,
  confirmCourseDateAndTell,
  setJoiningDetailsAndTell,
} from '#app/features/enrolments/course-date-changes.server.ts';
import { readLastMovement } from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { moveCourseDateForAll } from '#app/features/enrolments/waiting/move-course-date.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import {
  type ActDone,
  type Refused,
  type StaffFormResult,
  takeStaffAct,
} from '#app/features/people/staff-act.server.ts';
import type { Academy, Moment } from '#app/http/academy.server.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { addDays } from '#app/lib/dates.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { clashRefusal } from './clash-refusal.server.ts';
import { changeForm, courseDateForm, faultInWords, moveForm, newCourseDateForm } from './course-date-forms.ts';

type Asked = { form: FormData | null; slug: string; actor: StaffActor };
type Done = ActDone | Refused | { ok: false; reason: 'missing' };

const subjectOf = (slug: string) => `course-date:${slug}`;
const refused = (fault: string): Refused => ({ ok: false, reason: 'refused', fault });
const written: ActDone = { ok: true, did: null };

/** Takes the small forms of a course date's page: its seats, its way in, holds, holding it although few are in it. */
export function takeCourseDateAct(academy: Academy, { form, slug, actor }: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: courseDateForm,
    subject: subjectOf(slug),
    actor,
    act(trx, data, moment) {
      return withCourseDate(trx, slug, moment, async (courseDate): Promise<Done> => {
        switch (data.act) {
          case 'resize':
            return resize(trx, courseDate, data.capacity, actor, moment);
          case 'hold-quote':
            return holdForQuote(trx, courseDate, data, moment);
          case 'joining-details':
            return giveJoiningDetails(trx, courseDate, data, actor, moment);
          case 'hold-anyway': {
            if (!(await holdAnyway(trx, courseDate, { actor, at: moment.now }))) return refused('It is not confirmed.');
            return { ok: true, did: { action: 'hold-anyway', details: { sold: courseDate.sold } } };
          }
          case 'release-hold': {
            if (!(await endHold(trx, courseDate, data.hold, 'released', moment.now))) {
              return refused('This hold has ended: its time ran out, or someone bought its seats.');
            }
            return { ok: true, did: { action: 'release-hold', details: { hold: data.hold } } };
          }
        }
      });
    },
  });
}

/** Sets the room and the link. A room that is taken then is refused until that is meant, as with a new date (P77). */
async function giveJoiningDetails(
  trx: Trx,
  courseDate: LockedCourseDate,
  { room, street, joiningLink, sure }: JoiningDetails & { sure?: string | undefined },
  actor: StaffActor,
  moment: Moment,
): Promise<Done> {
  const before = await readRoom(trx, courseDate.id);
  const result = await setJoiningDetailsAndTell(
    trx,
    courseDate.id,
    { joiningDetails: { room, street, joiningLink }, actor },
    moment,
  );
  if (!result.ok) return refused(result.reason === 'unchanged' ? sameJoiningDetails : whyNot[result.reason]);
  const after = await readRoom(trx, courseDate.id);
  // Whoever gives only the link was asked about the room when it was given.
  const inTheWay = after === before ? [] : await readInTheWayOf(trx, courseDate.slug);
  const taken = inTheWay.filter(({ clashes }) => clashes.includes('room'));
  const refusal = clashRefusal(
    taken.map((other) => ({ ...other, clashes: ['room'] })),
    sure,
  );
  // The link itself is for those in the class only.
  return refusal ?? { ok: true, did: { action: 'set-joining-details' } };
}

async function resize(
  trx: Trx,
  courseDate: LockedCourseDate,
  capacity: number,
  actor: StaffActor,
  moment: Moment,
): Promise<Done> {
  const result = await resizeCourseDate(trx, courseDate, capacity, { ...moment, actor });
  if (result.ok) return written;
  if (result.reason === 'taken') {
    const message = `${result.taken} seats are sold, held or offered, so you cannot have fewer.`;
    return { ok: false, reason: 'refused', errors: { capacity: message } };
  }
  if (result.reason === 'below-minimum') {
    return {
      ok: false,
      reason: 'refused',
      errors: { capacity: `The minimum is ${result.minimum}, so you cannot have fewer.` },
    };
  }
  return refused('The course date is cancelled.');
}

async function holdForQuote(
  trx: Trx,
  courseDate: LockedCourseDate,
  { seats, until, label }: { seats: number; until: string; label: string },
  { now, today }: Moment,
): Promise<Done> {
  if (courseDate.state === 'cancelled') return refused('The course date is cancelled, so you cannot hold its seats.');
  if (until < today || until > courseDate.enrolmentEndsOn) {
    const message = `Choose a day from today to the last day of enrolment, ${courseDate.enrolmentEndsOn}.`;
    return { ok: false, reason: 'refused', errors: { until: message } };
  }
  const expiresAt = instantOf(addDays(until, 1), '00:00', academyZone);
  const held = await holdSeats(trx, { courseDate, seats, purpose: 'quote', label, at: now, expiresAt });
  if (!held.ok) return { ok: false, reason: 'refused', errors: { seats: `Only ${held.left} are left.` } };
  return { ok: true, did: { action: 'hold-quote', details: { seats, until } } };
}

/** Cancels or confirms a course date, with everything that means for the people in it (P39, P40). */
export function takeCourseDateChange(
  academy: Academy,
  { form, slug, actor, change }: Asked & { change: 'cancel' | 'confirm' },
): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: changeForm,
    subject: subjectOf(slug),
    actor,
    act(trx, { lastMovement, reason }, moment) {
      return withCourseDate(trx, slug, moment, async (courseDate) => {
        if (Number(lastMovement) !== (await readLastMovement(trx, courseDate.id))) return peopleChanged(courseDate);
        const result =
          change === 'cancel'
            ? await cancelCourseDateAndAsk(trx, courseDate, actor, moment, reason)
            : await confirmCourseDateAndTell(trx, courseDate, actor, moment);
        return result.ok ? written : refused(whyNot[result.reason]);
      });
    },
  });
}

/** Moves a course date, with everything that means for the people in it (P40). */
export function takeCourseDateMove(academy: Academy, { form, slug, actor }: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: moveForm,
    subject: subjectOf(slug),
    actor,
    act(trx, { lastMovement, reason, sure, ...times }, moment) {
      return withCourseDate(trx, slug, moment, async (courseDate) => {
        if (Number(lastMovement) !== (await readLastMovement(trx, courseDate.id))) return peopleChanged(courseDate);
        const move = { courseDate, times, actor, reason };
        const result = await moveCourseDateForAll(trx, move, moment);
        if (!result.ok) return result.reason === 'faults' ? faulty(result) : refused(whyNot[result.reason]);
        const odd = oddDays(times, await readPublicHolidays(trx), moment.today);
        return clashRefusal(await readInTheWayOf(trx, slug), sure, odd) ?? written;
      });
    },
  });
}

/** Makes a course date; its slug is told when it was made. */
export async function takeNewCourseDate(
  academy: Academy,
  { form, actor }: Omit<Asked, 'slug'>,
): Promise<StaffFormResult & { slug?: string }> {
  let slug: string | undefined;
  const result = await takeStaffAct(academy, {
    form,
    schema: newCourseDateForm,
    subject: 'course-date:new',
    actor,
    async act(trx, { course, room, street, joiningLink, sure, ...data }, moment) {
      const courseId = (await findCourseId(trx, course)) ?? 0;
      const wish = { ...data, joiningDetails: { room, street, joiningLink }, courseId };
      const made = await makeCourseDate(trx, wish, { ...moment, actor });
      if (!made.ok) return faulty(made);
      const odd = oddDays(data, await readPublicHolidays(trx), moment.today);
      const clash = clashRefusal(await readInTheWayOf(trx, made.slug), sure, odd);
      if (clash) return clash;
      slug = made.slug;
      return written;
    },
  });
  return slug ? { ...result, slug } : result;
}

export function faulty({ faults }: FaultyTimes): Refused {
  const errors: Record<string, string> = {};
  for (const fault of faults) errors[fault.field] ??= faultInWords(fault);
  return { ok: false, reason: 'refused', errors };
}

export const whyNot = {
  unknown: 'This course date no longer exists.',
  cancelled: 'It is already cancelled.',
  confirmed: 'It is already confirmed.',
  over: 'Its last class is over. Give refunds on the page of each enrolment.',
  certified: 'Somebody in it has a certificate, so it was taught. Give refunds on the page of each enrolment.',
  begun: 'It has begun, so it cannot be moved. Until its last day you can change the instructor.',
  unchanged: 'Nothing was changed: the course date already has these days, times and place.',
};

const sameJoiningDetails = 'Nothing was changed: the course date already has this room and link.';

const peopleChanged = ({ sold }: LockedCourseDate): Refused =>
  refused(
    `Somebody enrolled or left since you opened this page: there are ${sold} people in it now. Look at the list again.`,
  );

/** Locks a course date for an act. */
async function withCourseDate(
  trx: Trx,
  slug: string,
  { now }: Moment,
  act: (courseDate: LockedCourseDate) => Promise<Done>,
): Promise<Done> {
  const id = await findCourseDateId(trx, slug);
  const courseDate = id && (await lockCourseDates(trx, [id], now)).get(id);
  return courseDate ? act(courseDate) : { ok: false, reason: 'missing' };
}
