import { expect } from 'vitest';
import type { Db } from '#app/db/client.server.ts';
import { until } from '#scripts/support/until.ts';
import type { AcademyApp } from '#tests/support/academy-app.ts';
import { carriedBy, type SignedIn } from '#tests/support/staff.ts';
import { addDays } from './calendar.ts';
import type { Promises } from './promises.ts';
import { charge, type Enrolment, type Place, type Session, type World } from './world.ts';

export type Fields = Record<string, string>;
export type Draw = {
  below(limit: number): number;
  of<T>(from: readonly T[]): T | undefined;
  chance(of: number): boolean;
};
/** The academy's records, and what the model holds against them. */
export type Books = { db: Db; world: World; promises: Promises };
export type Stage = Books & { academy: AcademyApp; staff: SignedIn; draw: Draw };

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

/** What a page says, in short, for the message of a failure. */
export async function wordsOf(response: Response): Promise<string> {
  const html = await response.clone().text();
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
  return main
    .replaceAll(/<!--.*?-->|<script.*?<\/script>|<[^>]+>/gs, ' ')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 1500);
}

/** Never an unexpected fault: what is refused is refused in words. */
export async function answered(response: Response, what: string): Promise<Response> {
  expect(response.status, `${what}: ${response.status >= 500 ? await wordsOf(response) : ''}`).toBeLessThan(500);
  return response;
}

/** Sends once more what could not be taken because the machine was busy: a repeat does no harm (P25). */
export async function patiently(send: () => Promise<Response>): Promise<Response> {
  let response = await send();
  for (let tries = 1; response.status === 503 && tries < 10; tries += 1) response = await send();
  return response;
}

export async function buyerActs({ academy }: Stage, path: string, fields: Fields = {}, formId = ''): Promise<Response> {
  const page = await answered(await patiently(() => academy.request(path)), `GET ${path}`);
  const own = hiddenOf(await page.text(), formId && `id="${formId}"`);
  const response = await patiently(() =>
    academy.request(path, {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ ...own, ...fields }),
    }),
  );
  return answered(response, `POST ${path}`);
}

export async function staffActs({ staff }: Stage, path: string, act: string, fields: Fields): Promise<Response> {
  const html = await (await answered(await patiently(() => staff.get(path)), `GET ${path}`)).text();
  const form = html.slice(html.indexOf(`name="act" value="${act}"`));
  const own = hiddenOf(`<form>${form}`);
  const response = await patiently(() => staff.post(path, { ...own, ...carriedBy(html, act), ...fields }));
  return answered(response, `POST ${path} ${act}`);
}

/** Waits until pages know the sessions, seats and states as the database has them. */
export async function shown({ academy, world }: Stage): Promise<void> {
  await until(() => {
    const known = academy.services.snapshot.current().sessions;
    // Pages forget sessions that are over.
    const coming = world.sessions.filter(({ startsOn }) => startsOn >= world.today);
    return coming.every((session) => {
      const one = known.find(({ slug }) => slug === session.slug);
      return (
        one?.startDate === session.startsOn && one.state === session.state && one.seatsSold === world.sold(session)
      );
    });
  });
}

export const openFor = ({ world }: Books, course: string) =>
  world.sessions.filter(
    (session) => session.course === course && session.state !== 'cancelled' && world.today < session.startsOn,
  );

/** Sessions whose minimum is reached are confirmed by the sale. */
export function reach(world: World): void {
  for (const session of world.sessions) {
    if (session.state === 'tentative' && world.sold(session) >= session.minimum) confirm(world, session);
  }
}

export function confirm(world: World, session: Session): void {
  Object.assign(session, { state: 'confirmed', confirmedOn: world.today });
}

export const isOver = (world: World, place: Place) =>
  place.way === 'session'
    ? addDays(place.session?.startsOn ?? '9999-01-01', 4) < world.today
    : place.monday !== null && world.today >= world.accessEnds(place.monday);

/** Enrolments with places that their buyer may still cancel. */
export const cancellable = ({ world }: Books) =>
  world.enrolments.flatMap((enrolment) => {
    const places = enrolment.places.filter((place) => place.active && !isOver(world, place));
    return places.length > 0 ? [{ enrolment, places }] : [];
  });

/** What the contract costs is the model's; which kept course bears which part of it, the program says. */
export async function settleContract({ db, world }: Books, enrolment: Enrolment, expected: number): Promise<void> {
  const rows = await db
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

/** What is owed on an enrolment: what was invoiced less what came in. */
export const owed = (enrolment: Enrolment) =>
  enrolment.places.filter(({ way }) => way !== 'next-date').reduce((sum, place) => sum + charge(place), 0) -
  enrolment.paid +
  enrolment.refunded;
