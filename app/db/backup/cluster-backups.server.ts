import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { dayMs } from '#app/lib/durations.ts';
import { type Base, isLogFile, type LogFile, prunable } from './plan.ts';
import { endings, getFileOfBackup, putFileOfBackup, withoutEnding } from './sealed-files.server.ts';
import { BackupFault, type BackupStore } from './store.server.ts';

const instant = z.iso.datetime().transform((text) => new Date(text));
const segment = z.string().regex(/^[0-9A-F]{24}$/);
const baseSchema = z.object({
  name: z.string().regex(/^[\dTZ-]+$/),
  startedAt: instant,
  endedAt: instant,
  timeline: z.int(),
  firstSegment: segment,
  lastSegment: segment,
  segmentBytes: z.int(),
  bytes: z.number(),
}) satisfies z.ZodType<Base>;

const checkSchema = z.object({ at: instant, fault: z.string().nullable() });
/** When the newest backup was restored to see whether it is good, and what was wrong. */
type Check = z.output<typeof checkSchema>;

const abandonedMs = dayMs;

/**
 * The backups of one database cluster: `base/` has the copies of its files, each with a description that is written
 * last, and `log/` the files of its log. Clusters are told apart by the number that PostgreSQL gives each.
 */
export class ClusterBackups {
  readonly store: BackupStore;
  private readonly key: Buffer | null;
  private readonly base: string;
  private readonly log: string;
  private readonly checked: string;
  /** A description never changes. */
  private readonly described = new Map<string, Base>();

  constructor(store: BackupStore, key: Buffer | null, systemId: string) {
    this.store = store;
    this.key = key;
    this.base = `${systemId}/base`;
    this.log = `${systemId}/log`;
    this.checked = `${systemId}/check.json`;
  }

  async bases(): Promise<Base[]> {
    const files = (await this.store.list(this.base)).map(({ file }) => file).filter((file) => file.endsWith('.json'));
    return (await Promise.all(files.map((file) => this.describe(file)))).flatMap((base) => base ?? []);
  }

  /** Whether a file of the log is in the backup. */
  async hasLog(name: string): Promise<boolean> {
    const stored = await getFileOfBackup(this.store, `${this.log}/${name}`, this.key);
    stored?.destroy();
    return stored !== null;
  }

  async logFiles(): Promise<LogFile[]> {
    return (await this.store.list(this.log))
      .map(({ file, storedAt }) => ({ file, name: withoutEnding(file), storedAt }))
      .filter(({ file, name }) => file !== name && isLogFile(name))
      .map(({ name, storedAt }) => ({ name, storedAt }));
  }

  /** Stores the files of a base, then its description. */
  async writeBase(base: Omit<Base, 'bytes' | keyof Ended>, files: Readable, end: () => Promise<Ended>): Promise<Base> {
    const name = `${this.base}/${base.name}`;
    try {
      const bytes = await putFileOfBackup({ store: this.store, name: `${name}.tar`, key: this.key }, files);
      const whole = { ...base, ...(await end()), bytes };
      await this.putJson(`${name}.json`, whole);
      return whole;
    } catch (error) {
      // Where that fails too, a later `prune` does.
      for (const ending of endings) await this.store.delete(`${name}.tar${ending}`).catch(() => undefined);
      throw error;
    }
  }

  /** How the last check ended; null before the first. */
  async lastCheck(): Promise<Check | null> {
    const stored = await this.store.get(this.checked);
    return stored && checkSchema.parse(JSON.parse(await text(stored)));
  }

  writeCheck(check: Check): Promise<unknown> {
    return this.putJson(this.checked, check);
  }

  readBase(base: Base): Promise<Readable> {
    return this.read(`${this.base}/${base.name}.tar`);
  }

  readLog(name: string): Promise<Readable> {
    return this.read(`${this.log}/${name}`);
  }

  /**
   * Moves a file of the log that PostgreSQL has handed over into the backup. Programs may do so at once. Throws a
   * `BackupFault` when another file has its name: that is of another database.
   */
  async takeLogFile(file: string): Promise<void> {
    const name = path.basename(file);
    const content = await readFile(file).catch(ignoreMissing);
    if (!content) return;
    const at = `${this.log}/${name}`;
    const stored = await getFileOfBackup(this.store, at, this.key);
    if (!stored) await putFileOfBackup({ store: this.store, name: at, key: this.key }, Readable.from([content]));
    else if (!Buffer.concat(await stored.toArray()).equals(content))
      throw new BackupFault(
        `Another database keeps its log in ${this.store.place}/${this.log}: ${name} is there already and differs. Give each its own BACKUP_DIR or BACKUP_URL.`,
      );
    await rm(file, { force: true });
  }

  /** Removes what is of no use any more. */
  async prune(now: Date): Promise<void> {
    const gone = prunable(await this.bases(), await this.logFiles(), now);
    for (const { name } of gone.bases) {
      // The description first: without it the files are no backup.
      await this.store.delete(`${this.base}/${name}.json`);
      for (const ending of endings) await this.store.delete(`${this.base}/${name}.tar${ending}`);
    }
    for (const { name } of gone.log)
      for (const ending of endings) await this.store.delete(`${this.log}/${name}${ending}`);
    const before = new Date(now.getTime() - abandonedMs);
    await this.store.deleteAbandoned(before);
    const stored = await this.store.list(this.base);
    const described = new Set(stored.map(({ file }) => file.replace(/\.json$/, '.tar')));
    for (const { file, storedAt } of stored)
      if (!file.endsWith('.json') && !described.has(withoutEnding(file)) && storedAt < before)
        await this.store.delete(`${this.base}/${file}`);
  }

  private async describe(file: string): Promise<Base | null> {
    const known = this.described.get(file);
    if (known) return known;
    const stored = await this.store.get(`${this.base}/${file}`);
    if (!stored) return null;
    const base = baseSchema.parse(JSON.parse(await text(stored)));
    this.described.set(file, base);
    return base;
  }

  private putJson(name: string, value: object): Promise<number> {
    return this.store.put(name, Readable.from([JSON.stringify(value, null, 2)], { objectMode: false }));
  }

  private async read(name: string): Promise<Readable> {
    const stored = await getFileOfBackup(this.store, name, this.key);
    if (!stored) throw new BackupFault(`${this.store.place}/${name} is missing.`);
    return stored;
  }
}

type Ended = Pick<Base, 'endedAt' | 'lastSegment'>;

/** The backups of each cluster in a store. */
export async function clustersIn(store: BackupStore, key: Buffer | null): Promise<ClusterBackups[]> {
  const ids = (await store.folders()).filter((name) => /^\d{10,20}$/.test(name));
  return ids.map((id) => new ClusterBackups(store, key, id));
}

function ignoreMissing(error: unknown): null {
  if ((error as { code?: string }).code === 'ENOENT') return null;
  throw error;
}
