import type { Db } from '#app/db/client.server.ts';
import { enroller } from '#scripts/support/enrolling.ts';
import { type Program, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { type Outcome, sendWhole, wholeRequest } from '#scripts/support/sent-whole.ts';
import { openDatabase } from '#server/database.ts';
import type { Experiment } from './experiment.ts';

const [rounds, pages, enrolments] = [10, 100, 50];
/** Taken in turn: the program tells more than 32 buyers of one session at once that many are enrolling. */
const sessions = [
  { slug: 'security-plus-online', course: 'comptia-security-plus' },
  { slug: 'cissp-melbourne', course: 'cissp' },
] as const;
const env = {
  LOG_LEVEL: 'error',
  SHED_AFTER: '60000',
  TODAY: '2025-09-08',
  TRUSTED_PROXIES: '127.0.0.1,::1,::ffff:127.0.0.1',
};

/**
 * SIGTERM when whole requests are written on connections of their own: pages, and first steps of enrolments. In every
 * other round the signal comes while connections are still being opened. None may be lost or refused for load, and as
 * many first steps must be stored as clients were told.
 */
export const stopsWithWholeRequests: Experiment = {
  name: `SIGTERM with ${pages} pages and ${enrolments} enrolments sent whole, ${rounds} times`,
  async run(say) {
    const data = temporaryFolder();
    const database = await openDatabase({ dataDir: data.folder, databaseUrl: undefined }, () => undefined);
    const all: Outcome[] = [];
    for (let round = 1; round <= rounds; round++) {
      const program = await startProgram({ ...env, DATA_DIR: data.folder });
      await database.db
        .updateTable('training_sessions')
        .set({ capacity: 2 * rounds * enrolments })
        .where(
          'slug',
          'in',
          sessions.map(({ slug }) => slug),
        )
        .execute();
      const requests = await prepare(program, round * enrolments);
      const sent = requests.map((request) => sendWhole(Number(new URL(program.url).port), request));
      const opening = round % 2 === 0;
      await Promise.all((opening ? sent.slice(0, sent.length / 3) : sent).map(({ written }) => written));
      const ended = program.end('SIGTERM');
      const outcomes = await Promise.all(sent.map(({ outcome }) => outcome));
      await ended;
      all.push(...outcomes);
      say(`stop ${round}${opening ? ', while opening' : ''}: ${JSON.stringify(countOf(outcomes))}`);
    }
    const stored = await draftsOf(database.db);
    const told = all.filter((outcome) => outcome.kind === 'answered' && outcome.location.startsWith('/enrol/')).length;
    await database.close();
    data.remove();
    const counts = countOf(all);
    return {
      harm: counts.lost + counts['with an error'] + Math.max(0, told - stored),
      figures: { ...counts, 'told that it is stored': told, stored },
    };
  },
};

/** Two pages and one first step in turn, so that neither kind comes last. */
async function prepare(program: Program, from: number): Promise<string[]> {
  const one = enroller({ request: (path, init) => fetch(`${program.url}${path}`, init), code: async () => '' });
  const requests: string[] = [];
  for (let at = 0; at < enrolments; at++) {
    const { slug, course } = sessions[at % sessions.length] ?? sessions[0];
    const form = await one.filled(`/enrol?session=${slug}`, { attendees: '1', [`way-${course}`]: `session:${slug}` });
    requests.push(wholeRequest(from + at, { method: 'POST', path: '/enrol', form }));
  }
  const page = (at: number) => wholeRequest(10_000 + at, { path: '/course/cissp' });
  await fetch(`${program.url}/course/cissp`);
  return requests.flatMap((request, at) => [page(2 * at), request, page(2 * at + 1)]);
}

function countOf(outcomes: Outcome[]) {
  const of = (kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length;
  const failed = outcomes.filter((outcome) => outcome.kind === 'answered' && outcome.status >= 400).length;
  return { answered: of('answered'), 'with an error': failed, refused: of('refused'), lost: of('lost') };
}

async function draftsOf(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('enrolment_drafts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
