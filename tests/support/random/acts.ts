import { expect } from 'vitest';
import { makeLinkToken } from '#app/features/enrolments/links.server.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import { until } from '#scripts/support/until.ts';
import type { AcademyApp } from '#tests/support/academy-app.ts';
import { visitor } from '#tests/support/enrolling.ts';
import { makeSession } from '#tests/support/enrolments.ts';
import { carriedBy, type SignedIn } from '#tests/support/staff.ts';
import { charge, type Enrolment, type Place, type Session, type World } from './world.ts';

type Fields = Record<string, string>;
export type Draw = {
  below(limit: number): number;
  of<T>(from: readonly T[]): T | undefined;
  chance(of: number): boolean;
};
export type Stage = { academy: AcademyApp; staff: SignedIn; world: World; draw: Draw };

/** What an act did, for the log of a run; `refused` is an answer that the model expected as well. */
export type Outcome = 'done' | 'refused' | 'nothing to act on';

/** The course of two that are sold together, and the one that is taken alone. */
export const single = 'cissp';
export const combo = 'cloud-defender';
export const comboCourses = ['aws-cloud-practitioner', 'aws-security-specialty', 'ccsp'];

const hiddenOf = (html: string, after = '') => {
  const from = after === '' ? 0 : html.indexOf(after);
  const form = html.slice(from, html.indexOf('</form>', from));
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&'),
    ]),
  );
};

/** Never an unexpected fault: what is refused is refused in words. */
export async function answered(response: Response, what: string): Promise<Response> {
  expect(response.status, `${what}: ${response.status >= 500 ? await response.clone().text() : ''}`).toBeLessThan(500);
  return response;
}

async function buyerActs({ academy }: Stage, path: string, fields: Fields = {}, formId = ''): Promise<Response> {
  const page = await answered(await academy.request(path), `GET ${path}`);
  const own = hiddenOf(await page.text(), formId && `id="${formId}"`);
  const response = await academy.request(path, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ ...own, ...fields }),
  });
  return answered(response, `POST ${path}`);
}

async function staffActs({ staff }: Stage, path: string, act: string, fields: Fields): Promise<Response> {
  const html = await (await answered(await staff.get(path), `GET ${path}`)).text();
  const form = html.slice(html.indexOf(`name="act" value="${act}"`));
  const own = hiddenOf(`<form>${form}`);
  return answered(await staff.post(path, { ...own, ...carriedBy(html, act), ...fields }), `POST ${path} ${act}`);
}

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
    world.sessions.push({ id, slug, course, state, ...wish });
  }
  await shown(stage);
}

/** Waits until pages know the sessions, seats and states as the database has them. */
export async function shown({ academy, world }: Stage): Promise<void> {
  await until(() => {
    const known = academy.services.snapshot.current().sessions;
    return world.sessions.every((session) => {
      const one = known.find(({ slug }) => slug === session.slug);
      return (
        one?.startDate === session.startsOn && one.state === session.state && one.seatsSold === world.sold(session)
      );
    });
  });
}

const openFor = ({ world }: Stage, course: string) =>
  world.sessions.filter(
    (session) => session.course === course && session.state !== 'cancelled' && world.today < session.startsOn,
  );

/** The Mondays that are offered certainly: from the third one on. */
const mondayFrom = (today: Day, weeks: number): Day => {
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
  buyers += 1;
  const buyer = visitor(academy, `100.${64 + (buyers % 60)}.${buyers % 250}.7`);
  const email = `buyer@company-${buyers}.example`;
  const draft = await buyer.choose(isCombo ? `combo=${combo}` : `course=${single}`, fields);
  await buyer.fillIn(draft, email, { buyerName: `Buyer ${buyers}` });
  const placed = await answered(await buyer.place(draft), 'place');
  const token = /\?link=([^&]+)/.exec(placed.headers.get('Location') ?? '')?.[1] ?? '';
  expect([placed.status, token === '' ? await placed.text() : ''], JSON.stringify(fields)).toEqual([303, '']);
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

/** Sessions whose minimum is reached are confirmed by the sale. */
function reach(world: World): void {
  for (const session of world.sessions) {
    if (session.state === 'tentative' && world.sold(session) >= session.minimum) session.state = 'confirmed';
  }
}

/** Takes over places that an act has written; what they cost is checked against the course's own price. */
async function learnPlaces({ academy, world }: Stage, enrolment: Enrolment): Promise<void> {
  const rows = await academy.database.db
    .selectFrom('places')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['places.id', 'attendee_id', 'courses.slug', 'way', 'training_session_id', 'guided_from'])
    .select(['places.price_cents', 'discount_cents', 'courses.price_cents as own_price', 'curriculum'])
    .where('enrolment_id', '=', enrolment.id)
    .where('places.state', '=', 'active')
    .orderBy('places.id')
    .execute();
  for (const row of rows) {
    if (enrolment.places.some(({ id }) => id === row.id)) continue;
    expect(row.price_cents).toBe(row.own_price);
    expect(row.discount_cents > 0).toBe(enrolment.combo);
    enrolment.places.push({
      id: row.id,
      attendee: row.attendee_id,
      course: row.slug,
      way: row.way as Place['way'],
      session: world.sessions.find(({ id }) => id === row.training_session_id) ?? null,
      monday: row.guided_from,
      modules: Array.isArray(row.curriculum) ? row.curriculum.length : 1,
      opened: 0,
      discount: row.discount_cents,
      withdrawn: 0,
      bare: row.price_cents - row.discount_cents,
      used: 0,
      placedHour: world.hour,
      active: true,
      moves: [],
      freeMoveUsed: false,
      choice: null,
    });
    const learnt = enrolment.places.at(-1);
    if (learnt) world.sell(learnt);
  }
}

