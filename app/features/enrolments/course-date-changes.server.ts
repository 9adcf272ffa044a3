import type { Db, Trx } from '#app/db/client.server.ts';
import { type CourseDateTimes, namedInTexts, type TimesChange } from '#app/features/course-dates/changed-times.ts';
import {
  cancelCourseDate,
  confirmCourseDate,
  moveCourseDate,
  type Unchanged,
  type WrongState,
} from '#app/features/course-dates/commands.server.ts';
import type { FaultyTimes } from '#app/features/course-dates/course-date-times.server.ts';
import { setJoiningDetails } from '#app/features/course-dates/joining-details.server.ts';
import type { JoiningDetails } from '#app/features/course-dates/joining-details.ts';
import { readOwnOffers } from '#app/features/course-dates/queries.server.ts';
import {
  type LockedCourseDate,
  lockCourseDates,
  seatsLeft,
  takesEnrolmentsOn,
} from '#app/features/course-dates/seats.server.ts';
import { readTaughtClass, tellInstructors } from '#app/features/course-dates/tell-instructors.server.ts';
import { type Actor, requirePermission } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { withdrawDateMails } from '#app/outbox/withdraw-mail.server.ts';
import { cancelPlaces, withdrawPaymentReminders, withdrawReminders } from './cancel-places.server.ts';
import { queueConfirmed } from './confirmed.server.ts';
import { askAgainForJoiningDetails } from './course-date-notices.server.ts';
import { groupsOf, lastFirstDay, type Place } from './enrolment.ts';
import { lockEnrolment, markChanged } from './lock-enrolment.server.ts';
import { type PlaceEvent, queuePlaceMails } from './mails.server.ts';
import { chooseUntil } from './may-change.ts';
import { enrolmentsIn, readEnrolment } from './queries.server.ts';
import { placeWhen } from './words.ts';

type Unknown = { ok: false; reason: 'unknown' };
type Moved = { ok: true; change: TimesChange };
/** The id of a course date, which is locked then, or one that the caller has locked in this transaction. */
type CourseDateOrId = number | LockedCourseDate;

/**
 * Staff confirm a course date before its minimum is reached; everybody in it gets an email that the invoice is due (P39).
 */
export async function confirmCourseDateAndTell(
  trx: Trx,
  courseDateOrId: CourseDateOrId,
  actor: Actor,
  moment: Moment,
): Promise<Awaited<ReturnType<typeof confirmCourseDate>> | Unknown> {
  const courseDate = await locked(trx, courseDateOrId, moment.now);
  if (!courseDate) return { ok: false, reason: 'unknown' };
  const result = await confirmCourseDate(trx, courseDate, { ...moment, actor });
  if (result.ok) await queueConfirmed(trx, [courseDate.id], moment);
  return result;
}

/**
 * Staff cancel a course date: each buyer in it may choose another date or a full refund (P100). `reason` is what they read.
 */
export async function cancelCourseDateAndAsk(
  trx: Trx,
  courseDateOrId: CourseDateOrId,
  actor: Actor,
  moment: Moment,
  reason: string | null = null,
): Promise<Awaited<ReturnType<typeof cancelCourseDate>> | Unknown> {
  const courseDate = await locked(trx, courseDateOrId, moment.now);
  if (!courseDate) return { ok: false, reason: 'unknown' };
  const courseDateId = courseDate.id;
  const taught = await readTaughtClass(trx, courseDateId);
  const result = await cancelCourseDate(trx, courseDate, { ...moment, actor });
  if (!result.ok) return result;
  await tellInstructors(trx, { before: taught, reason }, moment);
  for (const id of await enrolmentsIn(trx, courseDateId)) {
    const its = (await readEnrolment(trx, id)).places.filter((place) => place.courseDate?.id === courseDateId);
    const why = { at: moment.now, reason: 'The date was cancelled' };
    await withdrawReminders(trx, its, { ...why, whole: true });
    await withdrawPaymentReminders(trx, { enrolmentId: id, ...why });
  }
  await withdrawDateMails(trx, courseDateId, moment.now, 'The course date was cancelled after this was written');
  await askForChoices(trx, courseDate, 'course-date-cancelled', { earlier: null, reason }, moment);
  return result;
}

/**
 * Staff change when, where or by whom a course date is taught. Another day, place or way to attend asks each buyer, who
 * keeps the place unless they choose otherwise; of another time, break or instructor everybody is told; the last day of
 * enrolment and the day of decision concern nobody who has enrolled (P100). `reason` is what they all read. Of one that has
 * begun only the instructor changes.
 */
