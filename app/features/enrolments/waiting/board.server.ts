import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#app/db/client.server.ts';
import { takesEnrolments } from '#app/features/course-dates/rules.ts';
import { seatsLeft, seatsReserved, seatsSold } from '#app/features/course-dates/seats.server.ts';
import { purchaseOf, refundable } from '#app/features/enrolments/purchases.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { comboRule } from '#app/features/money/refund.ts';
import { refundText } from '#app/features/money/refund-words.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { type Refused, type StaffFormResult, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import type { Academy, Moment } from '#app/http/academy.server.ts';
import { busyText } from '#app/http/database-away.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import type { Day } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { formatEnd, formatMoment } from '#app/lib/short-dates.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { tokenField } from '#app/ui/form-state.ts';
import { readMovable } from './date-places.server.ts';
import { removeEntry, resumeEntry, withdrawOffer } from './entries.server.ts';
import { readCourse, readWaitingCourseDate } from './mails.server.ts';
import { offerByHand } from './offers.server.ts';
import { hasNoOffer, isConfirmed, type ListedEntry, listEntries } from './queries.server.ts';
import { confirmDays, preferenceValues, roomGains, untilText, type WaitingEntry, weeksAhead } from './rules.ts';

/** The part of the address of a course's own list before the course's slug. */
export const courseListPrefix = 'course:';

/** A course date with its seats, as staff see it beside its list. */
export type BoardCourseDate = {
  id: number;
  slug: string;
  startsOn: Day;
  endsOn: Day;
  capacity: number;
  sold: number;
  /** Free seats, public or not. */
  free: number;
  /** Whether it can be booked today, seats apart. */
  open: boolean;
};

/**
 * A waiting list for staff: `name` is a course date's slug, or `course:` and a course's slug; null when there is none. An
 * entry of the list of the course waits for each date that was set after it joined.
 */
export async function readBoard(db: Db, actor: StaffActor, name: string, { today, at }: { today: Day; at: Date }) {
  requirePermission(actor, 'waiting:read');
  const ofCourse = name.startsWith(courseListPrefix);
  const row = await db
    .selectFrom('courses')
    .leftJoin('course_dates', 'course_dates.course_id', 'courses.id')
    .select(['courses.id', 'courses.slug', 'courses.title'])
    .where(ofCourse ? 'courses.slug' : 'course_dates.slug', '=', ofCourse ? name.slice(courseListPrefix.length) : name)
    .executeTakeFirst();
  if (!row) return null;
  const courseDates = await readCourseDates(db, row.id, today);
  const courseDate = ofCourse ? null : (courseDates.find(({ slug }) => slug === name) ?? null);
  if (!ofCourse && !courseDate) return null;
  const entries = await listEntries(db, { courseId: row.id, courseDateId: courseDate?.id ?? null, at });
  const waiting = entries.filter(
    ({ closedAt, pausedAt, offer, confirmed, bar }) =>
      !closedAt && !pausedAt && !isOpen(offer) && confirmed && bar === null,
  );
  return {
    course: { slug: row.slug, title: row.title },
    courseDate,
    /** Course dates whose seats staff can offer by hand. */
    courseDates: courseDates.filter(({ open }) => open),
    gains: courseDate ? roomGains(waiting, courseDate.free) : [],
    entries: entries.map((entry) => ({ ...entry, why: whyText(entry, courseDate) })),
  };
}

async function readCourseDates(db: Db, courseId: number, today: Day): Promise<BoardCourseDate[]> {
  const rows = await db
    .selectFrom('course_dates')
    .select(['id', 'slug', 'starts_on', 'ends_on', 'capacity', 'state', 'enrolment_ends_on', 'organisation_id'])
    .select([seatsLeft, seatsReserved, seatsSold])
    .where('course_id', '=', courseId)
    .orderBy('starts_on')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    capacity: row.capacity,
    sold: row.sold,
    free: row.left + row.reserved,
    open:
      row.organisation_id === null &&
      takesEnrolments({ startDate: row.starts_on, enrolmentEnds: row.enrolment_ends_on, state: row.state }, today),
  }));
}

const isOpen = (offer: ListedEntry['offer']) => offer !== null && offer.endedAt === null;

/** Why an entry was or was not offered seats, in a sentence. */
function whyText(entry: ListedEntry, courseDate: BoardCourseDate | null): string {
  const { offer, closedAt, closedWhy, pausedAt, seats, turn, bar } = entry;
  const by = offer?.by ? ` by ${offer.by}` : '';
  const reason = offer?.reason ? ` Reason: ${offer.reason}` : '';
  if (closedAt) return `${closings[closedWhy ?? ''] ?? 'Closed'}, ${formatMoment(closedAt)}.${reason}`;
  if (offer && isOpen(offer)) {
    const until = offer.until
      ? `Email sent ${formatMoment(offer.mailedAt ?? offer.madeAt)}, open until ${formatEnd(offer.until)}.`
      : 'Our mail server has not taken the email yet, so the 72 hours have not started.';
    return `Offered ${seatsText(offer.seats)} in ${offer.courseDateSlug}${by}, ${formatMoment(offer.madeAt)}. ${until}${reason}`;
  }
  if (pausedAt) return `Offer withdrawn, ${formatMoment(pausedAt)}; offered by hand only.${reason}`;
  if (!entry.confirmed) {
    return `Not confirmed yet: nobody has opened the link in our email and pressed the button. We keep no seats for it, and we delete it ${confirmDays} days after our last email.`;
  }
  if (!courseDate) return 'Waiting for a date.';
  if (!courseDate.open) return 'Not offered: the date can no longer be booked.';
  if (bar) return bars[bar];
  if (turn) return 'Its turn. We offer the seats in a moment.';
  return courseDate.free === 0
    ? 'Not offered: no seat is free.'
    : `Not offered: needs ${seatsText(seats)} together, ${courseDate.free} ${courseDate.free === 1 ? 'is' : 'are'} free, and those before it come first.`;
}