export const isOver = (world: World, place: Place) =>
  place.way === 'session'
    ? addDays(place.session?.startsOn ?? '9999-01-01', 4) < world.today
    : place.monday !== null && world.today >= world.accessEnds(place.monday);

/** Enrolments with places that their buyer may still cancel. */
const cancellable = ({ world }: Stage) =>
  world.enrolments.flatMap((enrolment) => {
    const places = enrolment.places.filter((place) => place.active && !isOver(world, place));
    return places.length > 0 ? [{ enrolment, places }] : [];
  });

/** The buyer cancels some of the places. */
export async function cancel(stage: Stage): Promise<Outcome> {
  const { world, draw } = stage;
  const found = draw.of(cancellable(stage));
  if (!found) return 'nothing to act on';
  const { enrolment } = found;
  const chosen = found.places.filter(() => draw.chance(0.5));
  const places = chosen.length > 0 ? chosen : found.places.slice(0, 1);
  const query = new URLSearchParams(places.map(({ id }) => ['place', String(id)]));
  const path = `/enrolment/${enrolment.token}/cancel?${query}`;
  const response = await buyerActs(stage, path, {}, 'cancel-form');
  expect(response.headers.get('Location'), path).toBe(`/enrolment/${enrolment.token}?done=cancelled`);
  await settleContract(stage, enrolment, world.cancel(enrolment, places, 'ladder'));
  return 'done';
}

/** What the contract costs is the model's; which kept course bears which part of it, the program says. */
export async function settleContract({ academy, world }: Stage, enrolment: Enrolment, expected: number): Promise<void> {
  const rows = await academy.database.db
    .selectFrom('places')
    .select(['id', 'withdrawn_cents as withdrawn'])
    .where('enrolment_id', '=', enrolment.id)
    .execute();
  for (const place of enrolment.places) {
    place.withdrawn = rows.find(({ id }) => id === place.id)?.withdrawn ?? 0;
    expect(place.withdrawn).toBeLessThanOrEqual(place.discount);
  }
  expect(world.contract(enrolment), 'what the contract costs').toBe(expected);
}

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
  expect(response.status, `${path} ${await response.clone().text()}`).toBe(303);
  await settleContract(stage, enrolment, world.cancel(enrolment, [one], full ? 'full' : 'ladder'));
  return 'done';
}

/** The buyer moves a place to another date of its course. */
export async function move(stage: Stage): Promise<Outcome> {
  const { world, draw, academy } = stage;
  const movable = world.enrolments.flatMap((enrolment) =>
    enrolment.places.flatMap((one) => (one.active && one.way === 'session' ? [{ enrolment, one }] : [])),
  );
  const found = draw.of(movable);
  const to = found && draw.of(openFor(stage, found.one.course).filter((one) => one !== found.one.session));
  if (!found?.one.session || !to) return 'nothing to act on';
  const { enrolment, one } = found;
  const full = world.sold(to) >= to.capacity;
  const allowed = (one.choice !== null || ((one.session?.startsOn ?? '') > world.today && !one.freeMoveUsed)) && !full;
  const path = `/enrolment/${enrolment.token}/transfer/${one.id}?to=${to.slug}`;
  const response = await buyerActs(stage, path, { to: String(to.id), place: String(one.id) }, '');
  const moved = response.headers.get('Location') === `/enrolment/${enrolment.token}?done=moved`;
  expect(moved, `${path} ${response.status}`).toBe(allowed);
  if (!moved) return 'refused';
  const { id } = await academy.database.db
    .selectFrom('places')
    .select('id')
    .where('transferred_from', '=', one.id)
    .executeTakeFirstOrThrow();
  if (one.choice === null) {
    one.moves.push({
      hour: world.hour,
      startsOn: one.session?.startsOn ?? '',
      state: one.session?.state ?? 'confirmed',
    });
    one.freeMoveUsed = true;
  }
  world.giveBack(one);
  Object.assign(one, { id, session: to, choice: null });
  world.sell(one);
  reach(world);
  return 'done';
}