export async function moveCourseDateAndAsk(
  trx: Trx,
  {
    courseDate: courseDateOrId,
    times,
    actor,
    reason = null,
  }: { courseDate: CourseDateOrId; times: CourseDateTimes; actor: Actor; reason?: string | null },
  moment: Moment,
): Promise<Moved | FaultyTimes | WrongState | Unchanged | Unknown> {
  const courseDate = await locked(trx, courseDateOrId, moment.now);
  if (!courseDate) return { ok: false, reason: 'unknown' };
  const courseDateId = courseDate.id;
  const before = new Map<number, Place>();
  for (const id of await enrolmentsIn(trx, courseDateId)) {
    for (const place of (await readEnrolment(trx, id)).places) before.set(place.id, place);
  }
  const taught = await readTaughtClass(trx, courseDateId);
  const result = await moveCourseDate(trx, courseDate, times, { ...moment, actor });
  if (!result.ok) return result;
  await tellInstructors(trx, { before: taught, reason }, moment);
  const { delivery, venue } = result.before;
  const changed = [...before.values()].filter(({ courseDate: its }) => its?.id === courseDateId);
  await withdrawReminders(trx, changed, { at: moment.now, reason: 'The date was changed', whole: true });
  if (namedInTexts.some((field) => result.before[field] !== times[field])) {
    await withdrawDateMails(trx, courseDateId, moment.now, 'The course date was moved after this was written');
  }
  if (delivery !== times.delivery || venue !== times.venue) await askAgainForJoiningDetails(trx, courseDateId);
  const breaks = [result.before.breakMinutes, times.breakMinutes] as const;
  if (result.change === 'asks')
    await askForChoices(trx, courseDate, 'course-date-moved', { earlier: { before, breaks }, reason }, moment);
  if (result.change === 'tells') await tellOfMove(trx, courseDate, { earlier: { before, breaks }, reason }, moment);
  return { ok: true, change: result.change };
}

/** The state before the change: the places by id, and the minutes of breaks before and after. */
type Earlier = { before: ReadonlyMap<number, Place>; breaks: readonly [number, number] };

async function askForChoices(
  trx: Trx,
  { id: courseDateId, startsOn }: LockedCourseDate,
  why: 'course-date-cancelled' | 'course-date-moved',
  { earlier, reason }: { earlier: Earlier | null; reason: string | null },
  moment: Moment,
): Promise<void> {
  const chooseBy = chooseUntil(moment.today, startsOn);
  for (const id of await enrolmentsIn(trx, courseDateId)) {
    await trx.selectFrom('enrolments').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();
    await trx
      .updateTable('places')
      .set({ choose_by: chooseBy, choose_why: why })
      .where('enrolment_id', '=', id)
      .where('course_date_id', '=', courseDateId)
      .where('state', '=', 'active')
      .execute();
    const enrolment = await markChanged(trx, id, moment.now);
    const otherDate = await hasOtherCourseDate(trx, { courseDateId, email: enrolment.email, today: moment.today });
    const money = [choiceInWords(why, formatDay(chooseBy), otherDate)];
    for (const places of groupsOf(enrolment.places.filter(({ courseDate }) => courseDate?.id === courseDateId))) {
      const event = { change: why, places, money, ...newsOf(places[0], earlier, reason) };
      await queuePlaceMails(trx, enrolment, event, moment);
    }
  }
}

/** The choices of a buyer, their last day, and the effect of silence (P100). */
function choiceInWords(why: 'course-date-cancelled' | 'course-date-moved', until: string, otherDate: boolean): string {
  if (why === 'course-date-moved') {
    const choice = otherDate ? 'you can choose another date or a full refund' : 'you can have a full refund';
    return `If you do nothing, you keep your place. Until ${until} ${choice} instead.`;
  }
  return otherDate
    ? `Please choose by ${until}: another date, or a full refund. If you don’t choose by then, we refund everything.`
    : `No other date of this course has a free seat now. You can have a full refund at once; if you don’t choose by ${until}, we refund everything.`;
}

/** Tells everybody in a course date what changed about it; a choice that is open stays as it is. */
async function tellOfMove(
  trx: Trx,
  { id: courseDateId }: LockedCourseDate,
  { earlier, reason }: { earlier: Earlier; reason: string | null },
  moment: Moment,
): Promise<void> {
  for (const id of await enrolmentsIn(trx, courseDateId)) {
    const enrolment = await markChanged(trx, id, moment.now);
    for (const places of groupsOf(enrolment.places.filter(({ courseDate }) => courseDate?.id === courseDateId))) {
      const event = { change: 'course-date-changed', places, ...newsOf(places[0], earlier, reason) } as const;
      await queuePlaceMails(trx, enrolment, event, moment);
    }
  }
}

/** The former dates and further news; the reason that staff gave comes first. */
function newsOf(place: Place, was: Earlier | null, reason: string | null): Pick<PlaceEvent, 'previously' | 'news'> {
  const why = reason === null ? [] : [reason];
  const changes = was && changesOf(place, was);
  return changes ? { ...changes, news: [...why, ...changes.news] } : { news: why };
}

