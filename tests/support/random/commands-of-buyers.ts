import { expect } from 'vitest';
import { addAttendee } from '#app/features/enrolments/add-attendee.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-enrolment.server.ts';
import { changeAttendee } from '#app/features/enrolments/change-attendee.server.ts';
import { correctBuyer } from '#app/features/enrolments/correct-buyer.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { keepPlace, transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { theBuyer, theProgram } from '#app/features/people/actor.ts';
import { openModule } from '#app/features/progress/open-module.server.ts';
import { attendee, orderOf } from '#tests/support/enrolments.ts';
import { addDays } from './calendar.ts';
import {
  type Buyer,
  buyerOf,
  choiceOf,
  drawPlace,
  drawToGive,
  drawWays,
  expectAnswer,
  momentOf,
  type Refusal,
  rememberBuyer,
  type Scene,
  seatsIn,
  tooManyUnpaid,
  transaction,
  untakeable,
  type Way,
} from './commands.ts';
import { learnPlaces, mondayFrom, priceToday } from './place.ts';
import { rememberAddress } from './place-reminders.ts';
import { type Outcome, reach, settleContract, single } from './stage.ts';
import type { Enrolment, Place, Session } from './world.ts';

let people = 0;
/** Somebody whom nobody else shares a name with. */
const newPerson = () => `Person ${++people}`;

export const priceOf = ({ world }: Scene, ways: readonly Way[], isCombo: boolean) =>
  ways.reduce((sum, { course }) => {
    const { price, saving } = priceToday(world, course, isCombo);
    return sum + price - saving;
  }, 0);

/** A new buyer, one of the same organisation as another, or one who bought before. */
function drawBuyer({ world, draw }: Scene): Buyer {
  const network = draw.of(['one network', 'one network', 'another network', null]) ?? null;
  const before = draw.of(world.enrolments);
  const kind = draw.below(4);
  if (before && kind === 0) return { ...buyerOf(before), network };
  const domain = kind < 3 ? `company-${kind}.example` : `company-of-${++people}.example`;
  return { email: `buyer-${++people}@${domain}`, domain, network };
}

/** Somebody enrols others, in a course or in a combo. */
export async function place(scene: Scene): Promise<Outcome> {
  const isCombo = scene.draw.chance(0.4);
  return placeFor(scene, drawBuyer(scene), drawWays(scene, isCombo), 1 + scene.draw.below(3));
}

/** Colleagues of one company enrol several people, until P28 makes it a request for staff. */
export async function placeColleagues(scene: Scene): Promise<Outcome> {
  const { world, draw } = scene;
  const domain = 'company-1.example';
  const buyer = { email: `buyer-${++people}@${domain}`, domain, network: 'one network' };
  const session = draw.of(world.sessions.filter(({ capacity }) => capacity > 8)) ?? null;
  const way = { course: single, session, monday: session ? null : mondayFrom(world.today, 3) };
  return placeFor(scene, buyer, [way], 2 + draw.below(3));
}

export async function placeFor(scene: Scene, buyer: Buyer, ways: readonly Way[], seats: number): Promise<Outcome> {
  const { db, world } = scene;
  const isCombo = ways.length > 1;
  const attendees = Array.from({ length: seats }, () => attendee({ name: newPerson() }));
  const choices = ways.map((way) => choiceOf(scene, way));
  const order = await orderOf(db, choices, {
    attendees,
    comboId: isCombo ? scene.comboId : null,
    buyer: { name: newPerson(), email: buyer.email, phone: null },
    network: buyer.network,
    shownCents: seats * priceOf(scene, ways, isCombo),
  });
  const refused = untakeable(scene, ways, seats) ?? tooManyUnpaid(scene, buyer, seats * seatsIn(ways));
  const result = await transaction(scene, (trx) => placeEnrolment(trx, order, momentOf(world)));
  expectAnswer(result, refused);
  if (!result.ok) return 'refused';
  const enrolment: Enrolment = {
    id: result.enrolmentId,
    reference: result.reference,
    email: buyer.email,
    token: result.token,
    combo: isCombo,
    places: [],
    paid: 0,
    refunded: 0,
  };
  rememberBuyer(enrolment, buyer);
  world.enrolments.push(enrolment);
  await learnWays(scene, enrolment, ways);
  return 'done';
}

/** The new places are taken as they were chosen. */
export async function learnWays(scene: Scene, enrolment: Enrolment, ways: readonly Way[]): Promise<void> {
  const before = enrolment.places.length;
  await learnPlaces(scene, enrolment);
  for (const { course, session, monday } of enrolment.places.slice(before)) {
    expect(ways).toContainEqual({ course, session, monday });
  }
  reach(scene.world);
}

/** When attendees were added to each enrolment by its buyer, and when it was corrected: both have limits. */
const added = new WeakMap<Enrolment, number[]>();
/** What staff add counts for one of them. */
const addedByStaff = new WeakMap<Enrolment, number[]>();
const corrected = new WeakMap<Enrolment, number[]>();
const within = (hours: readonly number[], now: number, most: number) =>
  hours.filter((hour) => now - hour < most).length;

