import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUpFigures } from '#app/features/reports/figures.server.ts';
import { miscountedSessions } from '#tests/support/enrolments.ts';
import { addDays } from '#tests/support/random/calendar.ts';
import {
  drawWays,
  openSession,
  readShelf,
  type Scene,
  sessionsToSell,
  type Way,
} from '#tests/support/random/commands.ts';
import * as buyers from '#tests/support/random/commands-of-buyers.ts';
import { addTo, cancelThese, moveTo, placeFor } from '#tests/support/random/commands-of-buyers.ts';
import { disputeCard, payByCard } from '#tests/support/random/commands-of-cards.ts';
import { handOver, placeWithDiscount } from '#tests/support/random/commands-of-desk.ts';
import * as staff from '#tests/support/random/commands-of-staff.ts';
import { moveSessionByAWeek, waitFor } from '#tests/support/random/commands-of-staff.ts';
import { waitingList } from '#tests/support/random/commands-of-waiting.ts';
import { duePartsAgree } from '#tests/support/random/due-parts.ts';
import { figuresAgree, sumsAgree } from '#tests/support/random/figures.ts';
import { agree } from '#tests/support/random/invariants.ts';
import { paymentsJudgedRight } from '#tests/support/random/judged-payments.ts';
import { mondayFrom } from '#tests/support/random/place.ts';
import { Promises } from '#tests/support/random/promises.ts';
import { comboCourses, type Draw, type Outcome, openFor, single } from '#tests/support/random/stage.ts';
import { type Session, World } from '#tests/support/random/world.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { writeModules } from '#tests/support/study.ts';

/** The promotion of the content ends 3 days, 19:14:18 after it began, at 9 am on 8 September 2025. */
const firstDay = '2025-09-08';
const discountHours = 91 + 858 / 3600;
/**
 * `SEQUENCES=200 npx vitest run tests/database/enrolments-sequence.test.ts` takes other ones each time, and more of them.
 * Without it they are the same at each run, so that a rare one does not fail a change that has nothing to do with it.
 * `SEQUENCE=402239038:55` repeats the one of that seed and path, as a failure names them.
 */
const { SEQUENCES, SEQUENCE } = process.env;
const runs = Number(SEQUENCES ?? 8);
const longestMs = Math.max(600_000, runs * 5_000);

let database: SharedDatabase;
let shelf: Awaited<ReturnType<typeof readShelf>>;
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
  shelf = await readShelf(database);
});
afterAll(() => database.drop());

/** How often each act is drawn, relative to the others. */
const weights = {
  place: [4, buyers.place],
  placeColleagues: [3, buyers.placeColleagues],
  cancel: [4, buyers.cancel],
  move: [4, buyers.move],
  add: [3, buyers.add],
  keep: [1, buyers.keep],
  rename: [1, buyers.rename],
  correct: [2, buyers.correct],
  study: [2, buyers.study],
  pay: [3, staff.pay],
  refund: [1, staff.refund],
  discount: [2, staff.discount],
  agreeOn: [2, staff.agreeOn],
  addByStaff: [1, buyers.addByStaff],
  cancelInFull: [1, staff.cancelInFull],
  cancelSession: [1, staff.cancelSession],
  moveSession: [1, staff.moveSession],
  confirmSession: [1, staff.confirmSession],
  giveDate: [2, staff.giveDate],
  payByCard: [3, payByCard],
  disputeCard: [3, disputeCard],
  waitingList: [1, waitingList],
  handOver: [1, handOver],
  placeWithDiscount: [2, placeWithDiscount],
  wait: [6, staff.wait],
} satisfies Record<string, [number, (scene: Scene) => Promise<Outcome>]>;

const guidedAlone = (world: World): Way => ({ course: single, session: null, monday: mondayFrom(world.today, 3) });

/** A combo of which one course is on a date if one is free, one is guided, and one waits for its next date. */
async function comboForCertain(scene: Scene): Promise<Outcome> {
  const { world } = scene;
  const [dated = '', guided = '', later = ''] = comboCourses;
  const session = openFor(scene, dated).find((one) => world.sold(one) < one.capacity) ?? null;
  const monday = mondayFrom(world.today, 3);
  const ways = [
    { course: dated, session, monday: session ? null : monday },
    { course: guided, session: null, monday },
    { course: later, session: null, monday: null },
  ];
  return placeFor(scene, newBuyer(), ways, 1);
}

/** An attendee joins later: a second invoice. Who has no enrolment to join gets one. */
async function additionForCertain(scene: Scene): Promise<Outcome> {
  const { world, draw } = scene;
  const find = () => draw.of(world.enrolments.filter(({ combo }) => !combo));
  if (!find()) await placeFor(scene, newBuyer(), [guidedAlone(world)], 2);
  const enrolment = find() ?? expect.unreachable();
  const onDate = await addTo(scene, enrolment, drawWays(scene, false));
  return onDate === 'done' ? onDate : addTo(scene, enrolment, [guidedAlone(world)]);
}