function changesOf(place: Place, { before, breaks: [was, is] }: Earlier) {
  const earlier = before.get(place.id);
  if (!earlier?.courseDate || !place.courseDate) return null;
  const [from, to] = [earlier.courseDate, place.courseDate];
  const previously = placeWhen(earlier);
  const news = [
    ...(deliveryText(from) === deliveryText(to)
      ? []
      : [`Original details: ${deliveryText(from)}. Now: ${deliveryText(to)}.`]),
    ...(from.instructor === to.instructor ? [] : [`${to.instructor} teaches it instead of ${from.instructor}.`]),
    ...(was === is ? [] : [`Breaks take ${is} minutes a day instead of ${was}.`]),
  ];
  return { ...(previously !== placeWhen(place) && { previously }), news };
}

/**
 * Ends the choices whose last day is over (P100), each enrolment in a transaction of its own: silence about a course date
 * that takes place keeps the place, about a cancelled one means the full refund. Returns how many enrolments.
 */
export async function endChoices(db: Db, moment: Moment): Promise<number> {
  const items = await db
    .selectFrom('places')
    .select('enrolment_id as id')
    .distinct()
    .where('choose_by', '<', moment.today)
    .orderBy('enrolment_id')
    .execute();
  const { now } = moment;
  return eachItem(db, { job: 'end choices', items, keyOf: ({ id }) => `enrolment:${id}`, at: now }, (trx, { id }) =>
    endChoicesOf(trx, id, moment),
  );
}

/** False when its buyer has just chosen; the next run sees the rest. */
async function endChoicesOf(trx: Trx, enrolmentId: number, moment: Moment): Promise<boolean> {
  const locked = await lockEnrolment(trx, enrolmentId, moment.now);
  if (!locked.ok) return false;
  const undecided = locked.enrolment.places.filter(({ chooseBy }) => chooseBy !== null && chooseBy < moment.today);
  const refunded = undecided.filter(({ courseDate }) => courseDate?.state === 'cancelled').map(({ id }) => id);
  const kept = undecided.map(({ id }) => id).filter((id) => !refunded.includes(id));
  if (kept.length > 0) {
    await trx.updateTable('places').set({ choose_by: null, choose_why: null }).where('id', 'in', kept).execute();
  }
  if (refunded.length === 0) return kept.length > 0;
  const cancellation = { enrolmentId, placeIds: refunded, why: 'silence', shownCents: null } as const;
  return (await cancelPlaces(trx, cancellation, moment)).ok;
}

async function locked(trx: Trx, courseDate: CourseDateOrId, at: Date): Promise<LockedCourseDate | undefined> {
  return typeof courseDate === 'number' ? (await lockCourseDates(trx, [courseDate], at)).get(courseDate) : courseDate;
}

/**
 * Whether the course of a course date has another date that a buyer could move to: one with a free seat, or one whose waiting
 * list keeps seats for their address (P40, P48).
 */
async function hasOtherCourseDate(
  trx: Trx,
  { courseDateId, email, today }: { courseDateId: number; email: string; today: Day },
): Promise<boolean> {
  const rows = await trx
    .selectFrom('course_dates')
    .select(['id', seatsLeft])
    .where('id', '!=', courseDateId)
    .where('organisation_id', 'is', null)
    .where('course_id', '=', (query) =>
      query.selectFrom('course_dates as own').select('own.course_id').where('own.id', '=', courseDateId),
    )
    .where(takesEnrolmentsOn(today))
    .where('starts_on', '<=', lastFirstDay(today))
    .execute();
  if (rows.some(({ left }) => left > 0)) return true;
  const offers = await readOwnOffers(trx, email);
  return rows.some(({ id }) => offers.has(id));
}

/** Staff set the room or the link of a course date: everybody in it gets an email with a new calendar entry (P39). */
export async function setJoiningDetailsAndTell(
  trx: Trx,
  courseDateId: number,
  { joiningDetails, actor }: { joiningDetails: JoiningDetails; actor: Actor },
  moment: Moment,
): Promise<Awaited<ReturnType<typeof setJoiningDetails>> | { ok: false; reason: 'unknown' }> {
  requirePermission(actor, 'course-dates:change');
  const { now, today } = moment;
  const courseDate = (await lockCourseDates(trx, [courseDateId], now)).get(courseDateId);
  if (!courseDate) return { ok: false, reason: 'unknown' };
  const result = await setJoiningDetails(trx, courseDate, joiningDetails, today);
  if (!result.ok) return result;
  for (const id of await enrolmentsIn(trx, courseDateId)) {
    const enrolment = await markChanged(trx, id, now);
    for (const places of groupsOf(enrolment.places.filter((place) => place.courseDate?.id === courseDateId))) {
      await queuePlaceMails(trx, enrolment, { change: 'joining-details', places }, moment);
    }
  }
  return result;
}
