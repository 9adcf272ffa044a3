import { expect } from 'vitest';
import { queuePlaceReminders } from '#app/features/enrolments/jobs.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { type Day, daysBetween } from './calendar.ts';
import { firstDayOf } from './promises.ts';
import type { Books } from './stage.ts';
import type { Enrolment, Place, World } from './world.ts';

/** Which reminders of dates went out, by the model's own count, and to which attendees mail can be sent. */
const sent = new WeakMap<World, Set<string>>();
const addresses = new WeakMap<World, Map<number, string | null>>();

export function rememberAddress(world: World, attendee: number, email: string | null): void {
  addresses.set(world, (addresses.get(world) ?? new Map()).set(attendee, email));
}

/**
 * Reminders of dates: 7 days before the first day and one day before it, once for each place and date, to the attendee, or
 * to the buyer in one mail for all of a date whose addresses are not known. Not of what was taken within those days, of a
 * session that is not confirmed, or once it has begun.
 */
export async function remindersOfPlaces({ db, world }: Books, moment: Moment): Promise<void> {
  const read = () => db.selectFrom('mails').select(['id', 'recipient']).where('kind', '=', 'place-reminder').execute();
  const before = new Set((await read()).map(({ id }) => id));
  await queuePlaceReminders(db, moment);
  const found = (await read()).filter(({ id }) => !before.has(id)).map(({ recipient }) => recipient);
  const expected = world.enrolments.flatMap((enrolment) =>
    enrolment.places.flatMap((place) => reminderOf(world, enrolment, place) ?? []),
  );
  expect(found.sort(), `reminders of dates on ${world.today}`).toEqual(expected.sort());
}

function reminderOf(world: World, enrolment: Enrolment, place: Place): string | null {
  const first = firstDayOf(place);
  const { active, session, way } = place;
  if (!active || first === null || (session && session.state !== 'confirmed')) return null;
  const left = daysBetween(world.today, first);
  const isToday = left === 0 && way === 'session' && world.now < new Date(`${first}T09:00:00+10:00`);
  const days = left > 1 && left <= 7 ? 7 : left === 1 || isToday ? 1 : null;
  if (days === null || daysBetween(takenOn(world, place), first) <= days) return null;
  const told = sent.get(world) ?? new Set();
  sent.set(world, told);
  const email = addresses.get(world)?.get(place.attendee) ?? null;
  const own = `${place.id} ${first} ${days}`;
  const ofBuyer = `${enrolment.id} ${place.course} ${session?.id} ${first} ${days}`;
  const isTold = told.has(own) || (email === null && told.has(ofBuyer));
  told.add(email === null ? ofBuyer : own);
  return isTold ? null : (email ?? enrolment.email);
}

/** The day on which it was placed, got the date that it was bought without, or was moved to another one. */
function takenOn(world: World, place: Place): Day {
  const moved = world.sales.filter((sale) => sale.place === place && sale.givenBackOn !== null).at(-1)?.givenBackOn;
  return moved ?? world.dayAt(place.boundHour);
}
