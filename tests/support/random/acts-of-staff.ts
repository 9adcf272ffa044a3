import { expect } from 'vitest';
import { carriedBy } from '#tests/support/staff.ts';
import { addDays, type Day } from './calendar.ts';
import {
  cancellable,
  confirm,
  type Fields,
  type Outcome,
  openFor,
  owed,
  reach,
  type Stage,
  settleContract,
  staffActs,
  wordsOf,
} from './stage.ts';
import type { World } from './world.ts';

/** Staff cancel places, by the ladder or in full. */
export async function cancelByStaff(stage: Stage): Promise<Outcome> {
  const { world, draw } = stage;
  const found = draw.of(cancellable(stage));
  const one = found && draw.of(found.places);
  if (!found || !one) return 'nothing to act on';
  const { enrolment } = found;
  const full = draw.chance(0.4);
  const path = `/staff/enrolments/${enrolment.reference}/cancel?place=${one.id}`;
  const how: Fields = full ? { how: 'full', reason: 'Illness' } : { how: 'ladder', reason: '' };
  const response = await staffActs(stage, path, 'cancel', how);
  expect(response.status, `${path} ${await wordsOf(response)}`).toBe(303);
  await settleContract(stage, enrolment, world.cancel(enrolment, [one], full ? 'full' : 'ladder'));
  return 'done';
}

/** Money comes in: all that is owed, a part of it, or too much. */
export async function pay(stage: Stage): Promise<Outcome> {
  const { world, draw } = stage;
  const enrolment = draw.of(world.enrolments);
  if (!enrolment) return 'nothing to act on';
  const cents = draw.of([owed(enrolment), Math.ceil(owed(enrolment) / 3), owed(enrolment) + 5000]) ?? 0;
  if (cents <= 0) return 'nothing to act on';
  const response = await staffActs(stage, `/staff/enrolments/${enrolment.reference}`, 'payment', {
    amount: (cents / 100).toFixed(2),
    day: world.today,
    method: 'bank',
    words: `Transfer ${world.hour}`,
  });
  expect(response.status).toBe(303);
  enrolment.paid += cents;
  return 'done';
}

/** Staff send back what was paid too much. */
export async function refund(stage: Stage): Promise<Outcome> {
  const { academy, draw, world } = stage;
  const enrolment = draw.of(world.enrolments.filter((one) => owed(one) < 0));
  if (!enrolment) return 'nothing to act on';
  const payments = await academy.database.db
    .selectFrom('payments')
    .select(['id', 'amount_cents'])
    .where('enrolment_id', '=', enrolment.id)
    .execute();
  const refunds = await academy.database.db
    .selectFrom('refunds')
    .select(['payment_id', 'amount_cents'])
    .where('state', '=', 'sent')
    .execute();
  const open = payments.map(({ id, amount_cents }) => ({
    id,
    left: refunds.filter((one) => one.payment_id === id).reduce((left, one) => left - one.amount_cents, amount_cents),
  }));
  const payment = open.find(({ left }) => left > 0);
  if (!payment) return 'nothing to act on';
  const cents = Math.min(payment.left, -owed(enrolment));
  const response = await staffActs(stage, `/staff/enrolments/${enrolment.reference}`, 'refund', {
    payment: String(payment.id),
    refunded: (cents / 100).toFixed(2),
    sentOn: world.today,
    why: 'Paid too much',
  });
  expect(response.status).toBe(303);
  enrolment.refunded += cents;
  return 'done';
}

/** Staff lower the price of an invoiced place. */
export async function credit(stage: Stage): Promise<Outcome> {
  const { world, draw } = stage;
  const found = draw.of(
    world.enrolments.flatMap((enrolment) =>
      enrolment.places.flatMap((one) =>
        one.active && one.way !== 'next-date' && one.bare > 20_000 ? [{ enrolment, one }] : [],
      ),
    ),
  );
  if (!found) return 'nothing to act on';
  const cents = 1 + draw.below(20_000);
  const back = Math.max(0, cents - Math.max(0, owed(found.enrolment)));
  // What was paid goes back in an act of its own; here the discount stays below what is owed.
  if (back > 0) return 'nothing to act on';
  const response = await staffActs(stage, `/staff/enrolments/${found.enrolment.reference}/discount`, 'discount', {
    place: String(found.one.id),
    discount: (cents / 100).toFixed(2),
    discountWhy: 'The projector failed for a day',
    refundOf: '',
  });
  expect(response.status, await wordsOf(response)).toBe(303);
  found.one.bare -= cents;
  return 'done';
}

