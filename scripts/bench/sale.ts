import path from 'node:path';
import { createServer as createViteServer } from 'vite';
import type { Db } from '#app/db/client.server.ts';
import { projectRoot } from '#app/env.server.ts';
import { importContent } from '#app/features/content/import-content.server.ts';
import { readContent } from '#app/features/content/read-content.server.ts';
import type { Circumstances } from '#app/features/enrolments/circumstances.ts';
import type { Order } from '#app/features/enrolments/order.ts';
import { assembleSnapshot } from '#app/features/snapshot/assemble.ts';
import { readSnapshotRows } from '#app/features/snapshot/queries.server.ts';
import { writePastSessions } from '#scripts/support/past-sessions.ts';
import { temporaryFolder } from '#scripts/support/program.ts';
import { openDatabase } from '#server/database.ts';
import { type Figure, median, type Part } from './figure.ts';

type Placing = typeof import('#app/features/enrolments/place-enrolment.server.ts');

const sales = 100;
const past = 100_000;

/**
 * What a sale costs, from the locks to the mails queued, and the renewal of the seats in memory after it, in a fresh
 * database and in the same one with the history of 100,000 training sessions (P27).
 */
export const sale: Part = {
  name: 'sale',
  async run(say) {
    const read = await readContent(path.join(projectRoot, 'content'));
    if (!read.ok) throw new Error('content/ has faults. Run: npm run content -- check');
    const data = temporaryFolder();
    // The mails of a sale are written as components, which Node does not read by itself.
    const vite = await createViteServer({ server: { middlewareMode: true }, appType: 'custom', logLevel: 'error' });
    const placing = (await vite.ssrLoadModule('/app/features/enrolments/place-enrolment.server.ts')) as Placing;
    const database = await openDatabase({ dataDir: data.folder, databaseUrl: undefined }, () => undefined);
    try {
      const { db } = database;
      const today = read.content.site.asOf;
      const now = new Date(`${today}T00:00:00Z`);
      const imported = await importContent(db, read.content, { today, now }, () => true);
      if (!imported.ok) throw new Error('the content could not be imported');
      const { email, name } = read.content.site;
      const academy = { name, email, address: '', phone: '', url: 'http://localhost:3000' };
      const at = { now, at: now, today, academy };
      const fresh = await measure(db, placing, at);
      say(`writing ${past.toLocaleString('en-AU')} past training sessions`);
      await writePastSessions(db, past, today);
      const old = await measure(db, placing, at);
      return [
        { name: 'a sale, median', unit: 'ms', value: fresh.saleMs },
        { name: 'a sale after 100,000 past sessions, median', unit: 'ms', value: old.saleMs },
        { name: 'a sale: share of the first', unit: '', value: old.saleMs / fresh.saleMs, goal: { atMost: 1.25 } },
        { name: 'renewal of the seats in memory, median', unit: 'ms', value: fresh.renewalMs },
        { name: 'renewal after 100,000 past sessions, median', unit: 'ms', value: old.renewalMs },
        {
          name: 'renewal: share of the first',
          unit: '',
          value: old.renewalMs / fresh.renewalMs,
          goal: { atMost: 1.25 },
        },
      ] satisfies Figure[];
    } finally {
      await database.close();
      await vite.close();
      data.remove();
    }
  },
};

let buyers = 0;

async function measure(db: Db, { placeEnrolment }: Placing, circumstances: Circumstances) {
  const session = await largeSession(db);
  const { price_cents } = await db
    .selectFrom('courses')
    .select('price_cents')
    .where('id', '=', session.courseId)
    .executeTakeFirstOrThrow();
  const since = `${circumstances.today.slice(0, 7)}-01`;
  let rows = await readSnapshotRows(db, since);
  let snapshot = assembleSnapshot(rows);
  const times: { saleMs: number; renewalMs: number }[] = [];
  for (let round = 0; round < sales * 1.5; round++) {
    const order: Order = {
      comboId: null,
      choices: [{ courseId: session.courseId, way: 'session', sessionId: session.id }],
      attendees: [{ name: 'Ada Byron', email: null, needs: null, under18: false, guardian: null }],
      buyer: { name: 'Grace Hopper', email: `buyer${++buyers}@example.com`, phone: null },
      payer: { kind: 'person', address: null },
      termsVersion: circumstances.today,
      draftId: null,
      prices: null,
      shownCents: price_cents,
      placedBy: null,
    };
    const from = performance.now();
    const placed = await db.transaction().execute((trx) => placeEnrolment(trx, order, circumstances));
    if (!placed.ok) throw new Error(`not placed: ${placed.reason}`);
    const sold = performance.now();
    const next = await readSnapshotRows(db, since, rows);
    snapshot = assembleSnapshot(next, { rows, snapshot });
    rows = next;
    times.push({ saleMs: sold - from, renewalMs: performance.now() - sold });
  }
  // The first third warms up.
  const counted = times.slice(-sales);
  return {
    saleMs: median(counted.map(({ saleMs }) => saleMs)),
    renewalMs: median(counted.map(({ renewalMs }) => renewalMs)),
  };
}

/** A session to come with seats for every sale. */
async function largeSession(db: Db): Promise<{ id: number; courseId: number }> {
  const model = await db
    .selectFrom('training_sessions')
    .selectAll()
    .where('state', '=', 'confirmed')
    .orderBy('starts_on', 'desc')
    .executeTakeFirstOrThrow();
  const { id: _, course_id, ...rest } = model;
  const values = { ...rest, course_id, slug: `large-${crypto.randomUUID()}`, capacity: sales * 2 };
  const { id } = await db.insertInto('training_sessions').values(values).returning('id').executeTakeFirstOrThrow();
  return { id, courseId: course_id };
}