const bars = {
  asked: 'Not offered: this date was offered and not taken. It waits for another date.',
  'set before': 'Not offered: the date was set before it joined. It waits for a later one.',
  private: 'Not offered: the date is only for one organisation.',
};

const seatsText = (seats: number) => `${seats} ${seats === 1 ? 'seat' : 'seats'}`;

const closings: Record<string, string> = {
  bought: 'Enrolled',
  declined: 'Declined the offer',
  lapsed: 'The offer ran out',
  left: 'Left the list',
  staff: 'Taken off by staff',
  over: 'The date was cancelled, enrolment closed, or the course was retired',
  undeliverable: 'We could not deliver the email with the offer',
};

const actForm = z.object({
  [tokenField]: z.uuid(),
  seen: z.string(),
  /** The reference of the entry. */
  entry: z.string(),
  act: z.enum(['offer', 'withdraw', 'resume', 'remove']),
  courseDate: z.coerce.number().int().positive().optional(),
  seats: z.coerce.number().int().min(1).max(1000).optional(),
  reason: z.string().trim().max(500).default(''),
});
const wholeForm = actForm
  .refine(({ act, reason }) => !['offer', 'withdraw'].includes(act) || reason !== '', {
    path: ['reason'],
    error: 'Enter a reason; we keep it with the offer. Nothing was done.',
  })
  .refine(({ act, courseDate, seats }) => act !== 'offer' || (courseDate && seats), {
    path: ['seats'],
    error: 'Enter how many seats of which date. Nothing was done.',
  });

const subjectOf = (reference: string) => `waiting-entry:${reference}`;

/** The id of the last act of staff by entry, for the field `seen` of its form; 0 for none. */
export async function readSeen(
  db: Db,
  actor: StaffActor,
  references: readonly string[],
): Promise<(reference: string) => number> {
  requirePermission(actor, 'waiting:read');
  const rows = await db
    .selectFrom('audit_entries')
    .select(({ fn }) => ['subject', fn.max('id').as('seen')])
    .where('subject', 'in', ['', ...references.map(subjectOf)])
    .groupBy('subject')
    .execute();
  const seen = new Map(rows.map((row) => [row.subject, Number(row.seen)]));
  return (reference) => seen.get(subjectOf(reference)) ?? 0;
}

const words = {
  unreadable: 'Part of the form was missing. Nothing was done.',
  kept: 'Nothing was done.',
  notSaved: 'Our system is not available, so nothing was done. Try again in a few minutes.',
  where: 'the list',
  away: unconfirmedText(
    'that this was done',
    'Read the list again in a few minutes: it shows what holds. If it did arrive, nothing is done twice.',
  ),
  busy: busyText('Your reason is still below.'),
};

/** Takes the forms of a list's page. */
export function takeWaitingAct(
  academy: Academy,
  { form, actor }: { form: FormData | null; actor: StaffActor },
): Promise<StaffFormResult> {
  const reference = textsOf(form).entry ?? '';
  const subject = subjectOf(reference);
  return takeStaffAct(academy, {
    form,
    schema: wholeForm,
    subject,
    actor,
    words,
    async act(trx, { act, courseDate = 0, seats = 0, reason }, moment) {
      const query = trx.selectFrom('waiting_entries').select('id').where('reference', '=', reference);
      const { id = 0 } = (await query.executeTakeFirst()) ?? {};
      const by = { actor, reason };
      const result = await {
        offer: () => offerByHand(trx, { entryId: id, courseDateId: courseDate, seats, by }, moment),
        withdraw: () => withdrawOffer(trx, id, by, moment),
        resume: () => resumeEntry(trx, id, by, moment),
        remove: () => removeEntry(trx, id, by, moment),
      }[act]();
      if (result.ok) return { ok: true, did: null };
      return refused(`${faults[result.reason]}${'free' in result ? ` ${result.free} are free there.` : ''}`);
    },
  });
}

const refused = (fault: string): Refused => ({ ok: false, reason: 'refused', fault });

const faults = {
  unknown: 'This entry has been deleted.',
  meanwhile: 'Something changed just now. Press the button again.',
  'no-offer': 'The offer is no longer open: someone answered or withdrew it, or its time ran out.',
  closed: 'This entry has been closed.',
  bought: 'This place is already bought. To take it off the list, cancel its enrolment.',
  offered: 'Someone has already offered seats to this entry.',
  'course-date-closed': 'This date can no longer be booked.',
  'course-date-cancelled': 'This date is cancelled.',
  'course-date-full': 'This date does not have that many free seats.',
};

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