/** Staff move a session by some days, or by half an hour only; or they cancel or confirm it. */
export async function changeSession(stage: Stage): Promise<Outcome> {
  const { world, draw } = stage;
  const session = draw.of(
    world.sessions.filter(({ state, startsOn }) => state !== 'cancelled' && startsOn > addDays(world.today, 1)),
  );
  if (!session) return 'nothing to act on';
  const path = `/staff/sessions/${session.slug}`;
  const what = draw.of(['days', 'days', 'half an hour', 'half an hour', 'cancel', 'confirm'] as const);
  const inside = world.places.filter((one) => one.active && one.session === session);
  if (what === 'cancel' || what === 'confirm') {
    if (what === 'confirm' && session.state !== 'tentative') return 'nothing to act on';
    if (
      what === 'cancel' &&
      world.sessions.filter(({ course, state }) => course === session.course && state !== 'cancelled').length < 2
    )
      return 'nothing to act on';
    const response = await staffActs(stage, `${path}/${what}`, what, {});
    expect(response.status, await wordsOf(response)).toBe(303);
    if (what === 'confirm') confirm(world, session);
    else {
      session.state = 'cancelled';
      for (const one of inside) one.choice = { by: chooseBy(world, session.startsOn), why: 'cancelled' };
    }
    return 'done';
  }
  const days = what === 'days' ? (draw.of([-1, 1, 7, 14]) ?? 1) : 0;
  const startsOn = addDays(session.startsOn, days);
  if (startsOn <= addDays(world.today, 1)) return 'nothing to act on';
  if (session.state === 'tentative') return 'nothing to act on';
  const html = await (await stage.staff.get(`${path}/move`)).text();
  const half = /name="startTime"[^>]*value="09:00"|value="09:00"[^>]*name="startTime"/.test(html) ? '09:30' : '09:00';
  const response = await stage.staff.post(`${path}/move`, {
    ...carriedBy(html, 'move'),
    ...currentFields(html),
    startDate: startsOn,
    endDate: addDays(startsOn, 4),
    enrolmentEnds: addDays(startsOn, -1),
    ...(days === 0 && { startTime: half }),
  });
  expect(response.status, await wordsOf(response)).toBe(303);
  session.startsOn = startsOn;
  if (days !== 0) for (const one of inside) one.choice = { by: chooseBy(world, startsOn), why: 'moved' };
  return 'done';
}

/** Within 14 days, and before the first day unless that has come. */
export const chooseBy = (world: World, startsOn: Day): Day => {
  const latest = addDays(world.today, 14);
  return startsOn > world.today ? ([latest, addDays(startsOn, -1)].toSorted()[0] ?? latest) : latest;
};

/** The fields of the form of a session's dates, as the page has them. */
function currentFields(html: string): Fields {
  const form = html.slice(html.indexOf('name="act" value="move"'));
  const inputOf = (name: string) =>
    new RegExp(`name="${name}"[^>]*? value="([^"]*)"`).exec(form)?.[1] ??
    new RegExp(`value="([^"]*)"[^>]*? name="${name}"`).exec(form)?.[1] ??
    '';
  const selected = (name: string) =>
    new RegExp(`name="${name}".*?<option (?:value="([^"]*)" selected|selected="" value="([^"]*)")`, 's')
      .exec(form)
      ?.slice(1)
      .find((value) => value !== undefined) ?? '';
  return {
    startTime: inputOf('startTime'),
    endTime: inputOf('endTime'),
    breakMinutes: inputOf('breakMinutes'),
    delivery: selected('delivery') || 'online',
    venue: inputOf('venue'),
    instructor: selected('instructor'),
    decidedBy: inputOf('decidedBy'),
  };
}

/** Staff give the places that wait for a date of a course their date. */
export async function giveDate(stage: Stage): Promise<Outcome> {
  const { world, draw } = stage;
  const found = draw.of(
    world.enrolments.flatMap((enrolment) =>
      enrolment.places.flatMap((one) => (one.active && one.way === 'next-date' ? [{ enrolment, one }] : [])),
    ),
  );
  if (!found) return 'nothing to act on';
  const { enrolment, one } = found;
  const waiting = enrolment.places.filter(
    (other) => other.active && other.way === 'next-date' && other.course === one.course,
  );
  const to = draw.of(
    openFor(stage, one.course).filter((session) => session.capacity - world.sold(session) >= waiting.length),
  );
  if (!to) return 'nothing to act on';
  const path = `/staff/enrolments/${enrolment.reference}/places/${one.id}/transfer`;
  const response = await staffActs(stage, path, 'transfer', { session: String(to.id) });
  expect(response.status, await wordsOf(response)).toBe(303);
  for (const other of waiting) {
    Object.assign(other, { way: 'session', session: to });
    world.sell(other);
  }
  reach(world);
  return 'done';
}
