import path from 'node:path';
import { createServer as createViteServer } from 'vite';
import { createDb, type Db } from '#app/db/client.server.ts';
import { projectRoot } from '#app/env.server.ts';
import { termsToAccept } from '#app/features/catalogue/site/terms.ts';
import { readContent } from '#app/features/content/files.server.ts';
import { fillDatabase } from '#app/features/content/fill.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import type { Order } from '#app/features/enrolments/order.ts';
import { theBuyer } from '#app/features/people/actor.ts';
import { assembleSnapshot } from '#app/features/snapshot/assemble.ts';
import { readSnapshotRows } from '#app/features/snapshot/queries.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { writePastCourseDates } from '#scripts/support/past-course-dates.ts';
import { temporaryFolder } from '#scripts/support/program.ts';
import { openDatabase } from '#server/database.ts';
import { type Figure, median, type Part } from './figure.ts';
import { day } from './programs.ts';

type Placing = typeof import('#app/features/enrolments/place-enrolment.server.ts');

const sales = 100;
const past = 100_000;

/**
 * What a sale costs, from the locks to the mails queued, and the renewal of the seats in memory after it (P27): in a
 * fresh database, and in one with the history of 100,000 course dates. Sales alternate between the two, so that
 * other load on the machine counts for both.
 */
export const sale: Part = {
  name: 'sale',
  async run(say) {
    const read = await readContent(path.join(projectRoot, 'content'));
    if (!read.ok) throw new Error('content/ has faults. Run: npm run content -- check');
    // The mails of a sale are written as components, which Node does not read by itself.
    const vite = await createViteServer({ server: { middlewareMode: true }, appType: 'custom', logLevel: 'error' });
    const placing = (await vite.ssrLoadModule('/app/features/enrolments/place-enrolment.server.ts')) as Placing;
    const academies = [await openAcademy(read.content), await openAcademy(read.content)] as const;
    const [fresh, old] = academies;
    try {
      say(`writing ${past.toLocaleString('en-AU')} past course dates`);
      await writePastCourseDates(old.owner, past, day);
      await writePastCourseDates(fresh.owner, 0, day);
      for (let round = 0; round < sales * 1.5; round++) {
        for (const one of academies) await sell(one, placing);
      }
      return [
        ...compared('a sale', median(fresh.saleMs.slice(-sales)), median(old.saleMs.slice(-sales))),
        ...compared('renewal of seats', median(fresh.renewalMs.slice(-sales)), median(old.renewalMs.slice(-sales))),
      ];
    } finally {
      for (const one of academies) await one.close();
      await vite.close();
    }
  },
};

function compared(name: string, fresh: number, old: number): Figure[] {
  return [
    { name: `${name}, without a history, median`, unit: 'ms', value: fresh },
    { name: `${name}, after 100,000 past course dates, median`, unit: 'ms', value: old },
    { name: `${name}: times that without a history`, unit: '', value: old / fresh, goal: { atMost: 1.25 } },
  ];
}

type Academy = Awaited<ReturnType<typeof openAcademy>>;

/** A database of its own with the academy's content, and a course date with seats for every sale. */
async function openAcademy(content: Content) {
  const data = temporaryFolder();
  const database = await openDatabase({ dataDir: data.folder, databaseUrl: undefined }, () => undefined);
  const { db } = database;
  const owner = createDb(database.owner, () => undefined);
  const now = new Date(`${day}T00:00:00Z`);
  await fillDatabase(db, content, { today: day, now });
  const courseDate = await largeCourseDate(db);
  const { email, name } = content.site;
  const academy = { name, company: name, email, address: '', phone: '', url: 'http://localhost:3000' };
  const since = `${day.slice(0, 7)}-01`;
  const rows = await readSnapshotRows(db, since);
  return {
    db,
    owner,
    since,
    courseDate,
    moment: { now, today: day, academy } satisfies Moment,
    /** The memory of the process. */
    held: { rows, snapshot: assembleSnapshot(rows) },
    saleMs: [] as number[],
    renewalMs: [] as number[],
    async close() {
      await owner.destroy();
      await database.close();
      data.remove();
    },
  };
}

let buyers = 0;

/** Sells one seat and renews what is in memory. */
async function sell(academy: Academy, { placeEnrolment }: Placing): Promise<void> {
  const { db, courseDate, moment, held } = academy;
  const order: Order = {
    comboId: null,
    choices: [{ courseId: courseDate.courseId, way: 'date', courseDateId: courseDate.id }],
    attendees: [{ name: 'Ada Byron', email: null, needs: null, under18: false, guardian: null }],
    buyer: { name: 'Grace Hopper', email: `buyer@company-${++buyers}.example`, phone: null },
    payer: { kind: 'person', address: null },
    termsId: termsToAccept(held.snapshot),
    draftId: null,
    prices: null,
    shownCents: courseDate.priceCents,
    actor: theBuyer,
  };
  const from = performance.now();
  const placed = await db.transaction().execute((trx) => placeEnrolment(trx, order, moment));
  if (!placed.ok) throw new Error(`not placed: ${placed.reason}`);
  const sold = performance.now();
  const rows = await readSnapshotRows(db, academy.since, held.rows);
  academy.held = { rows, snapshot: assembleSnapshot(rows, held) };
  academy.saleMs.push(sold - from);
  academy.renewalMs.push(performance.now() - sold);
}

async function largeCourseDate(db: Db): Promise<{ id: number; courseId: number; priceCents: number }> {
  const model = await db
    .selectFrom('course_dates')
    .selectAll()
    .where('state', '=', 'confirmed')
    .orderBy('starts_on', 'desc')
    .executeTakeFirstOrThrow();
  const { id: _, course_id, ...rest } = model;
  const values = { ...rest, course_id, slug: `large-${crypto.randomUUID()}`, capacity: sales * 2 };
  const { id } = await db.insertInto('course_dates').values(values).returning('id').executeTakeFirstOrThrow();
  const { price_cents } = await db
    .selectFrom('courses')
    .select('price_cents')
    .where('id', '=', course_id)
    .executeTakeFirstOrThrow();
  return { id, courseId: course_id, priceCents: price_cents };
}