/** Staff move a session, and somebody in it has a choice. */
async function moveForCertain(scene: Scene): Promise<Outcome> {
  const { world } = scene;
  const inside = (session: Session) => world.sold(session) > 0 && session.state === 'confirmed';
  let session = world.sessions.find((one) => inside(one) && one.startsOn > world.today);
  if (!session) {
    const wish = { course: single, capacity: 4, minimum: 1, decidedBy: null };
    session = await openSession(scene, { ...wish, startsOn: addDays(world.today, 40) });
    await placeFor(scene, newBuyer(), [{ course: single, session, monday: null }], 1);
  }
  const outcome = await moveSessionByAWeek(scene, session);
  expect(world.places.some((place) => place.session === session && place.choice?.why === 'moved')).toBe(true);
  return outcome;
}

/** A buyer moves in the two weeks before the first day: a later refund is half at most (P40). */
async function lateMoveForCertain(scene: Scene): Promise<Outcome> {
  const { world } = scene;
  const open = (days: number) => {
    const wish = { course: single, capacity: 2, minimum: 1, decidedBy: null };
    return openSession(scene, { ...wish, startsOn: addDays(world.today, days) });
  };
  const [soon, later] = [await open(11), await open(70)];
  await placeFor(scene, newBuyer(), [{ course: single, session: soon, monday: null }], 1);
  const enrolment = world.enrolments.at(-1) ?? expect.unreachable();
  // Its invoice is read on the day on which it is issued.
  await agree(scene);
  await waitFor(scene, 25);
  return moveTo(scene, enrolment, enrolment.places[0] ?? expect.unreachable(), later);
}

/**
 * A buyer cancels one course of a combo, so that the others cost their own price, moves another one and cancels that too:
 * what was withdrawn of its discount goes along to the other date (P40). First of all, while the combo has a discount.
 */
async function withdrawnMoveForCertain(scene: Scene): Promise<Outcome> {
  const { world } = scene;
  const [dated = '', guided = '', later = ''] = comboCourses;
  const open = (days: number) => {
    const wish = { course: dated, capacity: 2, minimum: 1, decidedBy: null };
    return openSession(scene, { ...wish, startsOn: addDays(world.today, days) });
  };
  const [first, second] = [await open(40), await open(12)];
  const ways = [
    { course: dated, session: first, monday: null },
    { course: guided, session: null, monday: mondayFrom(world.today, 3) },
    { course: later, session: null, monday: null },
  ];
  await placeFor(scene, newBuyer(), ways, 1);
  const enrolment = world.enrolments.at(-1) ?? expect.unreachable();
  const of = (course: string) => enrolment.places.find((one) => one.course === course) ?? expect.unreachable();
  await cancelThese(scene, enrolment, [of(later)]);
  await agree(scene);
  expect(await moveTo(scene, enrolment, of(dated), second)).toBe('done');
  await agree(scene);
  // A day later the ladder gives half, so that what the place was charged makes a difference.
  await waitFor(scene, 25);
  return cancelThese(scene, enrolment, [of(dated)]);
}

let others = 0;
function newBuyer() {
  const domain = `other-${++others}.example`;
  return { email: `buyer@${domain}`, domain, network: null };
}

type Act = (scene: Scene) => Promise<Outcome>;
const certainly = {
  comboForCertain,
  additionForCertain,
  lateMoveForCertain,
  moveForCertain,
  withdrawnMoveForCertain,
};
/** By name, for the message of a failure. */
const acts = new Map<string, Act>([
  ...Object.entries<[number, Act]>(weights).map(([name, [, act]]): [string, Act] => [name, act]),
  ...Object.entries(certainly),
]);
type Step = { act: string; numbers: readonly number[] };
const drawn = fc.oneof(
  ...Object.entries<[number, Act]>(weights).map(([name, [weight]]) => ({ weight, arbitrary: fc.constant(name) })),
);
const stepOf = (name: fc.Arbitrary<string>): fc.Arbitrary<Step> =>
  fc.record(
    { act: name, numbers: fc.array(fc.nat({ max: 9999 }), { minLength: 12, maxLength: 12 }) },
    { noNullPrototype: true },
  );
const some = (length: number) => fc.array(stepOf(drawn), { minLength: length, maxLength: length });
const certain = (name: keyof typeof certainly) => fc.tuple(stepOf(fc.constant(name)));

/**
 * Thirty acts. A combo, a second invoice, a moved session, a late move and one of a combo in part cancelled are among
 * them, and something follows.
 */
