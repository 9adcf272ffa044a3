import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { draftOf, enroller } from '#scripts/support/enrolling.ts';
import { get, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { openDatabase } from '#server/database.ts';
import type { Experiment } from './experiment.ts';

const [buyers, lastsMs] = [200, 15_000];
/** How long another connection holds the session's lock each time, as staff do who change the session. */
const [lockedMs, freeMs] = [1_500, 500];
const [hot, other] = ['security-plus-online', 'cissp-melbourne'];
const env = {
  LOG_LEVEL: 'error',
  SHED_AFTER: '60000',
  TODAY: '2025-09-08',
  TRUSTED_PROXIES: '127.0.0.1,::1,::ffff:127.0.0.1',
};
type Answer = { status: number; said: string; ms: number; draft: boolean };

/**
 * 200 buyers come within four seconds for one training session, whose lock is held most of the time, while a buyer of another course
 * goes on: how long that buyer waits, what everybody reads, and whether the program stays ready (P88).
 */
export const hotSession: Experiment = {
  name: `${buyers} buyers of one training session, and one of another course`,
  async run(say) {
    const data = temporaryFolder();
    const database = await openDatabase({ dataDir: data.folder, databaseUrl: undefined }, () => undefined);
    const program = await startProgram({ ...env, DATA_DIR: data.folder });
    await database.db.updateTable('training_sessions').set({ capacity: 400 }).execute();
    /** Somebody with a network of their own. */
    const somebody = (number: number) =>
      enroller({
        request: (path, init = {}) => {
          const headers = new Headers(init.headers);
          headers.set('X-Forwarded-For', `10.9.${number >> 8}.${number & 255}`);
          return fetch(`${program.url}${path}`, { ...init, headers, redirect: 'manual' });
        },
        code: async () => '',
      });
    const choose = async (number: number, session: string, form: Record<string, string>): Promise<Answer> => {
      const askedAt = performance.now();
      const response = await somebody(number).post('/enrol', form);
      const html = await response.text();
      const said =
        /Many people are enrolling|Many people are here|system is not available|Very busy/.exec(html)?.[0] ?? '';
      return {
        status: response.status,
        said: said || `${session} ${response.status}`,
        ms: performance.now() - askedAt,
        draft: draftOf(response) !== undefined,
      };
    };
    const formsOf = async (session: string, course: string, from: number, count: number) => {
      const forms: Record<string, string>[] = [];
      for (let at = 0; at < count; at++) {
        const wish = { attendees: '1', [`way-${course}`]: `session:${session}` };
        forms.push(await somebody(from + at).filled(`/enrol?session=${session}`, wish));
      }
      return forms;
    };
    const forms = await formsOf(hot, 'comptia-security-plus', 0, buyers);
    const otherForms = await formsOf(other, 'cissp', 1000, 100);
    say('all have the page open');

    const until = performance.now() + lastsMs;
    const going = () => performance.now() < until;
    const hotAnswers: Answer[] = [];
    const others: Answer[] = [];
    const ready: number[] = [];
    const holder = new pg.Client(database.connection);
    await holder.connect();
    const locking = async () => {
      while (going()) {
        await holder.query('begin');
        await holder.query('select from training_sessions where slug = $1 for no key update', [hot]);
        await sleep(lockedMs);
        await holder.query('commit');
        await sleep(freeMs);
      }
    };
    const crowd = forms.map(async (form, at) => {
      await sleep(at * 20);
      while (going()) {
        const answer = await choose(at, hot, form);
        hotAnswers.push(answer);
        if (answer.draft) break;
        await sleep(2_000 + Math.random() * 2_000);
      }
    });
    const one = async () => {
      await sleep(400);
      for (const [at, form] of otherForms.entries()) {
        if (!going()) break;
        others.push(await choose(1000 + at, other, form));
        await sleep(100);
      }
    };
    const polling = async () => {
      for (; going(); await sleep(500)) ready.push((await get(`${program.url}/readyz`)).status);
    };
    await Promise.all([locking(), one(), polling(), ...crowd]);
    await holder.end();
    await program.end('SIGTERM');
    await database.close();
    data.remove();

    const told = new Map<string, number>();
    for (const { said } of hotAnswers) told.set(said, (told.get(said) ?? 0) + 1);
    say(JSON.stringify(Object.fromEntries(told)));
    const waits = others
      .filter(({ said }) => said !== 'Very busy')
      .map(({ ms }) => ms)
      .toSorted((a, b) => a - b);
    const p99 = Math.round(waits[Math.ceil(waits.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY);
    const away = told.get('system is not available') ?? 0;
    // The program sheds requests that the processor cannot answer in time, of whatever kind (decision 13).
    const shed = others.filter(({ said }) => said === 'Very busy').length;
    const refused = others.filter(({ draft }) => !draft).length - shed;
    const notReady = ready.filter((status) => status !== 200).length;
    return {
      harm: away + refused + notReady + (p99 > 1_000 ? 1 : 0),
      figures: {
        'other course: enrolments': others.length,
        'median, ms': Math.round(waits[Math.floor(waits.length / 2)] ?? 0),
        'p99, ms': p99,
        refused,
        shed,
        'told away': away,
        'readyz not 200': `${notReady} of ${ready.length}`,
      },
    };
  },
};
