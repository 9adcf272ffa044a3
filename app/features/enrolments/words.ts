import { calendarUid, type DailyAppointment } from '#app/documents/calendar.ts';
import type { CourseInWords } from '#app/emails/enrolments.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { type Attending, attendingOf } from '#app/features/course-dates/rules.ts';
import { accessEndsOn } from '#app/features/money/guided-access.ts';
import { calendarLinks } from '#app/lib/calendar-links.ts';
import { addDays, type Day, daysBetween, formatDay, formatDayAndMonth, formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { nameForOthers } from '#app/lib/shown-name.ts';
import { formatTime, instantOf, zoneOfDays } from '#app/lib/wall-clock.ts';
import type { Attendee, Enrolment, Place, PlaceCourseDate } from './enrolment.ts';
import { isKept, mayGiveAway } from './may-change.ts';

/** Days and time of a course date, with the zone that holds on all days (P14). */
export function courseDateWhen({ startsOn, endsOn, startsAt, endsAt, zone }: CourseDateTimes): string {
  const time = `${formatTime(startsAt)} to ${formatTime(endsAt)} ${zoneOfDays(zone, [startsOn, endsOn])}`;
  return `${formatDays(startsOn, endsOn)}, ${time}${startsOn === endsOn ? '' : ' each day'}`;
}
type CourseDateTimes = Pick<PlaceCourseDate, 'startsOn' | 'endsOn' | 'startsAt' | 'endsAt' | 'zone'>;

/**
 * A date as a form sends it back, so that nobody takes days, hours or a place that the page did not show (P31): every
 * form that binds a buyer to a date has this text. A room or street that is set later is no other place.
 */
export function shownDate(courseDate: CourseDateTimes & Pick<PlaceCourseDate, 'slug' | 'delivery' | 'venue'>): string {
  return `${courseDate.slug}: ${courseDateWhen(courseDate)}, ${deliveryText(courseDate)}`;
}

/** The place of a course date, with room and street once they are set: `In-Person Sydney: Room 4.2, 12 Pitt Street`. */
export function courseDateWhere(courseDate: Pick<PlaceCourseDate, 'delivery' | 'venue' | 'room' | 'street'>): string {
  const way = deliveryText(courseDate);
  const place = [courseDate.room, courseDate.street].filter((part) => part !== null);
  return courseDate.delivery === 'online' || place.length === 0 ? way : `${way}: ${place.join(', ')}`;
}

/** A course as a mail describes it to a person who no longer has a place in it: without its link. */
export function withoutLink({ join: _, ...course }: CourseInWords): CourseInWords {
  return course;
}

/** The time of a place, in words. */
export function placeWhen(place: Place): string {
  if (place.way === 'date') return courseDateWhen(place.courseDate);
  if (place.way === 'guided') {
    return `Guided from ${formatDay(place.guidedFrom)}, with access until ${formatDay(accessEndsOn(place.guidedFrom))}`;
  }
  return 'On its next date: we’ll email you as soon as it is set';
}

/** The course of one or several places that are taken in the same way. */
export function courseInWords(places: readonly [Place, ...Place[]]): CourseInWords {
  const [place] = places;
  return {
    title: place.courseTitle,
    ...startsInWords(place),
    when: placeWhen(place),
    where: place.way === 'date' ? courseDateWhere(place.courseDate) : place.way === 'guided' ? 'Online' : '',
    ...(place.courseDate?.joiningLink &&
      place.courseDate.state !== 'cancelled' && { join: place.courseDate.joiningLink }),
    who: attendeesInWords(places.map(({ attendee }) => attendee)),
    standing: place.way === 'date' ? standingInWords(place.courseDate, places) : '',
  };
}

/**
 * The course of a place, in a mail to its attendee. A stranger may have typed the attendee's name, so text that cannot
 * be a name is left out (P49).
 */
export function courseForAttendee(place: Place): CourseInWords {
  const { name } = place.attendee;
  return { ...courseInWords([place]), ...(name !== null && { who: nameForOthers(name) ?? '' }) };
}

function startsInWords(place: Place): Pick<CourseInWords, 'starts'> {
  const day = place.courseDate?.startsOn ?? place.guidedFrom;
  return day === null ? {} : { starts: formatDayAndMonth(day) };
}

/** `Ada Byron and 2 to be named`. */
export function attendeesInWords(attendees: readonly Pick<Attendee, 'name'>[]): string {
  const names = attendees.flatMap(({ name }) => name ?? []);
  const missing = attendees.length - names.length;
  const all = missing > 0 ? [...names, `${missing} to be named`] : names;
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

function standingInWords({ state, minimum, decidedBy }: PlaceCourseDate, places: readonly Place[]): string {
  if (state === 'cancelled') return 'Cancelled';
  if (state === 'confirmed' || decidedBy === null) return 'Confirmed';
  // After a move no more comes back than on its day, which may be nothing (P100).
  const free = places.some(({ moveCap }) => moveCap !== null && moveCap < 100) ? '' : ' and cancelling is free';
  return `Goes ahead once ${minimum} have enrolled, and we decide by ${formatDay(decidedBy)}. Until then nothing is due${free}`;
}

/**
 * How to join and what to bring (P31); `texts` are the site's, null in content older than them.
 */
export function readiness(place: Place, texts: Attending | null, reader: 'attendee' | 'buyer' = 'attendee'): string {
  if (place.way === 'guided') {
    const from = formatDay(place.guidedFrom);
    return reader === 'attendee'
      ? `You study online, in your own time. From ${from} you can open the modules.`
      : `Guided study is online, in your own time. From ${from} each attendee opens the modules on a page of their own. We’ll email the link to everyone whose address you gave us.`;
  }
  if (place.way === 'next-date') return 'There is nothing to prepare until the date is set.';
  const ways = attendingOf(place.courseDate, texts);
  if (ways.length === 0) return 'We’ll email you how to join before the first day.';
  return ways
    .map(({ where, joining, bring }) => [`${where}: ${joining}`, ...bring.map((thing) => `• ${thing}`)].join('\n'))
    .join('\n\n');
}

/**
 * The entry of a place in a calendar. It holds no private page: calendars are shared (P49). It has the link to the live
 * class, unless it takes the entry out of a calendar (`leaving`).
 */
export function placeEntry(
  { reference, sequence }: Pick<Enrolment, 'reference' | 'sequence'>,
  place: Place & { way: 'date' },
  { academy, attendee, leaving = false }: { academy: MailAcademy; attendee: string; leaving?: boolean },
): DailyAppointment {
  const { courseDate, calendarId, courseTitle } = place;
  const link = leaving || courseDate.state === 'cancelled' ? null : courseDate.joiningLink;
  return {
    uid: calendarUid('place', calendarId),
    sequence,
    status: statuses[courseDate.state],
    summary: `${courseTitle}, ${academy.name}`,
    description: `${link ? `Join online: ${link}\n\n` : ''}Reference ${reference}. Declining in your calendar does not cancel: use the link in the email, or call ${academy.phone}.`,
    location: courseDateWhere(courseDate),
    days: daysOf(courseDate),
    organizer: { name: academy.name, email: academy.email },
    attendee,
  };
}

/** A place as links to calendars on the web, without its link to the class; null without a date. */
export const placeLinks = ({ courseTitle: title, courseDate }: Place) =>
  courseDate && calendarLinks({ title, where: courseDateWhere(courseDate), days: daysOf(courseDate) });

/** The classes of a course date as instants, one a day. */
const daysOf = ({ startsOn, endsOn, startsAt, endsAt, zone }: PlaceCourseDate) =>
  Array.from({ length: daysBetween(startsOn, endsOn) + 1 }, (_, at) => ({
    start: instantOf(addDays(startsOn, at), startsAt, zone),
    end: instantOf(addDays(startsOn, at), endsAt, zone),
  }));

const statuses = { tentative: 'TENTATIVE', confirmed: 'CONFIRMED', cancelled: 'CANCELLED' } as const;

/** That what an attendee has begun stays theirs when somebody else is named (P100): null where nothing does. */
export function staysInWords(places: readonly Place[], today: Day): string | null {
  const taken = places.filter(({ state }) => state !== 'cancelled');
  const kept = new Set(taken.flatMap((place) => (isKept(place, today) ? place.courseTitle : [])));
  const who = places[0]?.attendee.name ?? null;
  if (who === null || kept.size === 0) return null;
  const verb = kept.size === 1 ? 'has begun and stays' : 'have begun and stay';
  const then = taken.some((place) => mayGiveAway(place, today) === 'yes')
    ? 'Another person gets the other courses only.'
    : 'You can correct the name or the address, but not name another person.';
  return `${[...kept].join(' and ')} ${verb} with ${who}. ${then}`;
}
