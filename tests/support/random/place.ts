import { expect } from 'vitest';
import type { CourseDetails } from '#app/features/content/course-schema.ts';
import { visitor } from '#tests/support/enrolling.ts';
import { makeSession } from '#tests/support/enrolments.ts';
import { addDays, type Day } from './calendar.ts';
import {
  answered,
  type Books,
  combo,
  comboCourses,
  type Fields,
  type Outcome,
  openFor,
  patiently,
  reach,
  type Stage,
  shown,
  single,
  wordsOf,
} from './stage.ts';
import type { Enrolment, Place, Session, World } from './world.ts';

/** Sessions of every course that the run sells, some of them tentative. */
export async function openSessions(stage: Stage): Promise<void> {
  const { academy, world } = stage;
  const wishes = [
    { course: single, capacity: 3, startsOn: '2027-03-22', minimum: 1, decidedBy: null },
    { course: single, capacity: 4, startsOn: '2027-04-12', minimum: 2, decidedBy: '2027-03-25' },
    { course: single, capacity: 8, startsOn: '2027-05-10', minimum: 1, decidedBy: null },
    { course: single, capacity: 8, startsOn: '2027-07-12', minimum: 1, decidedBy: null },
    { course: 'aws-security-specialty', capacity: 6, startsOn: '2027-03-29', minimum: 1, decidedBy: null },
    { course: 'ccsp', capacity: 6, startsOn: '2027-05-17', minimum: 1, decidedBy: null },
    { course: 'aws-cloud-practitioner', capacity: 6, startsOn: '2027-04-05', minimum: 1, decidedBy: null },
  ];
  for (const { course, ...wish } of wishes) {
    const { id } = await makeSession(academy.database.db, { course, ...wish });
    const { slug } = await academy.database.db
      .selectFrom('training_sessions')
      .select('slug')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const state = wish.decidedBy === null ? 'confirmed' : 'tentative';
    world.sessions.push({ id, slug, course, state, decisionNeeded: state === 'tentative', ...wish });
  }
  await shown(stage);
}

/** The Mondays that are offered certainly: from the third one on. */
export const mondayFrom = (today: Day, weeks: number): Day => {
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
  return addDays(today, ((8 - weekday) % 7 || 7) + 7 * weeks);
};

let buyers = 0;

/** Somebody enrols through every step, in a course or in a combo. */
export async function place(stage: Stage): Promise<Outcome> {
  const { academy, world, draw } = stage;
  const people = 1 + draw.below(2);
  const isCombo = draw.chance(0.5);
  const courses = isCombo ? comboCourses : [single];
  const fields: Fields = { attendees: String(people) };
  const chosen: { course: string; session: Session | null; monday: Day | null }[] = [];
  for (const course of courses) {
    const session = draw.of(openFor(stage, course).filter((one) => one.capacity - world.sold(one) >= people));
    const monday = mondayFrom(world.today, 2 + draw.below(6));
    const guided = academy.services.snapshot.current().bySlug.get(course)?.card.guided ?? false;
    const way = draw.of([
      ...(session ? ['session'] : []),
      ...(guided ? ['guided'] : []),
      ...(isCombo ? ['next-date'] : []),
    ]);
    if (way === undefined) return 'nothing to act on';
    fields[`way-${course}`] = way === 'session' ? `session:${session?.slug}` : way;
    if (way === 'guided') fields[`monday-${course}`] = monday;
    chosen.push({
      course,
      session: way === 'session' ? (session ?? null) : null,
      monday: way === 'guided' ? monday : null,
    });
  }
  // A combo without any date is a request for staff (P28).
  if (chosen.every(({ session, monday }) => session === null && monday === null)) return 'nothing to act on';
  buyers += 1;
  const buyer = visitor(academy, `100.${64 + (buyers % 60)}.${buyers % 250}.7`);
  const email = `buyer@company-${buyers}.example`;
  const draft = await buyer.choose(isCombo ? `combo=${combo}` : `course=${single}`, fields);
  await buyer.fillIn(draft, email, { buyerName: `Buyer ${buyers}` }).catch(async (error: unknown) => {
    throw new Error(`${JSON.stringify(fields)}: ${await buyer.read(draft)}`, { cause: error });
  });
  const placed = await answered(await patiently(() => buyer.place(draft)), 'place');
  const token = /\?link=([^&]+)/.exec(placed.headers.get('Location') ?? '')?.[1] ?? '';
  expect([placed.status, token === '' ? await wordsOf(placed) : ''], JSON.stringify(fields)).toEqual([303, '']);
  const row = await academy.database.db
    .selectFrom('enrolments')
    .select(['id', 'reference'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const enrolment: Enrolment = { ...row, email, token, combo: isCombo, places: [], paid: 0, refunded: 0 };
  world.enrolments.push(enrolment);
  await learnPlaces(stage, enrolment);
  for (const { course, session, monday } of chosen) {
    const own = enrolment.places.filter((one) => one.course === course);
    expect(
      own.map((one) => [one.session?.slug, one.monday]),
      'taken as chosen',
    ).toEqual(own.map(() => [session?.slug, monday]));
    expect(own.length).toBe(people);
  }
  reach(world);
  return 'done';
}

/** The price list of the content, by hand: in cents, with each course's share of what the combo saves. */
const prices: Record<string, { price: number; saving: number }> = {
  cissp: { price: 549_900, saving: 0 },
  'aws-cloud-practitioner': { price: 149_900, saving: 44_985 },
  'aws-security-specialty': { price: 329_900, saving: 99_003 },
  ccsp: { price: 429_900, saving: 129_012 },
};

/** What a course costs today, alone or in the combo, and how much of that the promotion takes off. */
export function priceToday(world: World, course: string, isCombo: boolean): { price: number; saving: number } {
  const { price, saving } = prices[course] ?? { price: 0, saving: 0 };
  return { price, saving: isCombo && world.hour < world.discountHours ? saving : 0 };
}

/** Takes over places that an act has written; what they cost is checked against the course's own price. */
export async function learnPlaces({ db, world }: Books, enrolment: Enrolment): Promise<void> {
  const rows = await db
    .selectFrom('places')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['places.id', 'attendee_id', 'courses.slug', 'way', 'training_session_id', 'guided_from'])
    .select(['places.price_cents', 'discount_cents', 'details'])
    .where('enrolment_id', '=', enrolment.id)
    .where('places.state', '=', 'active')
    .orderBy('places.id')
    .execute();
  for (const row of rows) {
    if (enrolment.places.some(({ id }) => id === row.id)) continue;
    const { price, saving } = priceToday(world, row.slug, enrolment.combo);
    expect([row.price_cents, row.discount_cents]).toEqual([price, saving]);
    enrolment.places.push({
      id: row.id,
      attendee: row.attendee_id,
      course: row.slug,
      way: row.way as Place['way'],
      session: world.sessions.find(({ id }) => id === row.training_session_id) ?? null,
      monday: row.guided_from,
      modules: (row.details as CourseDetails).curriculum.length,
      opened: 0,
      discount: saving,
      withdrawn: 0,
      bare: price - saving,
      used: 0,
      placedHour: world.hour,
      boundHour: world.hour,
      active: true,
      moves: [],
      freeMoveUsed: false,
      choice: null,
      causedOn: null,
    });
    const learnt = enrolment.places.at(-1);
    if (learnt) world.sell(learnt);
  }
}