/** The buyer adds an attendee: a placement of its own, with today's price and its own invoice (P39). */
export async function add(scene: Scene): Promise<Outcome> {
  const enrolment = scene.draw.of(scene.world.enrolments);
  if (!enrolment) return 'nothing to act on';
  return addTo(scene, enrolment, drawWays(scene, enrolment.combo));
}

export async function addTo(scene: Scene, enrolment: Enrolment, ways: readonly Way[]): Promise<Outcome> {
  const { world } = scene;
  const hours = added.get(enrolment) ?? [];
  const most = Math.max(
    10,
    2 * new Set(enrolment.places.filter(({ active }) => active).map((one) => one.attendee)).size,
  );
  const limits = (): Refusal | null => {
    const byAll = [...hours, ...(addedByStaff.get(enrolment) ?? [])];
    if (within(byAll, world.hour, 1) >= 6) return { reason: 'too-many-added' };
    return within(hours, world.hour, 24) >= most ? { reason: 'too-many-mails', of: 'changes', most } : null;
  };
  const refused = untakeable(scene, ways, 1) ?? tooManyUnpaid(scene, buyerOf(enrolment), seatsIn(ways)) ?? limits();
  const addition = {
    enrolmentId: enrolment.id,
    choices: ways.map((way) => choiceOf(scene, way)),
    attendee: attendee({ name: newPerson() }),
    shownCents: priceOf(scene, ways, enrolment.combo),
    actor: theBuyer,
  };
  const result = await transaction(scene, (trx) => addAttendee(trx, addition, momentOf(world)));
  expectAnswer(result, refused);
  if (!result.ok) return 'refused';
  added.set(enrolment, [...hours, world.hour]);
  await learnWays(scene, enrolment, ways);
  return 'done';
}

/** Staff add a person, without the limits of a buyer, at the price of the contract where one place of it stands (P83). */
export async function addByStaff(scene: Scene): Promise<Outcome> {
  const { world, draw } = scene;
  const enrolment = draw.of(world.enrolments);
  if (!enrolment) return 'nothing to act on';
  const ways = drawWays(scene, enrolment.combo);
  const addition = {
    enrolmentId: enrolment.id,
    choices: ways.map((way) => choiceOf(scene, way)),
    attendee: attendee({ name: null }),
    shownCents: priceOf(scene, ways, enrolment.combo),
    atContractPrice: !enrolment.combo,
    actor: theProgram,
  };
  const result = await transaction(scene, (trx) => addAttendee(trx, addition, momentOf(world)));
  expectAnswer(result, untakeable(scene, ways, 1));
  if (!result.ok) return 'refused';
  addedByStaff.set(enrolment, [...(addedByStaff.get(enrolment) ?? []), world.hour]);
  await learnWays(scene, enrolment, ways);
  return 'done';
}

/** The buyer cancels some places of an enrolment; of a single course the refund is known before (P31, P40). */
export async function cancel(scene: Scene): Promise<Outcome> {
  const { draw } = scene;
  const moved = draw.chance(0.4) ? drawPlace(scene, (one) => one.active && one.moves.length > 0) : undefined;
  const found = moved ?? drawPlace(scene, (one) => one.active);
  if (!found) return 'nothing to act on';
  const { enrolment } = found;
  const active = enrolment.places.filter((one) => one.active);
  const chosen = active.filter(() => draw.chance(0.5));
  return cancelThese(scene, enrolment, chosen.length > 0 ? chosen : active.slice(0, 1));
}

export async function cancelThese(scene: Scene, enrolment: Enrolment, places: readonly Place[]): Promise<Outcome> {
  const { world } = scene;
  const refunds = new Map(places.map((one) => [one.id, world.ladder(one)]));
  const back = [...refunds.values()].reduce((sum, cents) => sum + cents, 0);
  const cancelling = (shownCents: number | null) =>
    transaction(scene, (trx) =>
      cancelPlaces(
        trx,
        { enrolmentId: enrolment.id, placeIds: places.map(({ id }) => id), why: 'buyer', shownCents },
        momentOf(world),
      ),
    );
  if (!enrolment.combo) {
    const changed = { reason: 'refund-changed', shownCents: back + 1, nowCents: back };
    expectAnswer(await cancelling(back + 1), changed);
  }
  const result = await cancelling(enrolment.combo ? null : back);
  expectAnswer(result, null);
  if (result.ok && !enrolment.combo) {
    expect(new Map(result.refunds.map(({ placeId, cents }) => [placeId, cents]))).toEqual(refunds);
  }
  await settleContract(scene, enrolment, world.cancel(enrolment, places, 'ladder'));
  return 'done';
}

