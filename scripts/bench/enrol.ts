import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { draftOf, enroller } from '#scripts/support/enrolling.ts';
import { postmastersIn } from '#scripts/support/postmaster.ts';
import { startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { startSmtpServer } from '#scripts/support/smtp-server.ts';
import { until } from '#scripts/support/until.ts';
import { openDatabase } from '#server/database.ts';
import { type Figure, type Part, percentile } from './figure.ts';
import { day, familySeconds, processorSeconds, threadSeconds } from './programs.ts';

const buyersAtOnce = 50;
const warmUpMs = 8_000;
const measuredMs = 30_000;
const patienceMs = 120_000;
/** Each of them begins another enrolment this long after the last one at the earliest: together at most 10.5 a second. */
const paceMs = 4_750;
/** The products that people buy in turn. Each session has seats for all of them. */
const sessions = [
  { course: 'cissp', slug: 'cissp-melbourne' },
  { course: 'comptia-security-plus', slug: 'security-plus-online' },
  { course: 'network-defence-essentials', slug: 'network-defence-online' },
  { course: 'certified-ethical-hacker', slug: 'ethical-hacker-sydney' },
  { course: 'web-application-penetration-testing', slug: 'web-testing-online' },
  { course: 'kubernetes-security-cks', slug: 'kubernetes-security-online' },
] as const;
const publicPages = [
  { name: 'home, kept in memory', path: () => '/' },
  { name: 'course page', path: () => '/course/cissp' },
  { name: 'search, rendered afresh', path: (number: number) => `/courses?search=security+${number}` },
];

/**
 * 50 people at once who enrol over and over, each from the choice to their own page, with the code that reaches them at
 * a mail server, as a browser without JavaScript does it. They pause only when they would enrol more than 10.5 times a
 * second together. Meanwhile somebody reads public pages. The processor time has the mails with their invoices in it: it
 * is taken once the last of them has arrived.
 */
export const enrol: Part = {
  name: 'enrol',
  async run(say) {
    const smtp = await startSmtpServer({});
    const data = temporaryFolder();
    const database = await openDatabase({ dataDir: data.folder, databaseUrl: undefined }, () => undefined);
    const program = await startProgram({
      DATA_DIR: data.folder,
      TODAY: day,
      LOG_LEVEL: 'error',
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}?timeout=20`,
      TRUSTED_PROXIES: '127.0.0.1,::1,::ffff:127.0.0.1',
    });
    const { db } = database;
    const pid = program.process.pid ?? 0;
    const [postmaster = 0] = postmastersIn(data.folder);
    try {
      const slugs = sessions.map(({ slug }) => slug);
      await db.updateTable('training_sessions').set({ capacity: 20_000 }).where('slug', 'in', slugs).execute();
      const mailbox = readMail(smtp.taken);
      const crowd = sendCrowd(program.url, mailbox.codeFor);
      await sleep(warmUpMs);
      say('warm; measuring');
      const spent = () => ({
        serving: threadSeconds(pid, pid),
        program: processorSeconds(pid),
        database: familySeconds(postmaster),
        client: process.cpuUsage(),
      });
      const [before, placedBefore, from] = [spent(), await countPlaced(db), performance.now()];
      crowd.beginMeasuring();
      await sleep(measuredMs);
      const elapsed = (performance.now() - from) / 1000;
      const rate = ((await countPlaced(db)) - placedBefore) / elapsed;
      const during = spent();
      crowd.endMeasuring();
      await crowd.stop();
      await until(async () => (await countUntold(db)) === 0, patienceMs);
      const toldAfter = (performance.now() - from) / 1000 - elapsed;
      const after = spent();
      const placed = (await countPlaced(db)) - placedBefore;
      const each = (now: number, then: number) => ((now - then) * 1000) / placed;
      const client = process.cpuUsage(before.client);
      mailbox.stop();
      const { steps, pages, refusals } = crowd;
      for (const [what, times] of refusals) say(`${times} times ${what}`);
      const servingMs = each(after.serving, before.serving);
      return [
        { name: 'enrolments a second, 50 people at once', unit: '/s', value: rate, goal: { atLeast: 10 } },
        { name: 'until the last mail had arrived afterwards', unit: 's', value: toldAfter },
        ...[...pages].flatMap(([name, times]) => spread(`meanwhile: ${name}`, times, 100)),
        ...[...steps].flatMap(([name, times]) => spread(name, times)),
        { name: 'processor time an enrolment: serving thread', unit: 'ms', value: servingMs },
        {
          name: 'processor time an enrolment: other threads of the program',
          unit: 'ms',
          value: each(after.program, before.program) - servingMs,
        },
        {
          name: 'processor time an enrolment: PostgreSQL',
          unit: 'ms',
          value: each(after.database, before.database),
        },
        {
          name: 'processor time an enrolment: buyers and mail server',
          unit: 'ms',
          value: (client.user + client.system) / 1000 / placed,
        },
        { name: 'cores used by the program', unit: '', value: (during.program - before.program) / elapsed },
        { name: 'cores used by PostgreSQL', unit: '', value: (during.database - before.database) / elapsed },
        { name: 'refusals', unit: '', value: [...refusals.values()].reduce((sum, one) => sum + one, 0) },
      ];
    } finally {
      await program.end('SIGTERM');
      await database.close();
      await smtp.close();
      data.remove();
    }
  },
};

function spread(name: string, times: number[], p99?: number): Figure[] {
  const note = `p95 ${percentile(times, 0.95).toFixed(0)} ms, of ${times.length}`;
  return [
    { name: `${name}: p50`, unit: 'ms', value: percentile(times, 0.5), note },
    { name: `${name}: p99`, unit: 'ms', value: percentile(times, 0.99), ...(p99 && { goal: { atMost: p99 } }) },
  ];
}

const countPlaced = async (db: Db) =>
  Number((await db.selectFrom('enrolments').select(db.fn.countAll().as('count')).executeTakeFirstOrThrow()).count);

/** Mails that are still to be sent. */
const countUntold = async (db: Db) =>
  (await sql<{ count: number }>`select count(*)::integer as count from mails where state = 'queued'`.execute(db))
    .rows[0]?.count ?? 0;

/** The codes that have arrived at a mail server, by address. A code that was read is forgotten. */
function readMail(taken: { recipient: string; raw: string }[]) {
  const codes = new Map<string, string>();
  const timer = setInterval(() => {
    for (const { recipient, raw } of taken.splice(0)) {
      const code = /^\s*(\d{6})\s*$/m.exec(raw.slice(raw.indexOf('\r\n\r\n'), 20_000))?.[1];
      if (code) codes.set(recipient, code);
    }
  }, 5);
  return {
    async codeFor(email: string): Promise<string> {
      await until(() => codes.has(email), patienceMs);
      const code = codes.get(email) ?? '';
      codes.delete(email);
      return code;
    },
    stop: () => clearInterval(timer),
  };
}

/** The refusals that buyers met. After one, a buyer begins another enrolment. */
class Refused extends Error {}

/** Runs 50 buyers and a reader until they are stopped. The lists hold their results within the measured time. */
function sendCrowd(url: string, codeFor: (email: string) => Promise<string>) {
  const steps = new Map<string, number[]>();
  const pages = new Map<string, number[]>();
  const refusals = new Map<string, number>();
  let [measuring, going, people] = [false, true, 0];

  async function timed<T>(list: Map<string, number[]>, name: string, work: () => Promise<T>): Promise<T> {
    const from = performance.now();
    const result = await work();
    if (measuring) list.set(name, [...(list.get(name) ?? []), performance.now() - from]);
    return result;
  }

  async function buy(number: number): Promise<void> {
    const from = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
    const request = async (path: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      headers.set('X-Forwarded-For', from);
      headers.set('Accept-Encoding', 'br');
      const name = `${init.method ?? 'GET'} ${path.replace(/[0-9a-f]{48}/, '…').replace(/\?.*/, '')}`;
      const response = await timed(steps, name, async () => {
        const answer = await fetch(`${url}${path}`, { ...init, headers, redirect: 'manual' });
        // The whole page, kept for the reader.
        return new Response(await answer.arrayBuffer(), { status: answer.status, headers: answer.headers });
      });
      if (response.status < 400) return response;
      const title = /<title>([^<]*)/.exec(await response.text())?.[1] ?? '';
      throw new Refused(`${response.status} to ${name}: ${title}`);
    };
    const email = `buyer@company-${number}.example`;
    const code = (address: string) => timed(steps, 'waiting for the code', () => codeFor(address));
    const { post, get, filled, fillIn, place } = enroller({ request, code });
    const follow = async (answer: Response) => get(answer.headers.get('Location') ?? '/');
    const { course, slug } = sessions[number % sessions.length] ?? sessions[0];
    const form = await filled(`/enrol?session=${slug}`, { attendees: '1', [`way-${course}`]: `session:${slug}` });
    const begun = await post('/enrol', form);
    const draft = draftOf(begun);
    if (!draft) return;
    await follow(begun);
    await follow(await fillIn(draft, email));
    const done = await place(draft);
    const page = await (await follow(done)).text();
    const own = /\/enrolment\/[0-9a-f]+/.exec(page)?.[0];
    if (own) await get(own);
    else throw new Refused('no private link');
  }

  async function tryToBuy(_: unknown, at: number): Promise<void> {
    await sleep((paceMs * at) / buyersAtOnce);
    while (going) {
      const began = performance.now();
      const number = ++people;
      try {
        await timed(steps, 'all of an enrolment', () => buy(number));
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        refusals.set(error.message, (refusals.get(error.message) ?? 0) + 1);
      }
      await sleep(Math.max(0, began + paceMs - performance.now()));
    }
  }

  async function read(): Promise<void> {
    for (let number = 0; going; number++) {
      const page = publicPages[number % publicPages.length];
      if (!page) return;
      const headers = { 'X-Forwarded-For': `192.168.${(number >> 8) & 255}.${number & 255}` };
      await timed(pages, page.name, async () => (await fetch(url + page.path(number), { headers })).arrayBuffer());
      await sleep(20);
    }
  }

  const all = Promise.all([...Array.from({ length: buyersAtOnce }, tryToBuy), read()]);
  return {
    steps,
    pages,
    refusals,
    beginMeasuring() {
      measuring = true;
      refusals.clear();
    },
    endMeasuring() {
      measuring = false;
    },
    async stop() {
      going = false;
      await all;
    },
  };
}
