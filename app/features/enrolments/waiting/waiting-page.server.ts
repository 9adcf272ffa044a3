import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { purchaseOf, refundable } from '#app/features/enrolments/purchases.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { comboRule } from '#app/features/money/refund.ts';
import { refundText } from '#app/features/money/refund-words.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { formatMoney } from '#app/lib/money.ts';
import { readMovable } from './date-places.server.ts';
import { readCourse, readWaitingCourseDate } from './mails.server.ts';
import { preferenceValues, weeksAhead } from './preferences.ts';
import { hasNoOffer, isConfirmed } from './queries.server.ts';
import { untilText, type WaitingEntry } from './rules.ts';

/** An entry as its private page shows it at a moment. */
export async function readWaitingPage(db: Db, entry: WaitingEntry, { now, today }: Pick<Moment, 'now' | 'today'>) {
  const { offer, courseDateId, enrolmentId } = entry;
  const course = await readCourse(db, entry.courseId, offer?.madeAt);
  const courseDate = courseDateId === null ? null : await readWaitingCourseDate(db, courseDateId);
  const offered = offer && (await readWaitingCourseDate(db, offer.courseDateId));
  return {
    reference: entry.reference,
    course: { title: course.title, slug: course.slug },
    when: courseDate?.when ?? 'The next date',
    seats: entry.seats,
    /** The weeks and places that suit, and the weeks to choose from; null on the list of a date. */
    preferences:
      courseDateId === null ? { values: preferenceValues(entry.preferences), weeks: weeksAhead(today) } : null,
    bought: enrolmentId !== null,
    state:
      entry.closedWhy ??
      (offer ? ('offered' as const) : entry.confirmed ? ('waits' as const) : ('unconfirmed' as const)),
    paused: entry.pausedAt !== null,
    ahead: entry.closedAt === null && !offer ? await countAhead(db, entry) : 0,
    offer: offer &&
      offered && {
        seats: offer.seats,
        when: offered.when,
        where: offered.where,
        date: offered.shown,
        price: enrolmentId === null ? `${formatMoney(course.priceCents)} incl. GST` : null,
        until: offer.until && untilText(offer.until),
        /** Places of the same course that can be moved to the date instead of buying another. */
        movable: await readMovable(db, entry, today),
        ...(enrolmentId === null
          ? { refund: null, wait: 0 }
          : await readAfterAccepting(db, { ...entry, ...offer, enrolmentId }, now)),
      },
  };
}

export type WaitingPage = Awaited<ReturnType<typeof readWaitingPage>>;

/**
 * How many entries are offered seats before this one. Seats of a date go to its own list and to its course's list for the
 * next date together; who joined first comes first (P48).
 */
async function countAhead(db: Db, { id, joinedAt, courseId, courseDateId }: WaitingEntry): Promise<number> {
  const { ahead } = await db
    .selectFrom('waiting_entries')
    .select(({ fn }) => fn.countAll<string>().as('ahead'))
    .where('course_id', '=', courseId)
    .where(
      courseDateId === null
        ? sql<boolean>`course_date_id is null`
        : sql<boolean>`waiting_bar(waiting_entries, ${courseDateId}) is null`,
    )
    .where('closed_at', 'is', null)
    .where('paused_at', 'is', null)
    .where(isConfirmed)
    .where((row) => row(row.refTuple('joined_at', 'id'), '<', row.tuple(joinedAt, id)))
    .where(hasNoOffer)
    .executeTakeFirstOrThrow();
  return Number(ahead);
}

/**
 * The consequences of accepting an offer for a place that was bought without a date (P31), in words: its refund, in a
 * combo that of all courses, once it has the date; null where there is nothing to say. `wait`: how many places get no
 * date, because the offer has fewer seats.
 */
async function readAfterAccepting(
  db: Db,
  {
    enrolmentId,
    courseId,
    courseDateId,
    seats,
  }: { enrolmentId: number; courseId: number; courseDateId: number; seats: number },
  now: Date,
): Promise<{ refund: string | null; wait: number }> {
  const enrolment = await readEnrolment(db, enrolmentId);
  const all = enrolment.places.filter(
    (one) => one.courseId === courseId && one.way === 'next-date' && one.state === 'active',
  );
  const [place] = all;
  if (!place) return { refund: null, wait: 0 };
  const { state, starts_on: firstDay } = await db
    .selectFrom('course_dates')
    .select(['starts_on', 'state'])
    .where('id', '=', courseDateId)
    .executeTakeFirstOrThrow();
  const today = academyDay(now);
  const bought = refundable(purchaseOf(enrolment, place, today), { charged: await chargedFor(db, enrolmentId), today });
  // Its invoice comes with the date, at the price that was agreed.
  const dated = { chargedCents: place.amountCents, boundAt: now, study: { way: 'date', firstDay, state } } as const;
  const courses = bought.courses.map((course) => (course.id === place.id ? { ...course, ...dated } : course));
  const free = state === 'tentative' ? '. Until we confirm the date, cancelling is free and nothing is due' : '';
  const rule = bought.combo ? `. ${comboRule}` : '';
  return {
    refund: `${refundText({ ...bought, courses }, now)}${free}${rule}`,
    wait: all.length - Math.min(seats, all.length),
  };
}
