import type { Trx } from '#app/db/client.server.ts';
import { takesEnrolments } from '#app/features/course-dates/rules.ts';
import { seatsLeft } from '#app/features/course-dates/seats.server.ts';
import { readProduct } from '#app/features/money/price-ledger.server.ts';
import { type ChoicePrice, quoteOfPrices } from '#app/features/money/pricing.ts';
import { comboRule, courseBoughtAt, type Study } from '#app/features/money/refund.ts';
import { refundText } from '#app/features/money/refund-words.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import type { Enrolment, Place } from './enrolment.ts';
import type { CourseChoice } from './order.ts';
import { guidedStarts, isGuidedStart } from './placeable.ts';
import { placeWhen, shownDate } from './words.ts';

/** One way to take the courses of an enrolment that an added person can choose. */
type JoinWay = {
  value: string;
  label: string;
  /** The fields that the form sends back, so that nobody is added on a date that the page did not show (P31). */
  shown: string;
  /** The slug of a date. */
  date: string | null;
  full: boolean;
  /** How much we refund until which day, in a sentence or two (P31). */
  refund: string;
};
/** The offer to add one more attendee; null when it cannot be done here. */
export type Joining = {
  courses: { courseId: number; title: string; ways: JoinWay[] }[];
  /** How a combo is cancelled (P99); null for a course. */
  rule: string | null;
  quote: ChoicePrice;
  /** The id of the newest attendee. A form that names an older one is a repeat, or somebody was added since. */
  seen: number;
};

/** The courses that one more attendee can join at today's price (P39); null when it is not offered or needs staff. */
export async function readJoining(trx: Trx, enrolment: Enrolment, { now, today }: Moment): Promise<Joining | null> {
  const active = enrolment.places.filter(({ state }) => state === 'active');
  const byCourse = [...Map.groupBy(active, ({ courseId }) => courseId).entries()];
  const courseIds = byCourse.map(([courseId]) => courseId);
  const product = courseIds.length > 0 && (await readProduct(trx, { comboId: enrolment.comboId, courseIds }, now));
  if (!product || product.courses.some(({ jobGuarantee }) => jobGuarantee)) return null;
  const dates = await datesOfPlaces(trx, active);
  const quote = quoteOfPrices(product.prices, 1);
  const combo = enrolment.comboId !== null;
  const courses = byCourse.map(([courseId, places]) => ({
    courseId,
    title: places[0]?.courseTitle ?? '',
    ways: [
      ...new Map(
        places
          .flatMap((place) => joinWay(place, today, product.holidays, dates))
          .map(({ study, ...way }) => {
            const line = quote.lines.find((one) => one.courseId === courseId);
            return [way.value, { ...way, refund: refundOfJoining({ combo, line, study, now }) }];
          }),
      ).values(),
    ],
  }));
  if (courses.some(({ ways }) => ways.length === 0)) return null;
  return { courses, rule: combo ? comboRule : null, quote, seen: newestAttendee(enrolment) };
}

/** The id of the newest attendee of an enrolment; 0 without one. */
export const newestAttendee = ({ places }: Enrolment) => Math.max(0, ...places.map(({ attendee }) => attendee.id));

type PlaceDates = ReadonlyMap<number, { slug: string; left: number; enrolmentEnds: Day }>;

/** The dates of places with their slugs, the seats left for anybody and the last day of enrolment, by id. */
async function datesOfPlaces(trx: Trx, places: readonly Place[]): Promise<PlaceDates> {
  const ids = places.flatMap(({ courseDate }) => courseDate?.id ?? []);
  const rows = await trx
    .selectFrom('course_dates')
    .select(['id', 'slug', 'enrolment_ends_on', seatsLeft])
    .where('id', 'in', [0, ...ids])
    .execute();
  return new Map(
    rows.map(({ id, slug, left, enrolment_ends_on: enrolmentEnds }) => [id, { slug, left, enrolmentEnds }]),
  );
}

type Joined = { combo: boolean; line: ChoicePrice['lines'][number] | undefined; study: Study; now: Date };

/** The refunds of one more place, in a combo of its share. */
function refundOfJoining({ combo, line, study, now }: Joined): string {
  const course = courseBoughtAt(now, { cents: line?.eachCents ?? 0, study });
  const text = refundText({ combo, courses: [course] }, now);
  const tentative = study.way === 'date' && study.state === 'tentative';
  return [
    `If you cancel: ${text}.`,
    ...(tentative ? ['Until we confirm the date, which one more person may do, cancelling is free.'] : []),
  ].join(' ');
}

type WayToStudy = Omit<JoinWay, 'refund'> & { study: Study };

function joinWay(place: Place, today: Day, holidays: ReadonlySet<Day>, dates: PlaceDates): WayToStudy[] {
  if (place.way === 'date') {
    const { id, state, startsOn } = place.courseDate;
    const label = `${placeWhen(place)}, ${deliveryText(place.courseDate)}`;
    const date = dates.get(id);
    if (!date || !takesEnrolments({ state, startDate: startsOn, enrolmentEnds: date.enrolmentEnds }, today)) return [];
    const full = date.left < 1;
    const study = { way: 'date', firstDay: startsOn, state } as const;
    return [{ value: `course-date-${id}`, label, shown: shownDate(place.courseDate), date: date.slug, full, study }];
  }
  const open = { date: null, full: false };
  if (place.way === 'next-date') {
    return [
      { value: 'next-date', label: 'On its next date', shown: 'next-date', ...open, study: { way: 'next-date' } },
    ];
  }
  const same = isGuidedStart(place.guidedFrom, today, holidays);
  const from = same ? place.guidedFrom : guidedStarts(today, holidays)[0];
  const value = `guided-${from}`;
  if (!from) return [];
  const study = { way: 'guided', from, modules: place.modules.length, modulesOpened: 0 } as const;
  return [{ value, label: `Guided, from ${formatDay(from)}`, shown: value, ...open, study }];
}

/** A way of `readJoining`, as a choice. */
export function joinChoice(courseId: number, way: string): CourseChoice {
  if (way.startsWith('course-date-'))
    return { courseId, way: 'date', courseDateId: Number(way.slice('course-date-'.length)) };
  if (way.startsWith('guided-')) return { courseId, way: 'guided', from: way.slice('guided-'.length) };
  return { courseId, way: 'next-date' };
}
