import path from 'node:path';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Settings } from '#app/env.server.ts';
import { openGivenNumbers } from '#app/features/money/document-numbers.server.ts';
import { mailAskedLinks } from '#app/features/people/ask-to-sign-in.server.ts';
import { forgetEnded } from '#app/features/people/sign-in-asks.server.ts';
import { createLog } from '#app/http/log.server.ts';
import { academyToday, type Clock, openClock } from '#app/lib/clock.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import { mailFolder } from '#app/outbox/transport.server.ts';
import { jobsOf } from '#server/jobs.ts';
import { openServices } from '#server/services.ts';
import { askForDates, book, chat, email, enquire } from './asking.ts';
import { enrol } from './buying.ts';
import { tradeWithCompanies } from './companies.ts';
import { readStatement } from './paying.ts';
import { openingOf, planTheYear, readCourses } from './planning.ts';
import { inviteTeam, makeSignInLinks, type SignInLink } from './staff.ts';
import { drawFrom, instantAt, openStage, type Stage, weekday } from './stage.ts';
import { openVisitors } from './visiting.ts';
import { workOff } from './working-off.ts';

type Wanted = { weeks: number; seed: number; enrolments: number };
type Made = { counts: ReadonlyMap<string, number>; links: SignInLink[] };

/**
 * Fills an empty database with weeks of an academy's life that end today, by the same commands as the pages use, with
 * the clock set from day to day (P86). No mail leaves: all of it is marked as sent. `whyNot` says where it may not be
 * called.
 */
export async function runDemo(
  settings: Settings,
  { weeks, seed, enrolments }: Wanted,
  progress: (line: string) => void,
): Promise<Made> {
  const end = openClock(settings.today);
  const lastDay = academyToday(end);
  const firstDay = addDays(lastDay, -7 * weeks);
  const opening = { ...settings, stripe: null, today: `${firstDay}T07:00` };
  const log = createLog('error');
  const services = await openServices(opening, log, progress, { rests: true });
  try {
    let now = openingOf(firstDay);
    const clock: Clock = {
      now: () => now,
      get aheadMs() {
        return now.getTime() - Date.now();
      },
    };
    const setNow = (next: Date) => {
      now = next;
    };
    const { db } = services.database;
    const { academy } = services.academy;
    const signIn = { ...services.signIn, clock };
    const team = await inviteTeam(signIn);
    const draw = drawFrom(seed);
    const parts = { db, draw, team, secret: services.academy.forms.secret, firstDay, lastDay, clock, academy, setNow };
    const stage = openStage(parts);
    const numbers = openGivenNumbers({ db, folders: [settings.dataDir], clock, log });
    const jobs = jobsOf(
      {
        db,
        withoutLimits: services.database.withoutLimits,
        time: services.database.time,
        mailFolder: path.join(settings.dataDir, mailFolder),
        academy,
        clock,
        stripe: null,
        numbers,
        backups: null,
        badges: services.badges,
        visits: services.visits,
        sendLinks: () => mailAskedLinks(signIn),
        forgetSignIns: () => forgetEnded(signIn),
      },
      log,
    );
    const courses = await readCourses(stage);
    const visitors = openVisitors(stage, services.visits, seed);
    await planTheYear(stage, courses);
    await tradeWithCompanies(stage, { ...services.academy, clock });
    const planned = { courses, aWeek: enrolments / weeks };
    let lastSeen = await firstSeen(db, 0, now);
    for (let day = firstDay; day <= lastDay; day = addDays(day, 1)) {
      const morning = instantAt(day, 7);
      // Nothing happens later than now.
      if (morning > end.now()) break;
      setNow(morning);
      for (const { run } of [...jobs.here, ...jobs.scheduled]) await run();
      comeToday(stage, planned, day);
      // An event may add others to the agenda of the same day.
      for (let acts = stage.actsOf(day); acts.length > 0; acts = stage.actsOf(day)) {
        for (const { hour, act } of acts) {
          const at = instantAt(day, hour);
          if (at > end.now()) continue;
          if (at > now) setNow(at);
          const what = await act(stage.moment());
          if (what !== null) stage.count(what);
        }
      }
      await visitors.come(courses);
      await readStatement(stage);
      await workOff(stage);
      await markSent(db, now);
      lastSeen = await firstSeen(db, lastSeen, now);
      if (weekday(day) === 0) progress(`${day}: ${stage.counts.get('enrolments placed') ?? 0} enrolments`);
    }
    await faultless(db);
    const links = await makeSignInLinks(
      { ...signIn, clock: end },
      { instructor: await busiest(db), player: await bestPlayer(db), manager: await firstManager(db) },
    );
    await markSent(db, end.now());
    await forgetDelivery(db);
    return { counts: stage.counts, links };
  } finally {
    await services.close();
  }
}

