import path from 'node:path';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Settings } from '#app/env.server.ts';
import { countBegun } from '#app/features/catalogue/visits/reads.server.ts';
import type { Visits } from '#app/features/catalogue/visits/visits.server.ts';
import { actOnConversation } from '#app/features/inbox/conversations/act.server.ts';
import { actOnEnquiry } from '#app/features/inbox/enquiries/act.server.ts';
import { openGivenNumbers } from '#app/features/money/document-numbers.server.ts';
import { acceptSuggestions, unmatchedPayments } from '#app/features/money/suggestions.server.ts';
import { keyOf } from '#app/features/money/suggestions.ts';
import { mailAskedLinks } from '#app/features/people/ask-to-sign-in.server.ts';
import { forgetEnded } from '#app/features/people/sign-in-asks.server.ts';
import { createLog } from '#app/http/log.server.ts';
import { academyToday, type Clock, openClock } from '#app/lib/clock.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import { mailFolder } from '#app/outbox/transport.server.ts';
import { askForDates, book, chat, email, enquire } from '#scripts/demo/asking.ts';
import { enrol } from '#scripts/demo/buying.ts';
import { tradeWithCompanies } from '#scripts/demo/companies.ts';
import { refund } from '#scripts/demo/leaving.ts';
import { answers } from '#scripts/demo/names.ts';
import { readStatement } from '#scripts/demo/paying.ts';
import { openingOf, planTheYear, readCourses, type Sold } from '#scripts/demo/planning.ts';
import { inviteTeam, makeSignInLinks, type SignInLink } from '#scripts/demo/staff.ts';
import { drawFrom, instantAt, openStage, type Stage, weekday } from '#scripts/demo/stage.ts';
import { jobsOf } from '#server/jobs.ts';
import { openServices } from '#server/services.ts';

/** Searches that find nothing: courses that the academy could teach next. */
const lookedFor = ['forklift', 'graphic design', 'first aid', 'photoshop', 'bookkeeping', 'sharepoint'];
const readsADay = 90;

/**
 * Has visitors read pages of courses and search on each day (P85). They are drawn by themselves, so that what the
 * others do is the same with and without them.
 */
function openVisitors(stage: Stage, visits: Visits, seed: number) {
  const draw = drawFrom(seed + 1);
  const field = (name: string) =>
    ({ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'user-agent': 'Mozilla/5.0' })[name];
  const get = (route: string, target: string) =>
    visits.answered({
      ...{ method: 'GET', status: 200, route, target, field },
      network: () => `10.0.0.${draw.below(40)}`,
    });
  return {
    /** A day's visitors; some begin to enrol and do not finish. */
    async come(courses: readonly Sold[]): Promise<void> {
      const { today } = stage.moment();
      const reads = [0, 6].includes(weekday(today)) ? readsADay / 3 : readsADay;
      for (let left = reads / 2 + draw.below(reads); left > 0; left -= 1) {
        // Well-known courses are read more often.
        get('/course/:courseId', `/course/${draw.of(courses.slice(0, 1 + draw.below(courses.length))).slug}`);
      }
      for (let left = draw.below(4); left > 0; left -= 1) {
        get('/courses', `/courses?${new URLSearchParams({ search: draw.of(lookedFor) })}`);
      }
      for (let left = draw.below(3); left > 0; left -= 1) {
        const { slug } = draw.of(courses.slice(0, 30));
        await stage.transaction((trx) => countBegun(trx, today, [slug]));
      }
      await visits.store();
    },
  };
}

/**
 * On weekdays staff work off what waits since yesterday or longer: they answer most of what people wrote, match
 * payments, and send refunds. Some of it waits another day.
 */
async function workOff(stage: Stage): Promise<void> {
  const { now, today } = stage.moment();
  if ([0, 6].includes(weekday(today))) return;
  const yesterday = new Date(now.getTime() - 20 * 3_600_000);
  await answerEnquiries(stage, yesterday);
  await answerChats(stage, yesterday);
  await matchPayments(stage);
  await sendRefunds(stage);
}

async function answerEnquiries(stage: Stage, before: Date): Promise<void> {
  const { db, draw, team } = stage;
  const { now, academy } = stage.moment();
  const open = await db
    .selectFrom('enquiries')
    .select('reference')
    .where('state', '=', 'new')
    .where('kind', 'in', ['contact', 'email'])
    .where('created_at', '<', before)
    .orderBy('id')
    .execute();
  for (const { reference } of open) {
    if (draw.chance(0.3)) continue;
    const acting = { reference, actor: team.admissions, at: now, seen: 0, academy };
    const act = { kind: 'answer', body: draw.of(answers) } as const;
    const done = await stage.transaction((trx) => actOnEnquiry(trx, act, acting));
    if (done.ok) stage.count('enquiries answered');
  }
}

async function answerChats(stage: Stage, before: Date): Promise<void> {
  const { db, draw, team } = stage;
  const { now } = stage.moment();
  const waiting = await db
    .selectFrom('conversations')
    .innerJoin('conversation_messages', 'conversation_id', 'conversations.id')
    .select(['conversations.id', ({ fn }) => fn.max('conversation_messages.id').as('seen')])
    .where('conversations.state', '=', 'waiting')
    .where('visitor_at', '<', before)
    .groupBy('conversations.id')
    .orderBy('conversations.id')
    .execute();
  for (const { id, seen } of waiting) {
    if (draw.chance(0.2)) continue;
    const acting = { conversationId: id, actor: team.admissions, at: now, seen: Number(seen) };
    await stage.transaction((trx) => actOnConversation(trx, { kind: 'answer', body: draw.of(answers) }, acting));
  }
}

/** A payment without a reference is matched when its payer and amount fit what is owed. */
async function matchPayments(stage: Stage): Promise<void> {
  const { db, draw, team } = stage;
  const { payments } = await unmatchedPayments(db, { most: 50 });
  const wanted = payments.flatMap(({ id, suggestions: [first] }) =>
    first && draw.chance(0.15) ? [{ paymentId: id, key: keyOf(first) }] : [],
  );
  if (wanted.length === 0) return;
  const by = { actor: team.admissions, at: stage.moment().now };
  const { accepted } = await stage.transaction((trx) => acceptSuggestions(trx, { wanted, sureOnly: false, ...by }));
  for (const _ of accepted) stage.count('payments matched by hand');
}

async function sendRefunds(stage: Stage): Promise<void> {
  const owing = await stage.db
    .selectFrom('enrolment_list')
    .select('enrolment_id as id')
    .where('balance_cents', '<', 0)
    .orderBy('enrolment_id')
    .execute();
  for (const { id } of owing) {
    if (stage.draw.chance(0.15) && (await refund(stage, id, stage.moment()))) stage.count('refunds sent');
  }
}

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
        storeNumbers: null,
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
