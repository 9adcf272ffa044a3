/** The figures of the program at /metrics, in the text format of Prometheus. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { poolState, slowStatements } from '#app/db/client.server.ts';
import type { BackupState } from '#app/http/backup-state.server.ts';
import type { Answered } from '#app/http/log.server.ts';
import type { VisitVitals } from '#app/http/vitals.server.ts';
import { countFaults } from '#app/jobs/faults.server.ts';
import { countMailsByState } from '#app/outbox/mail-counts.server.ts';
import type { MailHealth } from '#app/outbox/mail-health.server.ts';
import { readDisks } from './disks.ts';
import { isRecent } from './health.ts';
import type { Services } from './services.ts';

export type Metrics = {
  answered(request: Answered): void;
  /** A shared page was in memory, or had to be made. */
  sharedPage(found: 'hit' | 'miss'): void;
  /** Ignored when the site has no such route: visitors must not make up names. */
  vitals(visit: VisitVitals): void;
  contentType: string;
  text(): Promise<string>;
};

const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const renderSeconds = [0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.5];
/** The borders of good and poor at web.dev/vitals are among them. */
const vitalSeconds = [0.05, 0.1, 0.2, 0.5, 0.8, 1, 1.8, 2.5, 3, 4, 8];
const shifts = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5];
const patienceMs = 1000;

type Disks = Parameters<typeof readDisks>[0];

/** `routes` are the patterns of the site's routes; `services` returns null until the program is ready. */
export function createMetrics(routes: ReadonlySet<string>, services: () => Services | null, settings: Disks): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // Process, memory, garbage collection and the event loop's delay, under the names that dashboards know.
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered, by the pattern of their route and by status.',
    labelNames: ['route', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the request read to its answer ready.',
    buckets: requestSeconds,
    registers,
  });
  const rendering = new Histogram({
    name: 'page_render_seconds',
    help: 'Rendering of a page, without waiting for its turn.',
    labelNames: ['route'],
    buckets: renderSeconds,
    registers,
  });
  const pages = new Counter({
    name: 'page_cache_requests_total',
    help: 'Requests for shared pages, by whether the page was in memory.',
    labelNames: ['found'],
    registers,
  });
  const vital = new Histogram({
    name: 'web_vital_seconds',
    help: 'FCP, INP, LCP and TTFB of a sample of visits, by the route they began on.',
    labelNames: ['route', 'name'],
    buckets: vitalSeconds,
    registers,
  });
  const shift = new Histogram({
    name: 'web_vital_layout_shift',
    help: 'CLS of a sample of visits, by the route they began on.',
    labelNames: ['route'],
    buckets: shifts,
    registers,
  });
  const ratings = new Counter({
    name: 'web_vital_ratings_total',
    help: 'Web vitals of a sample of visits, by rating.',
    labelNames: ['name', 'rating'],
    registers,
  });
  addGauges(registry, services, settings);
  return {
    answered({ route, status, startedAt, renderMs }) {
      requests.inc({ route, status });
      duration.observe((performance.now() - startedAt) / 1000);
      if (renderMs !== undefined) rendering.observe({ route }, renderMs / 1000);
    },
    sharedPage: (found) => pages.inc({ found }),
    vitals(visit) {
      const { route } = visit;
      if (!routes.has(route)) return;
      for (const { name, value, rating } of visit.vitals) {
        ratings.inc({ name, rating });
        if (name === 'CLS') shift.observe({ route }, value);
        else vital.observe({ route, name }, value / 1000);
      }
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

/** Figures that the program reads only when somebody asks for them. */
function addGauges(registry: Registry, services: () => Services | null, settings: Disks): void {
  const gauge = (name: string, help: string, read: (open: Services) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const open = services();
        if (open) this.set(read(open));
      },
    });
  const labelled = (
    name: string,
    help: string,
    label: string,
    read: (open: Services) => Record<string, number> | Promise<Record<string, number>>,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        const open = services();
        this.reset();
        if (!open) return;
        for (const [value, count] of Object.entries(await read(open))) this.set({ [label]: value }, count);
      },
    });
  gauge(
    'snapshot_age_seconds',
    'Since the snapshot was last compared with the database.',
    ({ snapshot }) => snapshot.ageMs() / 1000,
  );
  labelled('page_cache_bytes', 'Bytes of shared pages held in memory.', 'store', ({ traffic }) => ({
    plain: traffic.pages.plain.bytes(),
    queries: traffic.pages.queries.bytes(),
  }));
  labelled('requests_waiting', 'Networks whose requests wait for their turn.', 'turn', ({ traffic }) => ({
    start: traffic.arrivals.waiting(),
    render: traffic.turns.waiting(),
  }));
  labelled('database_connections', 'The pool: connections in all, idle ones, and requests for one.', 'state', (open) =>
    poolState(open.database.db),
  );
  labelled(
    'disk_free_share',
    'The free share of the disks of the data folder and of the backups.',
    'folder',
    async () => Object.fromEntries((await readDisks(settings)).map(({ folder, free, size }) => [folder, free / size])),
  );
  gauge(
    'database_slow_statements',
    'Of the last hour, up to ten that took longer than a second.',
    (open) => slowStatements(open.database.db).filter(isRecent).length,
  );
  /** Absent while it is not known. */
  const ofMail = (name: string, help: string, read: (health: MailHealth) => number | null) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const health = await services()
          ?.mailHealth()
          .catch(() => null);
        const value = health && health.state !== 'unknown' ? read(health) : null;
        this.remove();
        if (value !== null) this.set(value);
      },
    });
  ofMail('mail_server_answering', 'Whether the mail server answers: 1, or 0 while it is away.', ({ state }) =>
    state === 'answering' ? 1 : 0,
  );
  ofMail('mail_waiting', 'Mails that are due and were not handed over yet.', ({ waiting }) => waiting);
  ofMail('mail_oldest_seconds', 'For how long the oldest of them is due; 0 when there is none.', ({ oldestAt, at }) =>
    oldestAt ? (at.getTime() - oldestAt.getTime()) / 1000 : 0,
  );
  const ofBackup = (name: string, help: string, read: (state: BackupState, now: Date) => number | null) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const open = services();
        const state = await open?.backups?.state().catch(() => null);
        const value = open && state ? read(state, open.database.time.now()) : null;
        this.remove();
        if (value !== null) this.set(value);
      },
    });
  ofBackup('backup_age_seconds', 'Since the newest backup was made; absent while there is none.', ({ at }, now) =>
    at ? (now.getTime() - at.getTime()) / 1000 : null,
  );
  ofBackup(
    'backup_good',
    'Whether there is a backup of the last day, and the last one restored was good: 1, or 0.',
    ({ fault }) => (fault === null ? 1 : 0),
  );
  new Gauge({
    name: 'job_faults',
    help: 'Items of jobs that failed and were not mended since; absent while the database does not answer.',
    registers: [registry],
    async collect() {
      const open = services();
      const count = open ? await inTime(countFaults(open.database.db), null) : null;
      this.remove();
      if (count !== null) this.set(count);
    },
  });
  labelled('mails', 'Mails that wait to be handed over, or failed for good.', 'state', (open) =>
    inTime<Record<string, number>>(countMailsByState(open.database.db), {}),
  );
}

/** What a query finds within a second; `otherwise` while the database does not answer. */
async function inTime<T>(query: Promise<T>, otherwise: T): Promise<T> {
  const late = new Promise<T>((resolve) => setTimeout(resolve, patienceMs, otherwise).unref());
  return Promise.race([query.catch(() => otherwise), late]);
}
