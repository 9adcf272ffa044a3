import { href } from 'react-router';
import type { Db, Trx } from '#app/db/client.server.ts';
import { waitingOffer } from '#app/emails/waiting-offer.ts';
import { type OverWhy, waitingOver } from '#app/emails/waiting-over.ts';
import type { LockedCourseDate } from '#app/features/course-dates/seats.server.ts';
import { courseDateWhen, shownDate } from '#app/features/enrolments/words.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { formatDayAndMonth } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { formatMoney } from '#app/lib/money.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { offerEndOf, offerLink, waitingLink } from './links.server.ts';
import type { WaitingCourseDate, WaitingEntry } from './rules.ts';

/** Mails an offer; returns the id of the mail, from whose delivery on its time runs. */
export async function queueOffer(
  trx: Trx,
  {
    entry,
    offerId,
    courseDate,
    seats,
  }: { entry: WaitingEntry; offerId: number; courseDate: LockedCourseDate; seats: number },
  moment: Moment,
): Promise<string> {
  const { academy } = moment;
  const [link, until] = [offerLink(offerId), offerEndOf(offerId)];
  const { title, priceCents } = await readCourse(trx, entry.courseId);
  const { when, day, where } = await readWaitingCourseDate(trx, courseDate.id);
  const id = await queueMail(trx, {
    kind: 'waiting-offer',
    about: { kind: 'waiting-entry', id: entry.id },
    to: entry.email,
    replyTo: academy.email,
    links: [link, until],
    ...waitingOffer({
      reference: entry.reference,
      title,
      when,
      day,
      where,
      seats,
      until: placeholderOf(until),
      price: entry.enrolmentId === null ? `${formatMoney(priceCents)} incl. GST` : null,
      link: placeholderOf(link),
      academy,
    }),
  });
  if (id === null) throw new Error('an offer has no key by which it could have been queued before');
  return id;
}

/** Says that an offer or the waiting is over; `courseDateId` is the course date concerned, null for the list of a course. */
export async function queueOver(
  trx: Db,
  entry: WaitingEntry,
  { why, courseDateId, waits }: { why: OverWhy; courseDateId: number | null; waits: boolean },
  { academy }: Pick<Moment, 'academy'>,
): Promise<void> {
  const { title, slug } = await readCourse(trx, entry.courseId);
  const courseDate = courseDateId === null ? null : await readWaitingCourseDate(trx, courseDateId);
  // A retired course has no page to book from.
  const courseLink = why === 'retired' ? href('/courses') : href('/course/:courseId', { courseId: slug });
  await queueMail(trx, {
    kind: 'waiting-over',
    about: { kind: 'waiting-entry', id: entry.id },
    to: entry.email,
    replyTo: academy.email,
    links: waits ? [waitingLink(entry.id)] : [],
    ...waitingOver({
      why,
      reference: entry.reference,
      title,
      when: courseDate?.when ?? null,
      day: courseDate?.day ?? null,
      waits,
      link: waits ? placeholderOf(waitingLink(entry.id)) : academy.url + courseLink,
      academy,
    }),
  });
}

/** A course that is waited for, with a price and its period. */
type WaitedCourse = { id: number; title: string; slug: string; priceId: number; priceCents: number };

/** A course with the lowest price that was asked since an offer of it was made (P28); without an offer, today's. */
export async function readCourse(db: Db, id: number, offeredAt: Date | null = null): Promise<WaitedCourse> {
  return db
    .selectFrom('courses')
    .innerJoin('prices', 'prices.course_id', 'courses.id')
    .select(['courses.id', 'title', 'slug', 'prices.id as priceId', 'amount_cents as priceCents'])
    .where('courses.id', '=', id)
    .where((eb) => eb.or([eb('until_at', 'is', null), eb('until_at', '>', offeredAt)]))
    .orderBy('amount_cents')
    .orderBy('prices.id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
}

/** A course date in words. */
export async function readWaitingCourseDate(db: Db, id: number): Promise<WaitingCourseDate> {
  const row = await db
    .selectFrom('course_dates')
    .select(['id', 'slug', 'starts_on', 'ends_on', 'starts_at', 'ends_at', 'zone', 'delivery', 'venue'])
    .select('enrolment_ends_on')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const courseDate = {
    ...row,
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    startsAt: row.starts_at.slice(0, 5),
    endsAt: row.ends_at.slice(0, 5),
  };
  return {
    id,
    slug: row.slug,
    when: courseDateWhen(courseDate),
    day: formatDayAndMonth(row.starts_on),
    where: deliveryText(courseDate),
    shown: shownDate(courseDate),
    enrolmentEndsOn: row.enrolment_ends_on,
  };
}