/** The buyer adds an attendee: a placement of its own, with its own invoice. */
export async function add(stage: Stage): Promise<Outcome> {
  const { world, draw } = stage;
  const enrolment = draw.of(world.enrolments.filter(({ places }) => places.some(({ active }) => active)));
  if (!enrolment) return 'nothing to act on';
  const before = enrolment.places.length;
  const path = `/enrolment/${enrolment.token}/add`;
  const html = await (await stage.academy.request(path)).text();
  const ways = [
    ...html.matchAll(/<input(?=[^>]*type="radio")(?=[^>]*name="(way-\d+)")(?=[^>]*value="([^"]*)")[^>]*>/g),
  ];
  const chosen = Object.fromEntries(
    ways.filter(([input]) => !input.includes('disabled')).map(([, name = '', value = '']) => [name, value]),
  );
  const response = await buyerActs(stage, path, { ...chosen, 'name-1': `Guest ${world.hour}-${before}` }, 'add-form');
  await learnPlaces(stage, enrolment);
  const added = response.headers.get('Location') === `/enrolment/${enrolment.token}?done=added`;
  expect(enrolment.places.length > before, `${path} ${response.status}`).toBe(added);
  reach(world);
  return added ? 'done' : 'refused';
}

/** The buyer's details are corrected: notes take back what is open, new invoices take its place. */
export async function correct(stage: Stage): Promise<Outcome> {
  const enrolment = stage.draw.of(stage.world.enrolments);
  if (!enrolment) return 'nothing to act on';
  const response = await buyerActs(
    stage,
    `/enrolment/${enrolment.token}/details`,
    { buyerName: `Ada Byron ${stage.world.hour}`, phone: '', payer: 'person', address: '' },
    'details-form',
  );
  return response.status === 303 ? 'done' : 'refused';
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

/** What is owed on an enrolment: what was invoiced less what came in. */
export const owed = (enrolment: Enrolment) =>
  enrolment.places.filter(({ way }) => way !== 'next-date').reduce((sum, place) => sum + charge(place), 0) -
  enrolment.paid +
  enrolment.refunded;

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
  const response = await staffActs(stage, `/staff/enrolments/${found.enrolment.reference}`, 'credit', {
    place: String(found.one.id),
    credit: (cents / 100).toFixed(2),
    creditWhy: 'The projector failed for a day',
  });
  expect(response.status, await response.clone().text()).toBe(303);
  found.one.bare -= cents;
  return 'done';
}

/** The attendee of a guided place opens its next module. */
export async function openModule(stage: Stage): Promise<Outcome> {
  const { academy, world, draw } = stage;
  const found = draw.of(
    world.enrolments.flatMap((enrolment) =>
      enrolment.places.flatMap((one) =>
        one.active && one.way === 'guided' && !isOver(world, one) && one.opened < one.modules
          ? [{ enrolment, one }]
          : [],
      ),
    ),
  );
  if (!found) return 'nothing to act on';
  const { enrolment, one } = found;
  const token = await makeLinkToken(academy.database.db, enrolment.id, one.attendee);
  const html = await (await answered(await academy.request(`/place/${token}`), 'place page')).text();
  const path = `/place/${token}/${one.id}/module/${one.opened + 1}`;
  expect(html).toContain(path);
  const response = await buyerActs(stage, path, { early: 'on' });
  expect(response.status, `${path} ${await response.clone().text()}`).toBe(303);
  one.opened += 1;
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
    expect(response.status, await response.clone().text()).toBe(303);
    if (what === 'confirm') session.state = 'confirmed';
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
  expect(response.status, await response.clone().text()).toBe(303);
  session.startsOn = startsOn;
  if (days !== 0) for (const one of inside) one.choice = { by: chooseBy(world, startsOn), why: 'moved' };
  return 'done';
}

/** Within 14 days, and before the first day. */
const chooseBy = (world: World, startsOn: Day): Day =>
  [addDays(world.today, 14), addDays(startsOn, -1)].toSorted()[0] ?? world.today;

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

/** The buyer keeps a place whose session was moved. */
export async function keep(stage: Stage): Promise<Outcome> {
  const { world, draw } = stage;
  const found = draw.of(
    world.enrolments.flatMap((enrolment) =>
      enrolment.places.flatMap((one) => (one.active && one.choice?.why === 'moved' ? [{ enrolment, one }] : [])),
    ),
  );
  if (!found) return 'nothing to act on';
  const { enrolment, one } = found;
  const response = await buyerActs(stage, `/enrolment/${enrolment.token}/choose/${one.id}`, {}, 'keep-form');
  expect(response.headers.get('Location')).toBe(`/enrolment/${enrolment.token}?done=kept`);
  one.choice = null;
  return 'done';
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
  const path = `/staff/enrolments/${enrolment.reference}/transfer/${one.id}`;
  const response = await staffActs(stage, path, 'transfer', { session: String(to.id) });
  expect(response.status, await response.clone().text()).toBe(303);
  for (const other of waiting) {
    Object.assign(other, { way: 'session', session: to });
    world.sell(other);
  }
  reach(world);
  return 'done';
}
