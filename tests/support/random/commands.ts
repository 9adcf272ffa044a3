import { expect } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import type { CourseChoice } from '#app/features/enrolments/order.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { makeSession, momentAt } from '#tests/support/enrolments.ts';
import { addDays, type Day } from './calendar.ts';
import { mondayFrom } from './place.ts';
import { type Books, combo, comboCourses, type Draw, owed, single } from './stage.ts';
import type { Enrolment, Place, Session, World } from './world.ts';

/** What a sequence of commands acts on: the academy's records, the model, and the numbers that are drawn. */
export type Scene = Books & { draw: Draw; comboId: number; courseIds: ReadonlyMap<string, number>; log: string[] };

export const transaction = <T>({ db }: Books, work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);

/** The clock stands where the model has it. */
export const momentOf = ({ now, today }: World): Moment => ({ ...momentAt('2025-09-08T09:00'), now, today });

/** The sessions of a sequence; those of `ccsp` are opened later, for people who wait for the next date. */
const wishes = [
  { course: single, capacity: 3, startsOn: '2025-09-25', minimum: 1, decidedBy: null },
  { course: single, capacity: 3, startsOn: '2025-10-20', minimum: 1, decidedBy: null },
  { course: single, capacity: 5, startsOn: '2025-11-10', minimum: 3, decidedBy: '2025-10-20' },
  { course: single, capacity: 20, startsOn: '2026-02-02', minimum: 1, decidedBy: null },
  { course: 'aws-cloud-practitioner', capacity: 4, startsOn: '2025-10-06', minimum: 1, decidedBy: null },
  { course: 'aws-cloud-practitioner', capacity: 6, startsOn: '2025-12-01', minimum: 2, decidedBy: '2025-11-10' },
  { course: 'aws-security-specialty', capacity: 6, startsOn: '2025-10-27', minimum: 1, decidedBy: null },
];
export async function sessionsToSell(books: Books): Promise<void> {
  // One after the other: what is drawn from them later depends on their order.
  for (const wish of wishes) await openSession(books, wish);
}

export async function openSession({ db, world }: Books, wish: (typeof wishes)[number] | Wish): Promise<Session> {
  const { id } = await makeSession(db, wish);
  const state = wish.decidedBy === null ? 'confirmed' : 'tentative';
  const session: Session = { id, slug: '', state, decisionNeeded: state === 'tentative', ...wish };
  world.sessions.push(session);
  return session;
}
type Wish = { course: string; capacity: number; startsOn: Day; minimum: number; decidedBy: Day | null };

/** How one course is to be taken. */
export type Way = { course: string; session: Session | null; monday: Day | null };

export function choiceOf({ courseIds }: Scene, { course, session, monday }: Way): CourseChoice {
  const courseId = courseIds.get(course) ?? 0;
  if (session) return { courseId, way: 'session', sessionId: session.id };
  return monday ? { courseId, way: 'guided', from: monday } : { courseId, way: 'next-date' };
}

/** Ways of a course, or of each course of the combo, possible or not. One course of a combo is guided or has no date. */
export function drawWays({ world, draw }: Scene, isCombo: boolean): Way[] {
  const sessionOf = (course: string) => {
    const all = world.sessions.filter((session) => session.course === course);
    // The next one is wanted most, so that sessions sell out.
    const next = draw.chance(0.5) ? all.find((one) => one.startsOn > world.today) : undefined;
    return next ?? draw.of(all) ?? null;
  };
  const guided = () => mondayFrom(world.today, 2 + draw.below(6));
  if (!isCombo) {
    const alone = draw.chance(0.2);
    return [{ course: single, session: alone ? null : sessionOf(single), monday: alone ? guided() : null }];
  }
  const [dated = '', other = '', later = ''] = comboCourses;
  const otherGuided = draw.chance(0.5);
  return [
    { course: dated, session: sessionOf(dated), monday: null },
    { course: other, session: otherGuided ? null : sessionOf(other), monday: otherGuided ? guided() : null },
    { course: later, session: null, monday: draw.chance(0.3) ? guided() : null },
  ];
}

export type Refusal = { reason: string } & Record<string, unknown>;

