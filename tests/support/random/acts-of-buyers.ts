import { expect } from 'vitest';
import { makeEnrolmentLink } from '#app/features/enrolments/links.server.ts';
import { draftOf } from '#scripts/support/enrolling.ts';
import { visitor } from '#tests/support/enrolling.ts';
import { withLinks } from '#tests/support/mail-links.ts';
import { same } from './agree.ts';
import {
  addDays,
  type CourseDate,
  combo,
  comboCourses,
  type Day,
  type Enrolment,
  type Entry,
  type Place,
  type Purchase,
  single,
} from './model.ts';
import { type Done, openForm, type Stage, wordsOf } from './stage.ts';

type Choice = { course: string; date: CourseDate | null; monday: Day | null };

let buyers = 0;
export const nextBuyer = () => {
  buyers += 1;
  const from = `100.${64 + (buyers % 60)}.${buyers % 250}.7`;
  return { from, email: `buyer@company-${buyers}.example`, name: `Buyer Number-${buyers}` };
};

/** A Monday that can be chosen certainly: it is the third one at least. */
const mondayAfter = (today: Day, weeks: number): Day => {
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
  return addDays(today, ((8 - weekday) % 7 || 7) + 7 * (1 + weeks));
};

/** One or two people enrol in a course or a combo, on dates or guided; on a full date they are refused (P27). */
export async function enrol(stage: Stage): Promise<Done> {
  const { academy, model, draw } = stage;
  const people = 1 + draw.below(2);
  const isCombo = draw.chance(0.4);
  const chosen = (isCombo ? comboCourses : [single]).map((course): Choice => {
    const dates = model.openDates(course).filter((date) => !isCombo || model.free(date) >= people);
    const date = draw.chance(0.25) ? undefined : draw.of(dates);
    return { course, date: date ?? null, monday: date ? null : mondayAfter(model.today, draw.below(3)) };
  });
  const fits = chosen.every(({ date }) => date === null || model.free(date) >= people);
  const fields = Object.fromEntries(
    chosen.flatMap(({ course, date, monday }) => [
      [`way-${course}`, date ? `course-date:${date.slug}` : 'guided'],
      ...(monday ? [[`monday-${course}`, monday]] : []),
    ]),
  );
  const buyer = nextBuyer();
  const browser = visitor(academy, buyer.from);
  const query = isCombo ? `combo=${combo}` : `course=${single}`;
  const choice = await browser.filled(`/enrol?${query}`, { attendees: String(people), ...fields });
  const draft = draftOf(await browser.post('/enrol', choice));
  const token = draft ? await placeDraft(stage, draft, buyer) : null;
  same(`enrolling ${people} in ${JSON.stringify(fields)}`, token !== null, fits);
  if (token === null) return `enrol ${people} on a full date: refused`;
  const discounts = model.comboDiscounts();
  const prices = new Map(
    chosen.map(({ course }) => [course, [model.priceOf(course), isCombo ? (discounts.get(course) ?? 0) : 0] as const]),
  );
  return learnEnrolment(stage, { email: buyer.email, token, people, chosen, prices });
}

type Buyer = ReturnType<typeof nextBuyer>;

/** Goes through the last steps; the token of the new enrolment, or null when it was refused. */
async function placeDraft({ academy }: Stage, draft: string, { from, email, name }: Buyer): Promise<string | null> {
  const browser = visitor(academy, from);
  const filled = await browser.fillIn(draft, email, { buyerName: name });
  if (!filled.headers.get('Location')?.includes('/review')) return null;
  const placed = await browser.place(draft);
  const done = placed.headers.get('Location');
  if (!done?.endsWith('/done')) return null;
  return /\/enrolment\/([0-9a-f]{48})/.exec(await (await browser.get(done)).text())?.[1] ?? null;
}

type Bought = {
  email: string;
  token: string;
  people: number;
  chosen: readonly Choice[];
  prices: ReadonlyMap<string, readonly [price: number, discount: number]>;
};

