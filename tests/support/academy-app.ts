import path from 'node:path';
import { pino } from 'pino';
import { projectRoot, readSettings, type Settings } from '#app/env.server.ts';
import { fillDatabase } from '#app/features/content/fill.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import { openStripe } from '#app/features/money/card/stripe.server.ts';
import { connectionUrl } from '#scripts/support/codegen.ts';
import { temporaryFolder } from '#scripts/support/program.ts';
import { openingDay, readAcademy } from './academy.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

type Program = typeof import('#server/app.ts');
type App = ReturnType<Program['createApp']>['app'];
type Services = Awaited<ReturnType<Program['openServices']>>;
type Documents = ReturnType<Program['openDocuments']>;

/** The built application in this process, on a database of its own that holds the academy's content. */
export type AcademyApp = {
  app: App;
  recall: ReturnType<Program['createApp']>['recall'];
  metrics: ReturnType<Program['createApp']>['metrics'];
  mailPath: ReturnType<Program['createApp']>['mailPath'];
  settings: Settings;
  services: Services;
  database: TestDatabase;
  /** What was logged so far, one JSON object a line. */
  logged: string[];
  /** Requests a path without a socket; `from` is the address at the other end of the connection. */
  request(path: string, init?: RequestInit & { from?: string }): Promise<Response>;
  /** Opens a page with a form, waits five seconds by the clock, and sends the fields with the form's own. */
  submit(path: string, fields?: Record<string, string>): Promise<Response>;
  /** What the clock of pages and forms shows. */
  now(): Date;
  /** Sets it. */
  setNow(now: Date): void;
  close(): Promise<void>;
};

const origin = 'http://localhost:3000';

/** A thread for documents takes a second until it has drawn the first one: one serves all academies of this process. */
let drawer: Documents | null = null;
const sharedDrawer = (program: Program): Documents => {
  drawer ??= program.openDocuments(pino({ level: 'silent' }));
  // A test may replace what is its own.
  return { ...drawer };
};

/**
 * Opens the built application on a fresh database. The clock of pages and forms shows 9 am on 8 September 2025 until it
 * is set; that of the program's own jobs, where they run, starts there and runs on. `env` is the environment; `edit`
 * may change the content before it fills the database. With `beside` it is a further process on the database of another
 * one, which has to be closed last.
 */
export async function openAcademyApp({
  env = {},
  edit,
  beside,
  on,
  now = openingDay.now,
  jobs = false,
}: {
  env?: Record<string, string>;
  edit?: (content: Content) => void;
  beside?: AcademyApp;
  /** A database that is there already; its maker drops it. */
  on?: TestDatabase;
  /** The time of the clock. */
  now?: Date;
  /** Whether periodic jobs run and mail is delivered. They cost as much as most tests, which run by themselves what they need. */
  jobs?: boolean;
} = {}): Promise<AcademyApp> {
  const shared = on ?? beside?.database;
  const database = shared ?? (await createTestDatabase(edit ? 'template' : 'academyTemplate'));
  const data = temporaryFolder();
  const ours = { DATABASE_URL: connectionUrl(database.connection), DATA_DIR: data.folder };
  const read = readSettings({ LOG_LEVEL: 'silent', TODAY: '2025-09-08T09:00', ...env, ...ours });
  if (!read.ok) throw new Error(read.message);
  if (edit && !shared) {
    const content = await readAcademy();
    edit(content);
    await fillDatabase(database.db, content, openingDay);
  }

  const program: Program = await import(path.join(projectRoot, 'build/server/index.js'));
  const logged: string[] = [];
  const log = pino({ level: 'info', base: null }, { write: (line: string) => void logged.push(line) });
  let time = now;
  const clock = { now: () => time, aheadMs: 0 };
  // Tests run the jobs of card payments themselves, by their own clock.
  const opened = await program.openServices({ ...read.settings, stripe: null }, log, () => undefined, {
    snapshotClock: clock,
    drawer: sharedDrawer(program),
    rests: !jobs,
  });
  const stripe = read.settings.stripe && openStripe(read.settings.stripe);
  const academy = { ...opened.academy, clock, forms: { ...opened.academy.forms, clock } };
  // The load of this machine must not fail a test; tests about load replace this function.
  const traffic = { ...opened.traffic, isBehind: () => false };
  const signIn = { ...opened.signIn, clock };
  const services = { ...opened, stripe, clock, academy, traffic, signIn };
  const { app, recall, metrics, mailPath } = program.createApp(
    read.settings,
    log,
    () => services,
    (c) => c.env?.from ?? '192.0.2.1',
  );
  const request: AcademyApp['request'] = async (address, { from, ...init } = {}) =>
    app.request(`${origin}${address}`, init, { from });
  return {
    app,
    recall,
    metrics,
    mailPath,
    settings: read.settings,
    services,
    database,
    logged,
    request,
    async submit(address, fields = {}) {
      const page = await (await request(address)).text();
      const token = /name="form"[^>]* value="([^"]+)"/.exec(page)?.[1] ?? '';
      time = new Date(time.getTime() + 5000);
      return request(address, {
        method: 'POST',
        headers: { 'Sec-Fetch-Site': 'same-origin' },
        body: new URLSearchParams({ ...fields, form: token }),
      });
    },
    now: clock.now,
    setNow(next) {
      time = next;
    },
    async close() {
      await services.close();
      if (!shared) await database.drop();
      data.remove();
    },
  };
}