const sequences = fc
  .tuple(
    certain('withdrawnMoveForCertain'),
    some(2),
    certain('comboForCertain'),
    some(4),
    certain('additionForCertain'),
    some(4),
    certain('moveForCertain'),
    some(3),
    certain('lateMoveForCertain'),
    some(12),
  )
  .map((parts): Step[] => parts.flat());

/** Takes the numbers one after the other, and again from the first. */
function drawFrom(numbers: readonly number[]): Draw {
  let at = 0;
  const next = () => numbers[at++ % numbers.length] ?? 0;
  const below = (limit: number) => next() % limit;
  return { below, of: (from) => from[below(from.length)], chance: (of) => next() < of * 10_000 };
}

test(
  'P27, P28, P38 to P40: after any sequence of commands seats, places, documents, money and reminders are as promised',
  async () => {
    const tally = { done: 0, refused: 0, 'nothing to act on': 0 };
    await fc.assert(
      fc.asyncProperty(sequences, async (sequence) => {
        const scene = await start();
        for (const { act, numbers } of sequence) {
          scene.world.hour += 1 / 60;
          scene.draw = drawFrom(numbers);
          const outcome = await explained(scene, act);
          scene.log.push(`${act}: ${outcome}`);
          tally[outcome] += 1;
        }
        hasAll(scene);
        // P85: a day of which there are documents and money on both sides.
        await figuresAgree(database.db, addDays(firstDay, 12));
        // Of days within a week, of weeks and days at both ends, and of all.
        const stretches = [
          [0, 1],
          [2, 5],
          [0, 12],
          [3, 40],
          [-400, 600],
        ] as const;
        for (const [from, end] of stretches) {
          await sumsAgree(database.db, { from: addDays(firstDay, from), end: addDays(firstDay, end) });
        }
      }),
      {
        numRuns: runs,
        endOnFailure: true,
        includeErrorInReport: true,
        ...startingPoint(),
      },
    );
    expect(tally.done).toBeGreaterThan(tally.refused);
    expect(tally.refused).toBeGreaterThan(0);
  },
  longestMs,
);

function startingPoint() {
  const [seed, ...path] = SEQUENCE?.split(':') ?? [];
  if (seed) return { seed: Number(seed), path: path.join(':') };
  return SEQUENCES === undefined ? { seed: 20_261_124 } : {};
}

async function start(): Promise<Scene> {
  await database.empty();
  for (const course of [single, ...comboCourses]) await writeModules(database.db, course);
  const world = new World(firstDay, discountHours);
  const { db } = database;
  const scene = { db, world, promises: new Promises(world), draw: drawFrom([0]), log: [], ...shelf };
  await sessionsToSell(scene);
  return scene;
}

async function explained(scene: Scene, name: string): Promise<Outcome> {
  try {
    const outcome = await (acts.get(name) ?? expect.unreachable())(scene);
    await agree(scene);
    await duePartsAgree(database.db);
    await paymentsJudgedRight(database.db);
    if (name === 'wait') {
      expect(await miscountedSessions(database.db)).toEqual([]);
      // What is added up now may change later: the sums hold with and without.
      if (scene.log.length % 2 === 0) await addUpFigures(database.db);
      await sumsAgree(database.db, { from: addDays(scene.world.today, -9), end: addDays(scene.world.today, -1) });
    }
    return outcome;
  } catch (error) {
    const { today } = scene.world;
    throw new Error(`${name} on ${today}, after ${scene.log.join(', ')}: ${inFull(error)}`, { cause: error });
  }
}

/** An error with where it was thrown and what was compared: vitest shows that of the outermost error only. */
function inFull(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const compared = 'actual' in error && 'expected' in error ? [error.actual, error.expected] : [];
  return [error.stack, ...compared.map((one) => JSON.stringify(one))].join('\n');
}

/** What every sequence is about was in this one. */
function hasAll({ world, promises, log }: Scene): void {
  const invoices = world.enrolments.map((enrolment) => new Set(promises.of(enrolment).map(({ debt }) => debt)).size);
  expect(Math.max(...invoices), 'invoices of one enrolment').toBeGreaterThanOrEqual(2);
  const mixed = world.enrolments.filter(
    ({ combo, places }) => combo && places.some(({ way }) => way === 'guided') && places.length >= 3,
  );
  expect(mixed.length, 'combos with a guided course').toBeGreaterThanOrEqual(1);
  expect(log, 'a session was moved and left a choice').toContain('moveForCertain: done');
  expect(log, 'a buyer moved late').toContain('lateMoveForCertain: done');
  expect(log, 'a buyer moved what a combo had left').toContain('withdrawnMoveForCertain: done');
}
