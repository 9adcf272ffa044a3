import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Db, lossOf, servingLimits } from '#app/db/client.server.ts';
import { rewriteErasedIfAlone } from '#app/db/rewrite-tables.server.ts';
import { ownsHistory } from '#app/db/roles.server.ts';
import { programSecret } from '#app/db/secrets.server.ts';
import { projectRoot, type Settings } from '#app/env.server.ts';
import { listCourses } from '#app/features/catalogue/listing.ts';
import { noFilters } from '#app/features/catalogue/schema.ts';
import { mailAcademy } from '#app/features/catalogue/site/mail-academy.ts';
import { openVisits, type Visits } from '#app/features/catalogue/visits/visits.server.ts';
import { readContent } from '#app/features/content/files.server.ts';
import { fillDatabase } from '#app/features/content/fill.server.ts';
import { hasContent } from '#app/features/content/revisions.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import { type Live, openLive } from '#app/features/inbox/conversations/live.server.ts';
import type { EmailReader } from '#app/features/inbox/email/email.ts';
import { documentOf } from '#app/features/money/accounts.server.ts';
import { openStripe, type Stripe } from '#app/features/money/card/stripe.server.ts';
import { openGivenNumbers } from '#app/features/money/document-numbers.server.ts';
import { mailAskedLinks } from '#app/features/people/ask-to-sign-in.server.ts';
import { forgetEnded } from '#app/features/people/sign-in-asks.server.ts';
import type { SignInServices } from '#app/features/people/sign-in-context.ts';
import { openSnapshot, type SnapshotStore } from '#app/features/snapshot/snapshot-store.server.ts';
import type { Badges } from '#app/features/study/badges/badge.ts';
import type { Academy } from '#app/http/academy.server.ts';
import type { Log } from '#app/http/log.server.ts';
import { openTraffic, type Traffic } from '#app/http/traffic.server.ts';
import { academyToday, type Clock, openClock } from '#app/lib/clock.ts';
import { type MailDelivery, startDelivery } from '#app/outbox/delivery.server.ts';
import { type MailHealthReader, openMailHealth } from '#app/outbox/mail-health.server.ts';
import type { PrivateLinks } from '#app/outbox/private-links.server.ts';
import { fileTransport, type MailTransport, mailFolder, smtpTransport } from '#app/outbox/transport.server.ts';
import { type Backups, openBackups } from './backups.ts';
import { openBadges } from './badges.ts';
import { type Database, openDatabase } from './database.ts';
import { type Documents, openDocuments } from './documents.ts';
import { openEmailReader } from './emails.ts';
import { openForms, openSignIn } from './guards.ts';
import { startJobs } from './jobs.ts';
import { numberFolders, openBucketNumbers } from './number-folders.ts';
import { openPrivateLinks } from './private-links.ts';

/** Fills a database that holds no content yet with content/, as `edit` changes it (P95). */
async function fillOnFirstRun(
  db: Db,
  clock: Clock,
  progress: (line: string) => void,
  edit: (content: Content) => Content = (content) => content,
): Promise<void> {
  if (await hasContent(db)) return;
  const read = await readContent(path.join(projectRoot, 'content'));
  if (!read.ok) {
    const [first] = read.faults;
    const where = first ? `${first.file}:${first.line} ${first.field} ${first.message}` : '';
    throw new Error(`content/ has ${read.faults.length} faults, the first: ${where}. Run: npm run content -- check`);
  }
  progress(`Filling the database: ${read.content.courses.length} courses`);
  await fillDatabase(db, edit(read.content), { now: clock.now(), today: academyToday(clock) });
}

const seedKeyFile = 'sign-in.key';

/**
 * The key that seals the seeds of staff's apps: 32 bytes, from `SIGN_IN_KEY` or a file of the data folder that the first
 * start writes. It is in no database and no backup of one, so who reads those has one factor at most.
 */
function openSeedKey({ dataDir, signInKey }: { dataDir: string; signInKey: string | null }): Uint8Array {
  if (signInKey !== null) return Buffer.from(signInKey, 'base64url');
  mkdirSync(dataDir, { recursive: true });
  const file = path.join(dataDir, seedKeyFile);
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  }
  return Buffer.from(readFileSync(file, 'utf8'), 'base64url');
}

/** Everything that holds state, built once for a process. */
export type Services = {
  clock: Clock;
  database: Database;
  snapshot: SnapshotStore;
  academy: Academy;
  signIn: SignInServices;
  live: Live;
  documents: Documents;
  badges: Badges;
  emails: EmailReader;
  /** Null without its keys: nothing can then be paid by card. */
  stripe: Stripe | null;
  /** Set once the program has been told to stop: it still serves requests, but reports that it is not ready. */
  stopping: boolean;
  traffic: Traffic;
  visits: Visits;
  /** The private links that mails name. */
  links: PrivateLinks;
  /** How mail leaves, for the lines of a start. */
  mail: string;
  mailHealth: MailHealthReader;
  /** Null when the program makes none. */
  backups: Backups | null;
  close(): Promise<void>;
};

const supervisionMs = 2000;
const startPatienceMs = 1000;

const atRest = { stop: async () => undefined };

