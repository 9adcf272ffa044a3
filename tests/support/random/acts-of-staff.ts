import { signInStaff } from '#tests/support/staff.ts';
import { learnMove } from './acts-of-buyers.ts';
import { same } from './agree.ts';
import { addDays, single } from './model.ts';
import { type Done, openDates, type Stage, staffActs, wordsOf } from './stage.ts';

const dollars = (cents: number) => (cents / 100).toFixed(2);
const dayOf = ({ model }: Stage) => model.today;

/** Money comes in: all that is owed, a part of it, or too much. */
export async function pay(stage: Stage): Promise<Done> {
  const { model, draw } = stage;
  const enrolment = draw.of(model.enrolments.filter((one) => model.owed(one) > 0));
  if (!enrolment) return null;
  const owed = model.owed(enrolment);
  const cents = draw.of([owed, owed, Math.ceil(owed / 3), owed + 5000]) ?? owed;
  const payment = { amount: dollars(cents), day: dayOf(stage), method: 'bank', words: `Transfer ${model.now}` };
  const response = await staffActs(stage, `/staff/enrolments/${enrolment.reference}`, 'payment', payment);
  same(`pay ${await wordsOf(response)}`, response.status, 303);
  enrolment.paid += cents;
  return `pay ${cents} of ${owed} for ${enrolment.reference}`;
}

/** Staff send back what was paid too much. */
export async function sendRefund(stage: Stage): Promise<Done> {
  const { model, draw, db } = stage;
  const enrolment = draw.of(model.enrolments.filter((one) => model.owed(one) < 0));
  if (!enrolment) return null;
  const payments = await db
    .selectFrom('payments')
    .select(['id', 'amount_cents'])
    .where('enrolment_id', '=', enrolment.id)
    .execute();
  const refunds = await db.selectFrom('refunds').select(['payment_id', 'amount_cents']).execute();
  const open = payments.map(({ id, amount_cents }) => ({
    id,
    left: refunds.filter((one) => one.payment_id === id).reduce((left, one) => left - one.amount_cents, amount_cents),
  }));
  const payment = open.find(({ left }) => left > 0);
  const cents = Math.min(payment?.left ?? 0, -model.owed(enrolment));
  const refund = { payment: String(payment?.id), refunded: dollars(cents), sentOn: dayOf(stage), why: 'Paid too much' };
  const response = await staffActs(stage, `/staff/enrolments/${enrolment.reference}`, 'refund', refund);
  same(`refund ${await wordsOf(response)}`, response.status, 303);
  enrolment.refunded += cents;
  return `send back ${cents} of ${enrolment.reference}`;
}

/** Staff give back all of one place, also of one course of a combo, with a reason. */
export async function cancelInFull(stage: Stage): Promise<Done> {
  const { model, draw } = stage;
  const enrolment = draw.of(model.enrolments.filter((one) => model.activeOf(one).length > 0));
  const place = enrolment && draw.of(model.activeOf(enrolment));
  if (!enrolment || !place) return null;
  const path = `/staff/enrolments/${enrolment.reference}/cancel?place=${place.id}`;
  const response = await staffActs(stage, path, 'cancel', { how: 'full', reason: 'Illness' });
  same(`cancel in full ${await wordsOf(response)}`, response.status, 303);
  const cents = place.charge;
  model.cancelInFull(place);
  return `staff cancel ${place.id} of ${enrolment.reference} in full: ${cents} back`;
}

/** Staff move a place, at its buyer's wish or not: as often as they like. */
export async function moveByStaff(stage: Stage): Promise<Done> {
  const { model, draw } = stage;
  const enrolment = draw.of(model.enrolments.filter((one) => model.activeOf(one).some(({ date }) => date)));
  const place = enrolment && draw.of(model.activeOf(enrolment).filter(({ date }) => date));
  const to = place && draw.of(model.openDates(place.course).filter((date) => date !== place.date));
  if (!enrolment || !place || !to) return null;
  const asked = draw.chance(0.5);
  const fields = { courseDate: String(to.id), because: asked ? 'asked' : 'us' };
  const path = `/staff/enrolments/${enrolment.reference}/places/${place.id}/transfer`;
  const response = await staffActs(stage, path, 'transfer', fields);
  const may = model.free(to) > 0;
  const what = `staff move ${place.id} of ${enrolment.reference} to ${to.startsOn}${asked ? ' as asked' : ''}`;
  same(`${what} ${await wordsOf(response)}`, response.status, may ? 303 : 409);
  if (!may) return `${what}: refused`;
  model.move(enrolment, place, to, asked);
  await learnMove(stage, place);
  return what;
}