/** Adds events from outside to the agenda of a day: fewer on weekends. */
function comeToday(
  stage: Stage,
  { courses, aWeek }: { courses: Awaited<ReturnType<typeof readCourses>>; aWeek: number },
  day: Day,
): void {
  const { draw } = stage;
  const weekend = [0, 6].includes(weekday(day));
  const often = (perWeek: number) => {
    const mean = perWeek * (weekend ? 0.07 : 0.172);
    return Math.floor(mean) + (draw.chance(mean % 1) ? 1 : 0);
  };
  const hour = () => 8 + draw.below(130) / 10;
  for (let left = often(aWeek); left > 0; left -= 1) stage.later(0, hour(), () => enrol(stage, courses));
  for (let left = often(5); left > 0; left -= 1) stage.later(0, hour(), () => enquire(stage));
  for (let left = often(2); left > 0; left -= 1) stage.later(0, hour(), () => email(stage));
  for (let left = often(4); left > 0; left -= 1) stage.later(0, hour(), () => chat(stage));
  for (let left = often(3); left > 0; left -= 1) stage.later(0, hour(), () => book(stage));
  for (let left = often(2); left > 0; left -= 1) stage.later(0, hour(), () => askForDates(stage, courses));
}

/** Dates the people who came since `after`, whom the database dates by its own clock; returns the last of them. */
async function firstSeen(db: Db, after: number, now: Date): Promise<number> {
  const rows = await db
    .updateTable('people')
    .set({ created_at: now })
    .where('id', '>', after)
    .returning('id')
    .execute();
  return Math.max(after, ...rows.map(({ id }) => id));
}

/** All mail counts as sent at this time. */
async function markSent(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('mails')
    .set({ state: 'sent', queued_at: now, tries_from: now, settled_at: now })
    .where('state', '=', 'queued')
    .execute();
}

/** Nothing is left for the program to deliver. */
const forgetDelivery = (db: Db) => sql`delete from pgboss.job where name = 'mail'`.execute(db);

async function faultless(db: Db): Promise<void> {
  const faults = await db.selectFrom('job_faults').selectAll().execute();
  if (faults.length > 0) throw new Error(`jobs failed: ${JSON.stringify(faults)}`);
}

/** The instructor who has most to do from now on. */
async function busiest(db: Db): Promise<string> {
  const { slug } = await db
    .selectFrom('course_dates')
    .innerJoin('places', 'places.course_date_id', 'course_dates.id')
    .select('instructor_slug as slug')
    .groupBy('instructor_slug')
    .orderBy((eb) => eb.fn.countAll(), 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return slug;
}

/** The address of the player with the most certificates; null when nobody has an account. */
async function bestPlayer(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('players')
    .innerJoin('people', 'people.id', 'players.person_id')
    .leftJoin('certificates', 'holder_email', 'people.email')
    .select('people.email')
    .groupBy('people.email')
    .orderBy((eb) => eb.fn.count('certificates.id'), 'desc')
    .orderBy('people.email')
    .limit(1)
    .executeTakeFirst();
  return row?.email ?? null;
}

/** The address of a manager of the first organisation; null when there is none. */
async function firstManager(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('organisation_managers')
    .innerJoin('people', 'people.id', 'person_id')
    .select('people.email')
    .orderBy('organisation_managers.id')
    .executeTakeFirst();
  return row?.email ?? null;
}