/** Replacements for tests and the demonstration. */
type OpenOptions = {
  /** The clock of pages, for tests that set it afterwards. */
  snapshotClock?: Clock;
  /** Draws the documents of several programs in one thread. Its opener closes it. */
  drawer?: Documents;
  /** Starts no periodic job and delivers no mail: the caller runs them. */
  rests?: boolean;
};

/** Opens the database, fills it on the first run, and loads the snapshot. `progress` gets each step that takes a while. */
export async function openServices(
  settings: Settings,
  log: Log,
  progress: (line: string) => void,
  { snapshotClock, drawer, rests = false }: OpenOptions = {},
): Promise<Services> {
  const onLost = (err: Error) => log.warn(lossOf(err), 'database connection lost');
  const database = await openDatabase(settings, progress, onLost, servingLimits);
  const clock = openClock(settings.today, database.time.now);
  try {
    if (await ownsHistory(database.db)) {
      log.warn({}, 'one role owns the tables and runs the program: set DATABASE_MIGRATION_URL to keep the two apart');
    }
    // Before anybody is served: rewriting a table locks it.
    await database.withoutLimits((db) => rewriteErasedIfAlone(db, startPatienceMs));
    await database.withoutLimits((db) => fillOnFirstRun(db, clock, progress));
    const snapshot = await openSnapshot(database.db, database.connection, snapshotClock ?? clock, log);
    const forms = await openForms(database.db, clock, log);
    const byCard = settings.stripe !== null;
    const academy = () => ({ ...mailAcademy(snapshot.current().site, settings.baseUrl), byCard });
    const stripe = settings.stripe && openStripe(settings.stripe);
    const folder = path.join(settings.dataDir, mailFolder);
    const numbers = openGivenNumbers({ db: database.db, folders: numberFolders(settings), clock, log });
    await numbers.keep();
    const backups = await openBackups(database, settings.backups);
    const storeNumbers =
      settings.backups && 'bucket' in settings.backups
        ? await openBucketNumbers(database.db, { dataDir: settings.dataDir, backups: settings.backups })
        : null;
    const signIn = await openSignIn(
      { db: database.db, clock, academy },
      { ...settings, seedKey: openSeedKey(settings) },
    );
    const badges = openBadges(settings.publicOrigin, log);
    const finds = (search: string) => listCourses(snapshot.current(), { ...noFilters, search }).matching > 0;
    const visits = openVisits({
      db: database.db,
      clock,
      key: await programSecret(database.db, 'lost-searches'),
      finds,
    });
    const needs = {
      db: database.db,
      withoutLimits: database.withoutLimits,
      time: database.time,
      mailFolder: folder,
      academy,
      clock,
      stripe,
      numbers,
      storeNumbers,
      backups,
      badges,
      visits,
      sendLinks: () => mailAskedLinks(signIn),
      forgetSignIns: () => forgetEnded(signIn),
    };
    const jobs = rests ? atRest : await startJobs(needs, log);
    const traffic = openTraffic(settings.shedAfterMs);
    const documents = drawer ?? openDocuments(log);
    const emails = openEmailReader(log);
    const transport = openTransport(settings);
    const links = openPrivateLinks(settings.baseUrl, clock);
    const outgoing: MailDelivery = {
      db: database.db,
      transport,
      async documentOf(document) {
        await numbers.keep();
        return documentOf(database.db, document, (facts) => documents.draw(facts, null));
      },
      links,
      sender() {
        const { name, email } = snapshot.current().site;
        return { name, address: email };
      },
      clock,
      log,
    };
    const delivery = rests ? atRest : await startDelivery(outgoing);
    const live = openLive(database.connection, log);
    const supervision = superviseEmbedded(database, log);
    return {
      clock,
      database,
      snapshot,
      academy: { db: database.db, clock, forms, academy },
      signIn,
      live,
      documents,
      badges,
      emails,
      stripe,
      traffic,
      visits,
      links,
      stopping: false,
      mail: transport.description,
      mailHealth: openMailHealth(database.db, clock),
      backups,
      async close() {
        traffic.stop();
        // Counts that cannot be stored now are lost; the database is away.
        await visits.store().catch((err) => log.warn({ err }, 'counts of visits were not stored'));
        clearInterval(supervision);
        await backups?.close();
        await Promise.all([jobs.stop(), delivery.stop(), live.stop()]);
        await Promise.all([...(drawer ? [] : [documents.close()]), badges.close(), emails.close()]);
        await snapshot.stop();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function openTransport({ smtp, dataDir }: Settings): MailTransport {
  return smtp ? smtpTransport(smtp) : fileTransport(dataDir);
}

/** Restarts the embedded server when it dies; a server named by DATABASE_URL is not ours to restart. */
function superviseEmbedded(database: Database, log: Log): NodeJS.Timeout | undefined {
  const { embedded } = database;
  if (!embedded) return undefined;
  let busy = false;
  return setInterval(() => {
    if (busy) return;
    busy = true;
    embedded
      .ensureRunning()
      .catch((err) => log.error({ err }, 'embedded database could not be started'))
      .finally(() => {
        busy = false;
      });
  }, supervisionMs);
}