/** Takes a new enrolment into the model, with the ids that the program gave. */
export async function learnEnrolment(
  { db, model }: Stage,
  { email, token, people, chosen, prices }: Bought,
): Promise<Done> {
  const row = await db
    .selectFrom('enrolments')
    .select(['id', 'reference'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('places')
    .innerJoin('courses', 'courses.id', 'course_id')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .select(['places.id', 'attendee_id', 'courses.slug', 'course_date_id', 'guided_from', 'modules'])
    .select(['attendees.name', 'places.price_cents', 'discount_cents'])
    .where('places.enrolment_id', '=', row.id)
    .orderBy('attendee_id')
    .orderBy('places.id')
    .execute();
  const asBought = rows.map((one) => [one.slug, one.course_date_id, one.guided_from, one.price_cents]);
  const asChosen = Array.from({ length: people }, () =>
    chosen.map(({ course, date, monday }) => [course, date?.id ?? null, monday, prices.get(course)?.[0]]),
  ).flat();
  same(`what ${row.reference} bought`, asBought.map(String).sort(), asChosen.map(String).sort());
  const places = rows.map((one): Place => {
    const [price = 0, discount = 0] = prices.get(one.slug) ?? [];
    return {
      id: one.id,
      attendee: one.attendee_id,
      who: one.name,
      course: one.slug,
      date: chosen.find(({ course }) => course === one.slug)?.date ?? null,
      monday: one.guided_from,
      modules: Array.isArray(one.modules) ? one.modules.length : 0,
      opened: 0,
      charge: price - discount,
      discount,
      active: true,
      moved: false,
      cap: 1,
      chooseBy: null,
    };
  });
  const enrolment: Enrolment = {
    ...row,
    ...{ email, token, enrolledAt: model.now, combo: chosen.length > 1, paid: 0, refunded: 0, invoiced: 0 },
    people: [...Map.groupBy(places, ({ attendee }) => attendee).values()],
  };
  enrolment.invoiced = model.charged(enrolment);
  model.enrolments.push(enrolment);
  model.confirmReached();
  return `enrol ${people} for ${email} as ${row.reference}: ${places.map((one) => `${one.id} ${one.date?.startsOn ?? `guided ${one.monday}`}`).join(', ')}, ${enrolment.invoiced}`;
}

const pathOf = ({ token }: Enrolment) => `/enrolment/${token}`;
const leadsTo = (response: Response, { token }: Enrolment, done: string) =>
  response.headers.get('Location') === `/enrolment/${token}?done=${done}`;

/** The buyer cancels one or several purchases; what the page shows is what the rule gives. */
export async function cancel(stage: Stage): Promise<Done> {
  const { model, draw } = stage;
  const refused = draw.chance(0.2);
  const isWanted = (one: Purchase) => refused || model.mayCancel(one);
  const some = model.enrolments.filter((one) => model.purchasesOf(one).some(isWanted));
  const atEdge = model.atEdge().filter((one) => some.includes(one));
  const enrolment = draw.of(atEdge.length > 0 && draw.chance(0.5) ? atEdge : some);
  if (!enrolment) return null;
  const purchases = model.purchasesOf(enrolment);
  const open = purchases.filter((one) => model.mayCancel(one));
  const several = open.filter(() => draw.chance(0.5));
  const chosen = several.length > 0 ? several : open.slice(0, 1);
  const ids = (chosen.length > 0 ? chosen : purchases).flatMap(({ goes }) => goes.map(({ id }) => id));
  const cents = chosen.reduce((sum, one) => sum + model.refundOf(enrolment, one), 0);
  const what = `cancel ${ids} of ${enrolment.reference}`;
  const path = `${pathOf(enrolment)}/cancel?${new URLSearchParams(chosen.map(({ goes }) => ['place', String(goes.map(({ id }) => id))]))}`;
  const form = await openForm(stage, path, 'cancel-form');
  if (chosen.length === 0) {
    same(`${what}: refused`, (await form.send({ places: String(ids), shown: '0' })).status, 409);
    return `${what}: refused`;
  }
  same(`${what}: refund on the page`, Number(form.own.shown), cents);
  const response = await form.send({ places: String(ids) });
  same(`${what} ${await wordsOf(response)}`, leadsTo(response, enrolment, 'cancelled'), true);
  for (const one of chosen) model.cancel(enrolment, one);
  return `${what}: ${cents} back`;
}

/** The buyer moves a place to another date: once before the first day, or because the academy changed the date. */
export async function move(stage: Stage): Promise<Done> {
  const { model, draw, db } = stage;
  const refused = draw.chance(0.2);
  const isWanted = (place: Place) => place.date !== null && (refused || model.mayMove(place));
  const movable = model.enrolments.flatMap((enrolment) =>
    model.activeOf(enrolment).flatMap((place) => (isWanted(place) ? [{ enrolment, place }] : [])),
  );
  const { enrolment, place } =
    draw.of(movable.filter((one) => one.place.chooseBy !== null && draw.chance(0.6))) ?? draw.of(movable) ?? {};
  const to = place && draw.of(model.openDates(place.course).filter((date) => date !== place.date));
  if (!enrolment || !place || !to) return null;
  const what = `move ${place.id} of ${enrolment.reference} from ${place.date?.startsOn} to ${to.startsOn}`;
  const form = await openForm(stage, `${pathOf(enrolment)}/transfer/${place.id}?to=${to.slug}`, 'transfer-form');
  const response = await form.send();
  const may = model.mayMove(place) && model.free(to) > 0;
  same(`${what} ${await wordsOf(response)}`, leadsTo(response, enrolment, 'moved'), may);
  if (!may) return `${what}: refused`;
  model.move(enrolment, place, to, true);
  await learnMove({ db }, place);
  return `${what}: at most ${place.cap} back`;
}

/** The place that follows one that was moved has an id of its own. */
export async function learnMove({ db }: Pick<Stage, 'db'>, place: Place): Promise<void> {
  const row = await db
    .selectFrom('places')
    .select('id')
    .where('transferred_from', '=', place.id)
    .executeTakeFirstOrThrow();
  place.id = row.id;
}

let guests = 0;
/** A name that has no word in common with another: digits are no part of a word. */
const nameOf = (number: number): string => {
  const word = [Math.floor(number / 26), number % 26].map((at) => String.fromCharCode(97 + at)).join('');
  return `G${word} F${word}`;
};

/** The buyer gives what a person attends to somebody else; what has begun stays (P100). */
export async function giveAway(stage: Stage): Promise<Done> {
  const { model, draw, db } = stage;
  const enrolment = draw.of(model.enrolments.filter((one) => model.activeOf(one).length > 0));
  const someone = enrolment && draw.of(model.activeOf(enrolment));
  if (!enrolment || !someone) return null;
  const places = model.activeOf(enrolment).filter(({ attendee }) => attendee === someone.attendee);
  const kept = someone.who === null ? [] : places.filter((place) => model.isKept(place));
  const given = places.filter((place) => !kept.includes(place));
  guests += 1;
  const name = nameOf(guests);
  const what = `give ${places.map(({ id }) => id)} of ${enrolment.reference} to ${name}`;
  const form = await openForm(stage, `${pathOf(enrolment)}/attendee/${someone.attendee}`, 'attendee-form');
  const response = await form.send({ 'name-1': name, 'email-1': `guest@home-${guests}.example` });
  same(`${what} ${await wordsOf(response)}`, leadsTo(response, enrolment, 'named'), given.length > 0);
  if (given.length === 0) return `${what}: refused`;
  for (const place of given) place.who = name;
  for (const place of kept) {
    const row = db.selectFrom('places').select('attendee_id').where('id', '=', place.id);
    place.attendee = (await row.executeTakeFirstOrThrow()).attendee_id;
  }
  return `${what}: ${kept.length} kept`;
}

/** The buyer keeps a place whose date the academy moved. */
export async function keep(stage: Stage): Promise<Done> {
  const { model, draw } = stage;
  const isMoved = ({ chooseBy, date }: Place) => chooseBy !== null && date?.state !== 'cancelled';
  const enrolment = draw.of(model.enrolments.filter((one) => model.activeOf(one).some(isMoved)));
  const place = enrolment && draw.of(model.activeOf(enrolment).filter(isMoved));
  if (!enrolment || !place) return null;
  const response = await (await openForm(stage, `${pathOf(enrolment)}/choose/${place.id}`, 'keep-form')).send();
  same(`keep ${place.id}`, leadsTo(response, enrolment, 'kept'), true);
  place.chooseBy = null;
  return `keep ${place.id} of ${enrolment.reference}`;
}

/** A learner opens the next module. Whose invoice is overdue may not (P105); the model has no days on which one is due. */
export async function openModule(stage: Stage): Promise<Done> {
  const { model, draw, db } = stage;
  const isStudied = ({ course, monday, opened, modules }: Place) =>
    course === single && monday !== null && opened < modules;
  const enrolment = draw.of(model.enrolments.filter((one) => model.activeOf(one).some(isStudied)));
  const place = enrolment && draw.of(model.activeOf(enrolment).filter(isStudied));
  if (!enrolment || !place) return null;
  const token = await makeEnrolmentLink(db, enrolment.id, place.attendee);
  const form = await openForm(stage, `/place/${token}/${place.id}/module/${place.opened + 1}`, 'open-form');
  const response = await form.send({ early: 'yes' });
  const words = await wordsOf(response);
  const isOverdue = model.owed(enrolment) > 0 && words.includes('The invoice for this place is overdue.');
  expect(response.status, words).toBe(isOverdue ? 409 : 303);
  if (isOverdue) return `open a module of ${place.id}: overdue`;
  place.opened += 1;
  return `open module ${place.opened} of ${place.id}`;
}

/** Somebody waits for seats of a date that has too few; of one that has enough they are told to enrol (P48). */
export async function join({ academy, model, draw, db }: Stage): Promise<Done> {
  const dates = model.dates.filter((date) => model.isOpen(date) && date.course === single);
  const date = draw.of(dates.filter((one) => model.free(one) < 2)) ?? draw.of(dates);
  if (!date) return null;
  // Mostly as few as are not free.
  const seats = draw.chance(0.8) ? model.free(date) + 1 : 1 + draw.below(3);
  const { email, name, from } = nextBuyer();
  const list = `/waiting-list?courseDate=${date.slug}`;
  const browser = visitor(academy, from);
  const form = await browser.filled(list, { name, email, seats: String(seats) });
  // Nobody fills in a form at once.
  academy.setNow(new Date(model.now + 5000));
  const response = await browser.post(list, form);
  academy.setNow(new Date(model.now));
  const fits = seats > model.free(date) && seats <= date.capacity;
  const what = `wait for ${seats} of ${date.startsOn} as ${email}`;
  same(`${what} ${await wordsOf(response)}`, response.headers.get('Location'), fits ? `${list}&joined=1` : null);
  if (!fits) return `${what}: refused`;
  const entry: Entry = { email, date, seats, confirmed: draw.chance(0.7), state: 'waiting', price: 0, offeredAt: 0 };
  if (entry.confirmed) await press({ academy, db, model }, entry, 'waiting-joined', 'confirm');
  model.entries.push(entry);
  return entry.confirmed ? what : `${what}: not confirmed`;
}

/** Presses a button of the page behind the link of a mail; where that leads. */
async function press(
  { academy, db, model }: Pick<Stage, 'academy' | 'db' | 'model'>,
  { email }: Entry,
  kind: string,
  intent: string,
): Promise<string> {
  const { body_text } = await db
    .selectFrom('mails')
    .select('body_text')
    .where('recipient', '=', email)
    .where('kind', '=', kind)
    .orderBy('queued_at', 'desc')
    .executeTakeFirstOrThrow();
  const words = await withLinks(db, body_text, { now: new Date(model.now) });
  const link = /\/waiting\/[0-9a-f]{48}/.exec(words)?.[0] ?? 'none';
  const response = await (await openForm({ academy }, link, 'waiting-entry')).send({ intent });
  expect(response.status, `${intent} ${await wordsOf(response)}`).toBe(303);
  return response.headers.get('Location') ?? '';
}

/** Somebody who waits accepts or declines an offer, or leaves the list. */
export async function answerOffer(stage: Stage): Promise<Done> {
  const { model, draw } = stage;
  const entry =
    draw.of(model.entries.filter(({ state }) => state === 'offered')) ??
    draw.of(model.entries.filter(({ state, confirmed }) => state === 'waiting' && confirmed && draw.chance(0.2)));
  if (!entry) return null;
  const { email, date, seats } = entry;
  if (entry.state === 'waiting') {
    await press(stage, entry, 'waiting-joined', 'leave');
    entry.state = 'left';
    return `leave the list as ${email}`;
  }
  if (draw.chance(0.3)) {
    await press(stage, entry, 'waiting-offer', 'decline');
    entry.state = 'declined';
    return `decline ${seats} of ${date.startsOn} as ${email}`;
  }
  const draft = draftOf(
    new Response(null, { headers: { Location: await press(stage, entry, 'waiting-offer', 'accept') } }),
  );
  const number = /\d+/.exec(email)?.[0] ?? '';
  const buyer = { email, name: `Buyer Number-${number}`, from: `101.64.${Number(number) % 250}.7` };
  const token = draft ? await placeDraft(stage, draft, buyer) : null;
  same(`accept ${seats} of ${date.startsOn} as ${email}`, token !== null, true);
  entry.state = 'bought';
  const price = Math.min(entry.price, model.priceOf(date.course));
  return learnEnrolment(stage, {
    ...{ email, token: token ?? '', people: seats },
    chosen: [{ course: date.course, date, monday: null }],
    prices: new Map([[date.course, [price, 0]]]),
  });
}