/** Why these ways cannot be taken by so many people today; enrolment ends on the eve of the first day (P39). */
export function untakeable({ world, courseIds }: Scene, ways: readonly Way[], people: number): Refusal | null {
  for (const { course, session } of ways) {
    if (!session) continue;
    const its = { courseId: courseIds.get(course), sessionId: session.id };
    const left = session.capacity - world.sold(session);
    if (session.state === 'cancelled') return { reason: 'session-cancelled', ...its };
    if (world.today > addDays(session.startsOn, -1)) return { reason: 'session-closed', ...its };
    if (left < people) return { reason: 'session-full', left, ...its };
  }
  return null;
}

/** Who a buyer is to the limits of P28. */
export type Buyer = { email: string; domain: string; network: string | null };
const buyers = new WeakMap<Enrolment, Buyer>();
export const rememberBuyer = (enrolment: Enrolment, buyer: Buyer) => buyers.set(enrolment, buyer);
export const buyerOf = (enrolment: Enrolment): Buyer => {
  const buyer = buyers.get(enrolment);
  if (!buyer) throw new Error(`nobody bought ${enrolment.reference}`);
  return buyer;
};

/**
 * P28: seats in sessions that are not paid for. Six of one buyer at any time, six of one mail domain that were placed within
 * a day, twelve of one network that were placed within a day; with more it is a request for staff.
 */
export function tooManyUnpaid({ world }: Scene, buyer: Buyer, seats: number): Refusal | null {
  const unpaidOf = (key: keyof Buyer) =>
    world.enrolments
      .filter((enrolment) => buyerOf(enrolment)[key] === buyer[key] && owed(enrolment) > 0)
      .flatMap(({ places }) => places)
      .filter(({ active, way, placedHour }) => {
        const counts = key === 'email' || world.hour - placedHour < 24;
        return active && way === 'session' && counts;
      }).length;
  const limits = [
    ['buyer', 'email', 6],
    ['domain', 'domain', 6],
    ['network', 'network', 12],
  ] as const;
  for (const [of, key, most] of limits) {
    if (buyer[key] === null) continue;
    const unpaidSeats = unpaidOf(key);
    if (unpaidSeats + seats > most) return { reason: 'too-many-unpaid', of, unpaidSeats };
  }
  return null;
}

export const seatsIn = (ways: readonly Way[]) => ways.filter(({ session }) => session !== null).length;

/** What the command answered is what the model predicts: this refusal, or success. */
export function expectAnswer<T extends { ok: boolean }>(
  result: T,
  refused: Refusal | null,
): asserts result is Extract<T, { ok: true }> | Extract<T, { ok: false }> {
  if (refused) expect(result).toMatchObject({ ok: false, ...refused });
  else expect(result).toMatchObject({ ok: true });
}

/** A place of an enrolment, drawn among those that fit. */
export function drawPlace({ world, draw }: Scene, fits: (place: Place) => boolean) {
  return draw.of(
    world.enrolments.flatMap((enrolment) =>
      enrolment.places.flatMap((place) => (fits(place) ? [{ enrolment, place }] : [])),
    ),
  );
}

/** An active place whose attendee has finished none of theirs, so that another person may be named (P64). */
export const drawToGive = (scene: Scene) => {
  const { world } = scene;
  const isFinished = ({ active, session, monday }: Place) =>
    (active && session !== null && addDays(session.startsOn, 4) <= world.today) ||
    (monday !== null && world.today >= world.accessEnds(monday));
  return drawPlace(
    scene,
    (place) =>
      place.active &&
      !world.enrolmentOf(place).places.some((one) => one.attendee === place.attendee && isFinished(one)),
  );
};

/** The id of a combo and of the courses that a sequence sells. */
export async function readShelf({ db }: Pick<Books, 'db'>) {
  const courses = await db
    .selectFrom('courses')
    .select(['id', 'slug'])
    .where('slug', 'in', [single, ...comboCourses])
    .execute();
  const { id: comboId } = await db
    .selectFrom('combos')
    .select('id')
    .where('slug', '=', combo)
    .executeTakeFirstOrThrow();
  return { comboId, courseIds: new Map(courses.map(({ id, slug }) => [slug, id])) };
}
