import type { Db } from '#app/db/client.server.ts';
import { cancelCourseDateAndAsk } from '#app/features/enrolments/course-date-changes.server.ts';
import type { CourseChoice } from '#app/features/enrolments/order.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { confirmEntry, joinWaitingList } from '#app/features/enrolments/waiting/entries.server.ts';
import { keepWaitingLists } from '#app/features/enrolments/waiting/jobs.server.ts';
import { beginSignIn } from '#app/features/people/sign-ins.server.ts';
import { markAnswer } from '#app/features/study/answers.server.ts';
import { handIn } from '#app/features/study/exercises.server.ts';
import type { AcademyApp } from './academy-app.ts';
import { type Class, classDays, issued, makeClass, markPresent } from './certificates.ts';
import { attendee, makeCourseDate, momentAt, type OrderWish, orderOf, seatIn } from './enrolments.ts';
import { receive } from './money.ts';
import { type Browser, openBrowser } from './sign-in.ts';
import { makeStaff } from './staff.ts';

/** A browser in which a person is signed in as a player, from the moment that the academy's clock shows. */
export async function signInPlayer(academy: AcademyApp, personId: number): Promise<Browser> {
  const { db } = academy.database;
  const at = academy.now();
  await db
    .insertInto('players')
    .values({ person_id: personId, since: at })
    .onConflict((same) => same.doNothing())
    .execute();
  const token = await beginSignIn(db, {
    personId,
    audience: 'player',
    pending: null,
    browser: 'Firefox on Linux',
    at,
  });
  const browser = openBrowser(academy);
  browser.cookies.set('player', token);
  return browser;
}

/** The person with an address, who is made when nobody has it. */
export async function personOf(db: Db, email: string, name: string | null = null): Promise<number> {
  const known = await db.selectFrom('person_emails').select('person_id').where('email', '=', email).executeTakeFirst();
  if (known) return known.person_id;
  const { id } = await db.insertInto('people').values({ email, name }).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Places an order of one course at 9 am on the opening day. */
async function bought(db: Db, choice: CourseChoice, wish: OrderWish) {
  const order = await orderOf(db, [choice], wish);
  const placed = await db.transaction().execute((trx) => placeEnrolment(trx, order, momentAt('2025-09-08T09:00')));
  if (!placed.ok) throw new Error(placed.reason);
  const { places } = await readEnrolment(db, placed.enrolmentId);
  return { ...placed, places };
}

/** What somebody bought and did before 10 am on Friday 21 November 2025. */
export type Past = {
  personId: number;
  email: string;
  /** A class of three days of seven hours in CISSP, bought for two and paid; Grace was there, and has its certificate. */
  finished: { class: Class; placeId: number; number: string; reference: string };
  /** A week from Monday 24 November, for Grace and somebody without a name yet; not paid. */
  next: { placeId: number; reference: string };
  /** A date on 1 December that was cancelled the day before: a choice is open. */
  cancelled: { placeId: number; reference: string };
  /** Guided study since 13 October: module 1 accepted, module 2 not yet. */
  guided: { placeId: number; reference: string; modules: number };
  /** Seats that are kept for her until Monday 24 November, 10 am. */
  offer: { entryId: number };
};

export const inNovember = momentAt('2025-11-21T10:00');

/** Makes Grace Hopper with such a past; `email` is hers. */
export async function makePast(db: Db, email: string): Promise<Past> {
  const buyer = { name: 'Grace Hopper', email, phone: null };
  const grace = attendee({ name: 'Grace Hopper', email });

  const owner = { email: 'owner@staff.example', name: 'Olive' };
  const { actor } = await makeStaff(db, owner, momentAt('2025-09-08T09:00').now);
  const taught = await makeClass(db);
  const first = await bought(db, seatIn(taught.courseDate), {
    buyer,
    attendees: [grace, attendee({ name: 'Alan Kay' })],
  });
  await receive(
    db,
    first.enrolmentId,
    first.places.reduce((sum, { amountCents }) => sum + amountCents, 0),
    inNovember,
  );
  const own = first.places.find(({ attendee: { email: theirs } }) => theirs === email);
  if (!own) throw new Error('no place of her own');
  for (const day of classDays) await markPresent(db, own.id, taught, day);
  const { number } = await issued(db, own.id);

  const week = await makeCourseDate(db, { course: 'comptia-security-plus', startsOn: '2025-11-24' });
  const next = await bought(db, seatIn(week), { buyer, attendees: [grace, attendee({ name: null })] });

  const lost = await makeCourseDate(db, { course: 'comptia-network-plus', startsOn: '2025-12-01' });
  const cancelled = await bought(db, seatIn(lost), { buyer, attendees: [grace] });
  const theDayBefore = momentAt('2025-11-20T10:00');
  await db.transaction().execute((trx) => cancelCourseDateAndAsk(trx, lost.id, actor, theDayBefore));

  const { id: courseId } = await db
    .selectFrom('courses')
    .select('id')
    .where('slug', '=', 'soc-fundamentals')
    .executeTakeFirstOrThrow();
  const guided = await bought(db, { courseId, way: 'guided', from: '2025-10-13' }, { buyer, attendees: [grace] });
  const [study] = guided.places;
  if (!study) throw new Error('nothing was placed');
  for (const module of [1, 2]) {
    await db
      .insertInto('module_openings')
      .values({ place_id: study.id, module, opened_at: momentAt('2025-10-14T09:00').now })
      .execute();
    const answer = { attendeeId: study.attendee.id, placeId: study.id, module, body: 'It is a phish.', link: '' };
    await db.transaction().execute((trx) => handIn(trx, answer, momentAt('2025-10-15T09:00')));
    const { id } = await db
      .selectFrom('exercise_answers')
      .select('id')
      .where('place_id', '=', study.id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const mark = { answerId: id, accepted: module === 1, comment: module === 1 ? '' : 'Say which header shows it.' };
    const by = { actor, moment: momentAt('2025-10-16T09:00') };
    await db.transaction().execute((trx) => markAnswer(trx, mark, by));
  }

  const free = await makeCourseDate(db, { course: 'threat-hunting', startsOn: '2026-02-16', capacity: 2 });
  await bought(db, seatIn(free), { attendees: [attendee(), attendee({ name: 'Bob Boole' })] });
  const wish = { courseId: free.courseId, courseDateId: free.id, seats: 2, name: 'Grace Hopper', email };
  const offered = momentAt('2025-11-21T10:00');
  const joined = await db.transaction().execute(async (trx) => {
    const entry = await joinWaitingList(trx, wish, offered);
    if (!entry.ok) throw new Error(entry.reason);
    await confirmEntry(trx, entry.entryId, offered);
    return entry;
  });
  await db.updateTable('course_dates').set({ capacity: 4 }).where('id', '=', free.id).execute();
  await keepWaitingLists(db, offered);
  // Its 72 hours begin once the mail server has taken the mail.
  await db
    .updateTable('mails')
    .set({ state: 'sent', settled_at: offered.now })
    .where('recipient', '=', email)
    .where('kind', '=', 'waiting-offer')
    .execute();
  await keepWaitingLists(db, offered);

  const personId = await personOf(db, email);
  return {
    personId,
    email,
    finished: { class: taught, placeId: own.id, number, reference: first.reference },
    next: { placeId: next.places[0]?.id ?? 0, reference: next.reference },
    cancelled: { placeId: cancelled.places[0]?.id ?? 0, reference: cancelled.reference },
    guided: { placeId: study.id, reference: guided.reference, modules: study.modules.length },
    offer: { entryId: joined.entryId },
  };
}