/** The academy cancels a date, confirms it, or moves it to other days or by half an hour. */
export async function changeDate(stage: Stage): Promise<Done> {
  const { model, draw } = stage;
  const open = model.dates.filter((one) => model.isOpen(one));
  const date = draw.of(open.filter((one) => draw.chance(0.3) || model.sold(one) > 0));
  if (!date) return null;
  const path = `/staff/course-dates/${date.slug}`;
  const tentative = date.state === 'tentative';
  const change = draw.of(tentative ? ['confirm', 'cancel'] : ['days', 'days', 'time', 'cancel']);
  if (change === 'confirm' || change === 'cancel') {
    const response = await staffActs(stage, `${path}/${change}`, change, { reason: '' });
    same(`${change} ${await wordsOf(response)}`, response.status, 303);
    date.state = change === 'confirm' ? 'confirmed' : 'cancelled';
    if (change === 'cancel') model.askToChoose(date);
    return `${change} date ${date.id} of ${date.startsOn}`;
  }
  const row = await stage.db.selectFrom('course_dates').selectAll().where('id', '=', date.id).executeTakeFirstOrThrow();
  const before = date.startsOn;
  const early = row.starts_at.startsWith('09:00') === (change === 'days');
  const startsOn = change === 'days' ? addDays(before, draw.of([1, 3, 7]) ?? 1) : before;
  const response = await staffActs(stage, `${path}/move`, 'move', {
    startDate: startsOn,
    endDate: addDays(startsOn, 4),
    startTime: early ? '09:00' : '09:30',
    endTime: early ? '17:00' : '17:30',
    breakMinutes: String(row.break_minutes),
    ...{ delivery: row.delivery, venue: '', instructor: row.instructor_slug, reason: '' },
    enrolmentEnds: addDays(startsOn, -1),
    decidedBy: row.decided_by ?? '',
  });
  same(`move the date ${await wordsOf(response)}`, response.status, 303);
  Object.assign(date, { startsOn, early });
  if (startsOn !== before) model.askToChoose(date);
  return `move date ${date.id} from ${before} to ${startsOn}`;
}

/** Staff change how many seats a date has: never below what is sold and offered (P27). */
export async function resize(stage: Stage): Promise<Done> {
  const { model, draw } = stage;
  const date = draw.of(model.dates.filter((one) => model.isOpen(one)));
  const capacity = (date?.capacity ?? 0) + (draw.of([-2, -1, 1, 1, 2]) ?? 1);
  if (!date || capacity < date.minimum) return null;
  const may = capacity >= date.capacity - model.free(date);
  const response = await staffActs(stage, `/staff/course-dates/${date.slug}`, 'resize', { capacity: String(capacity) });
  const what = `resize date ${date.id} from ${date.capacity} to ${capacity}`;
  same(`${what} ${await wordsOf(response)}`, response.status, may ? 303 : 409);
  if (!may) return `${what}: refused`;
  date.capacity = capacity;
  return what;
}

/** A course gets another price; contracts keep theirs (P30). */
export async function changePrice(stage: Stage): Promise<Done> {
  const { academy, model, draw } = stage;
  const course = draw.of([...model.prices.keys()]);
  if (!course) return null;
  model.now += 90_000;
  academy.setNow(new Date(model.now));
  // While a combo is on promotion the prices of its courses do not rise (P47).
  const cents = model.priceOf(course) + (draw.of(course === single ? [-10_000, 10_000, 3_300] : [-3_300, -1_250]) ?? 0);
  const price = { price: dollars(cents), original: '', from: '', note: '' };
  const response = await staffActs(stage, `/staff/prices/${course}`, 'price', price);
  same(`price ${await wordsOf(response)}`, response.status, 303);
  model.prices.set(course, cents);
  return `price of ${course}: ${cents}`;
}

/** Time passes, often until the last day of a step of the ladder; the jobs run after every act. */
export async function timePasses(stage: Stage): Promise<Done> {
  const { academy, model, draw } = stage;
  const left = model.places.filter(({ active }) => active).map((place) => model.daysLeft(place));
  const toEdge = left.flatMap((days) => [days - 14, days - 7]).filter((days) => days > 0 && days < 6);
  const hours = draw.chance(0.5) ? 24 * (draw.of(toEdge) ?? 1) : (draw.of([1, 20, 23, 25, 49, 73, 121]) ?? 1);
  // Never so long to the minute as a period of the rules.
  model.now += hours * 3_600_000 + (1 + draw.below(40)) * 60_000;
  academy.setNow(new Date(model.now));
  // Sign-ins of staff end after some hours.
  stage.staff = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  await openDates(stage);
  return `${hours} hours pass: ${model.today}`;
}
