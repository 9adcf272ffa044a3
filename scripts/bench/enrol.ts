import { setTimeout as sleep } from 'node:timers/promises';
import { draftOf, enroller } from '#scripts/support/enrolling.ts';
import { type Program, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { startSmtpServer } from '#scripts/support/smtp-server.ts';
import { until } from '#scripts/support/until.ts';
import { type Database, openDatabase } from '#server/database.ts';
import { median, type Part, percentile } from './figure.ts';
import { day, processorSeconds } from './programs.ts';

const people = 50;
const rounds = 3;
/** What people buy in turn. */
const dates = [
  { course: 'cissp', slug: 'cissp-melbourne' },
  { course: 'comptia-security-plus', slug: 'security-plus-online' },
  { course: 'network-defence-essentials', slug: 'network-defence-online' },
  { course: 'certified-ethical-hacker', slug: 'ethical-hacker-sydney' },
  { course: 'web-application-penetration-testing', slug: 'web-testing-online' },
  { course: 'kubernetes-security-cks', slug: 'kubernetes-security-online' },
] as const;

/**
 * Fifty people enrol at once, each from the choice to their own page, with the code from their email, as a browser
 * without JavaScript does it. At the same time somebody reads public pages. The first round only warms up.
 */
export const enrol: Part = {
  name: 'enrol',
  run: (say) =>
    withShop({}, async ({ program, taken }) => {
      const { pid = 0 } = program.process;
      const seconds: number[] = [];
      const pages: number[] = [];
      let [refused, spent] = [0, 0];
      for (let round = 0; round <= rounds; round++) {
        const [from, spentBefore] = [performance.now(), processorSeconds(pid)];
        let going = true;
        const reading = readPages(program.url, () => going);
        const all = Array.from({ length: people }, (_, at) => buy(program.url, round * people + at, taken));
        const presses = await Promise.all(all);
        going = false;
        const times = await reading;
        const took = (performance.now() - from) / 1000;
        say(`${people} enrolled after ${took.toFixed(1)} s`);
        if (round === 0) continue;
        seconds.push(took);
        pages.push(...times);
        refused += presses.reduce((sum, count) => sum + count, 0);
        spent += processorSeconds(pid) - spentBefore;
      }
      return [
        { name: `${people} people enrolled, median`, unit: 's', value: median(seconds), goal: { atMost: 15 } },
        {
          name: 'public pages meanwhile, p99',
          unit: 'ms',
          value: percentile(pages, 0.99),
          goal: { atMost: 150 },
          note: `of ${pages.length}`,
        },
        { name: 'requests that were told to come again', unit: '', value: refused },
        { name: 'processor time of the program an enrolment', unit: 'ms', value: (spent * 1000) / (people * rounds) },
      ];
    }),
};

type Shop = { program: Program; database: Database; folder: string; taken: { recipient: string; raw: string }[] };

/** Runs work with a program that sends its mail to a server beside it, and with room for many on what people buy. */
export async function withShop<T>(env: Record<string, string>, work: (shop: Shop) => Promise<T>): Promise<T> {
  const smtp = await startSmtpServer({});
  const data = temporaryFolder();
  const database = await openDatabase({ dataDir: data.folder, databaseUrl: undefined }, () => undefined);
  const program = await startProgram({
    DATA_DIR: data.folder,
    TODAY: day,
    LOG_LEVEL: 'error',
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    TRUSTED_PROXIES: '127.0.0.1,::1,::ffff:127.0.0.1',
    ...env,
  });
  const slugs = dates.map(({ slug }) => slug);
  await database.db.updateTable('course_dates').set({ capacity: 10_000 }).where('slug', 'in', slugs).execute();
  try {
    return await work({ program, database, folder: data.folder, taken: smtp.taken });
  } finally {
    await program.end('SIGTERM');
    await database.close();
    await smtp.close();
    data.remove();
  }
}

/**
 * Enrols one person, who presses again when told that many are enrolling; how often that was. `answered` gets the time
 * and the status of each answer.
 */
export async function buy(
  url: string,
  number: number,
  taken: Shop['taken'],
  answered: (ms: number, status: number) => void = () => undefined,
): Promise<number> {
  let again = 0;
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('X-Forwarded-For', `10.0.${number >> 8}.${number & 255}`);
    for (;;) {
      const from = performance.now();
      const response = await fetch(`${url}${path}`, { ...init, headers, redirect: 'manual' });
      answered(performance.now() - from, response.status);
      if (response.status !== 503) return response;
      await response.arrayBuffer();
      again++;
      await sleep(200);
    }
  };
  const code = async (email: string): Promise<string> => {
    const found = () => {
      const raw = taken.find(({ recipient }) => recipient === email)?.raw ?? '';
      return /^\s*(\d{6})\s*$/m.exec(raw.slice(raw.indexOf('\r\n\r\n')))?.[1];
    };
    await until(() => found() !== undefined);
    return found() ?? '';
  };
  const { post, get, filled, fillIn, place } = enroller({ request, code });
  const { course, slug } = dates[number % dates.length] ?? dates[0];
  const wish = { attendees: '1', [`way-${course}`]: `course-date:${slug}` };
  const draft = draftOf(await post('/enrol', await filled(`/enrol?courseDate=${slug}`, wish)));
  if (!draft) throw new Error('a choice was refused');
  // Of one domain six would be the most (P28).
  await fillIn(draft, `buyer@company-${number}.example`);
  let placed = await place(draft);
  // Somebody else's enrolment may have confirmed the date, so that the buyer reads the page and presses again.
  while (placed.status === 409) placed = await place(draft);
  const done = await get(placed.headers.get('Location') ?? '/');
  const own = /\/enrolment\/[0-9a-f]+/.exec(await done.text())?.[0];
  if (!own) throw new Error('no private link');
  await (await get(own)).arrayBuffer();
  return again;
}

/** Home, which is kept in memory, a course, and searches that are rendered afresh; how long each took. */
async function readPages(url: string, going: () => boolean): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; going(); number++) {
    const path = ['/', '/course/cissp', `/courses?search=security+${number}`][number % 3];
    const from = performance.now();
    await (await fetch(`${url}${path}`, { headers: { 'X-Forwarded-For': `192.168.0.${number & 255}` } })).arrayBuffer();
    times.push(performance.now() - from);
    await sleep(20);
  }
  return times;
}
