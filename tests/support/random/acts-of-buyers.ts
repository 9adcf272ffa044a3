import { expect } from 'vitest';
import { makeEnrolmentLink } from '#app/features/enrolments/links.server.ts';
import { learnPlaces } from './place.ts';
import {
  answered,
  buyerActs,
  cancellable,
  isOver,
  type Outcome,
  openFor,
  reach,
  type Stage,
  settleContract,
  wordsOf,
} from './stage.ts';

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
  const response = await buyerActs(stage, path, {}, 'transfer-form');
  const moved = response.headers.get('Location') === `/enrolment/${enrolment.token}?done=moved`;
  expect(moved, `${path} ${response.status} ${moved ? '' : await wordsOf(response)}`).toBe(allowed);
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
  const token = await makeEnrolmentLink(academy.database.db, enrolment.id, one.attendee);
  const html = await (await answered(await academy.request(`/place/${token}`), 'place page')).text();
  const path = `/place/${token}/${one.id}/module/${one.opened + 1}`;
  expect(html).toContain(path);
  const response = await buyerActs(stage, path, { early: 'yes' });
  if (response.status === 409) {
    expect(await wordsOf(response)).toContain('is overdue');
    return 'refused';
  }
  expect(response.status, `${path} ${await wordsOf(response)}`).toBe(303);
  one.opened += 1;
  return 'done';
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
