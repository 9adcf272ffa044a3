import { expect } from 'vitest';
import type { Db } from '#app/db/client.server.ts';
import { endOffers } from '#app/features/companies/jobs.server.ts';
import { releaseExpiredHolds } from '#app/features/course-dates/seats.server.ts';
import { endChoices } from '#app/features/enrolments/course-date-changes.server.ts';
import { keepWaitingLists } from '#app/features/enrolments/waiting/jobs.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { until } from '#scripts/support/until.ts';
import type { AcademyApp } from '#tests/support/academy-app.ts';
import { makeCourseDate } from '#tests/support/enrolments.ts';
import { carriedBy, type SignedIn } from '#tests/support/staff.ts';
import { addDays, comboCourses, type Model, single } from './model.ts';

type Fields = Record<string, string>;
export type Draw = {
  below(limit: number): number;
  of<T>(from: readonly T[]): T | undefined;
  chance(of: number): boolean;
};
export type Stage = { academy: AcademyApp; db: Db; staff: SignedIn; model: Model; draw: Draw };

/** What was done, for the log of a run; null when there was nothing to act on. */
export type Done = string | null;
export type Act = (stage: Stage) => Promise<Done>;

/** What a page says, in short. */
export async function wordsOf(response: Response): Promise<string> {
  const html = await response.clone().text();
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
  const words = main.replaceAll(/<!--.*?-->|<script.*?<\/script>|<[^>]+>/gs, ' ').replaceAll(/\s+/g, ' ');
  return words.slice(0, 1200);
}

/** Sends a form again that was refused because the machine was busy: a repeat does no harm (P25). */
async function patiently(send: () => Promise<Response>): Promise<Response> {
  let response = await send();
  for (let tries = 1; response.status === 503 && tries < 10; tries += 1) response = await send();
  expect(response.status, response.status >= 500 ? await wordsOf(response) : '').toBeLessThan(500);
  return response;
}

function hiddenOf(html: string, from: number): Fields {
  if (from < 0) return {};
  const form = html.slice(from, html.indexOf('</form>', from));
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const plain = (value: string) => value.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&');
  return Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, plain(value)]));
}

/** The page of a private link, and the hidden fields of one of its forms; `send` sends that form. */
export async function openForm({ academy }: Pick<Stage, 'academy'>, path: string, formId: string) {
  const html = await (await patiently(() => academy.request(path))).text();
  const own = hiddenOf(html, html.indexOf(`id="${formId}"`));
  const post = (fields: Fields) =>
    academy.request(path, {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams(fields),
    });
  return { own, send: (fields: Fields = {}) => patiently(() => post({ ...own, ...fields })) };
}

/** Staff open a page and send one of its forms, a second time with the box of a clash ticked (P77). */
export async function staffActs({ staff }: Stage, path: string, act: string, fields: Fields): Promise<Response> {
  const send = async (html: string, more: Fields = {}) => {
    const own = hiddenOf(html, html.indexOf(`name="act" value="${act}"`));
    return patiently(() => staff.post(path, { ...own, ...carriedBy(html, act), ...fields, ...more }));
  };
  const response = await send(await (await patiently(() => staff.get(path))).text());
  if (response.status !== 409) return response;
  const again = await response.clone().text();
  const [, sure] = /<input[^>]*name="sure"[^>]*value="([^"]+)"/.exec(again) ?? [];
  return sure === undefined ? response : send(again, { sure });
}

/** Keeps three dates of each course open, some of them tentative, soon enough that they begin during the run. */
export async function openDates({ db, model, draw }: Stage): Promise<void> {
  for (const course of [single, ...comboCourses]) {
    while (model.openDates(course).length < 3) {
      const startsOn = addDays(model.today, draw.of([2, 5, 7, 8, 9, 14, 15, 16, 17, 22]) ?? 7);
      const decidedBy = startsOn >= addDays(model.today, 15) && draw.chance(0.3) ? model.today : null;
      const wish = { course, startsOn, capacity: 2 + draw.below(course === single ? 2 : 4), minimum: 2, decidedBy };
      const { id } = await makeCourseDate(db, wish);
      const { slug } = await db
        .selectFrom('course_dates')
        .select('slug')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      model.dates.push({ ...wish, id, slug, state: decidedBy === null ? 'confirmed' : 'tentative', early: true });
    }
  }
}

/** The program's jobs run, and mails are taken; what they do by the rules is done in the model as well. */
export async function runJobs({ academy, db, model }: Stage): Promise<void> {
  const moment: Moment = {
    now: new Date(model.now),
    today: model.today,
    academy: academy.services.academy.academy(),
  };
  await endChoices(db, moment);
  model.endChoices();
  await releaseExpiredHolds(db, moment.now);
  await endOffers(db, moment);
  model.endQuotes();
  await keepWaitingLists(db, moment);
  await db.updateTable('mails').set({ state: 'sent', settled_at: moment.now }).where('state', '=', 'queued').execute();
  await keepWaitingLists(db, moment);
  model.keepLists();
}

/** Waits until pages know the dates, seats and prices as the model has them. */
export async function shown({ academy, model }: Stage): Promise<void> {
  const isShown = () => {
    const { courseDates, bySlug } = academy.services.snapshot.current();
    const open = model.dates.filter((date) => model.isOpen(date));
    const dates = open.every((date) => {
      const one = courseDates.find(({ slug }) => slug === date.slug);
      const seats = one && [one.seatsSold, one.seatsAvailable].join() === [model.sold(date), model.free(date)].join();
      return seats && one.startDate === date.startsOn && one.state === date.state;
    });
    return dates && [...model.prices].every(([slug, cents]) => bySlug.get(slug)?.card.priceCents === cents);
  };
  await until(isShown);
}