/** The buyer moves a place to another date of its course: once before the first day, or because the academy caused it. */
export async function move(scene: Scene): Promise<Outcome> {
  const { world, draw } = scene;
  // Seats of a course that people wait for may be kept for them.
  const fits = ({ way, course }: Place) => way === 'session' && course !== 'ccsp';
  // A move in the last two weeks costs a part of the refund (P40).
  const isSoon = ({ session }: Place) => session !== null && session.startsOn <= addDays(world.today, 13);
  const soon = draw.chance(0.6) ? drawPlace(scene, (one) => one.active && fits(one) && isSoon(one)) : undefined;
  const found = soon ?? drawPlace(scene, fits);
  const to = found && draw.of(world.sessions.filter(({ course }) => course === found.place.course));
  return found && to ? moveTo(scene, found.enrolment, found.place, to) : 'nothing to act on';
}

export async function moveTo(scene: Scene, enrolment: Enrolment, one: Place, to: Session): Promise<Outcome> {
  const { world } = scene;
  const transfer = { enrolmentId: enrolment.id, placeId: one.id, toSessionId: to.id, actor: theBuyer } as const;
  const result = await transaction(scene, (trx) => transferPlace(trx, transfer, momentOf(world)));
  expectAnswer(result, immovable(scene, one, to));
  if (!result.ok || !one.session) return 'refused';
  if (one.choice === null) {
    one.moves.push({ hour: world.hour, startsOn: one.session.startsOn, state: one.session.state });
    one.freeMoveUsed = true;
  }
  world.giveBack(one);
  Object.assign(one, { id: result.placeId, session: to, choice: null });
  world.sell(one);
  reach(world);
  return 'done';
}

function immovable(scene: Scene, one: Place, to: Session): Refusal | null {
  if (!one.active) return { reason: 'not-active' };
  if (to === one.session) return { reason: 'same-session' };
  const untaken = untakeable(scene, [{ course: to.course, session: to, monday: null }], 1);
  if (untaken && untaken.reason !== 'session-full') return { reason: untaken.reason };
  if (one.choice === null) {
    if (one.session && one.session.startsOn <= scene.world.today) return { reason: 'begun' };
    if (one.freeMoveUsed) return { reason: 'moved-before' };
  }
  return untaken ? { reason: 'session-full', left: 0 } : null;
}

/** The buyer keeps a place: only one whose session was moved can be kept by saying so. */
export async function keep(scene: Scene): Promise<Outcome> {
  const found = drawPlace(scene, ({ choice }) => choice !== null) ?? drawPlace(scene, () => true);
  if (!found) return 'nothing to act on';
  const { enrolment, place: one } = found;
  const kept = await transaction(scene, (trx) =>
    keepPlace(trx, { enrolmentId: enrolment.id, placeId: one.id }, momentOf(scene.world)),
  );
  expect(kept).toBe(one.choice?.why === 'moved');
  if (!kept) return 'refused';
  one.choice = null;
  return 'done';
}

/** Another person attends: free, and no move. */
export async function rename(scene: Scene): Promise<Outcome> {
  const found = drawToGive(scene);
  if (!found) return 'nothing to act on';
  const { enrolment, place: one } = found;
  const name = newPerson();
  const email = scene.draw.chance(0.5) ? `attendee-${people}@elsewhere.example` : null;
  const change = { enrolmentId: enrolment.id, attendeeId: one.attendee, attendee: attendee({ name, email }) };
  // Staff have no limits; those of buyers are tested by themselves.
  const result = await transaction(scene, (trx) =>
    changeAttendee(trx, { ...change, actor: theProgram }, momentOf(scene.world)),
  );
  expect(result).toEqual({ ok: true, changed: true });
  rememberAddress(scene.world, one.attendee, email);
  return 'done';
}

/** The buyer's details are corrected: notes take back what is open, and new invoices are for the same debts. */
export async function correct(scene: Scene): Promise<Outcome> {
  const { world, draw } = scene;
  const enrolment = draw.of(world.enrolments);
  if (!enrolment) return 'nothing to act on';
  const hours = corrected.get(enrolment) ?? [];
  const refused = within(hours, world.hour, 24) >= 3 ? { reason: 'too-many-mails', of: 'corrections' } : null;
  const payer = { kind: 'person', address: `${++people} George Street, Brisbane` } as const;
  const correction = { enrolmentId: enrolment.id, name: newPerson(), phone: null, payer, actor: theBuyer };
  const result = await transaction(scene, (trx) => correctBuyer(trx, correction, momentOf(world)));
  expectAnswer(result, refused);
  if (!result.ok) return 'refused';
  corrected.set(enrolment, [...hours, world.hour]);
  return 'done';
}

/** The attendee of a guided place opens its next module. */
export async function study(scene: Scene): Promise<Outcome> {
  const found = drawPlace(scene, ({ active, way, opened, modules }) => active && way === 'guided' && opened < modules);
  if (!found) return 'nothing to act on';
  const { enrolment, place: one } = found;
  const opening = { enrolmentId: enrolment.id, attendeeId: one.attendee, placeId: one.id, module: one.opened + 1 };
  const result = await transaction(scene, (trx) => openModule(trx, { ...opening, early: true }, momentOf(scene.world)));
  if (!result.ok) {
    expect(result.reason).toBe('overdue');
    return 'refused';
  }
  expect(result.asked).toBe(false);
  one.opened += 1;
  return 'done';
}
