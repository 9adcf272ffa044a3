import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { makeFolder } from '#app/db/data-folder.server.ts';
import { dayMs } from '#app/lib/durations.ts';
import { type Base, isLogFile, type LogFile, prunable } from './plan.ts';
import { BackupFault, endings, readFileOfBackup, syncFolder, writeFileOfBackup } from './sealed-files.server.ts';

/** Where backups lie, and the 32 bytes that seal them; without a key they are only compressed. */
export type BackupSettings = { folder: string; key: Buffer | null };

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
export class BackupFolder {
  readonly base: string;
  readonly log: string;
  readonly key: Buffer | null;
  private readonly checked: string;

  constructor({ folder, key }: BackupSettings, systemId: string) {
    this.checked = path.join(folder, systemId, 'check.json');
    this.base = path.join(folder, systemId, 'base');
    this.log = path.join(folder, systemId, 'log');
    this.key = key;
  }

  /** Throws a `BackupFault` when it cannot be made. */
  make(): void {
    try {
      for (const folder of [this.base, this.log]) makeFolder(folder, 0o700);
    } catch (error) {
      throw new BackupFault(
        `The folder ${this.base} cannot be made: ${error instanceof Error ? error.message : error}`,
      );
    }
  }

  async bases(): Promise<Base[]> {
    const names = (await namesIn(this.base)).filter((name) => name.endsWith('.json'));
    return Promise.all(
      names.map(async (name) => baseSchema.parse(JSON.parse(await readFile(path.join(this.base, name), 'utf8')))),
    );
  }

  async logFiles(): Promise<LogFile[]> {
    const files = (await namesIn(this.log)).map((file) => ({ file, name: file.replace(/\.zst(\.sealed)?$/, '') }));
    return Promise.all(
      files
        .filter(({ file, name }) => file !== name && isLogFile(name))
        .map(async ({ file, name }) => ({ name, storedAt: (await stat(path.join(this.log, file))).mtime })),
    );
  }

  /** Stores the files of a base, then its description. */
  async writeBase(base: Omit<Base, 'bytes' | keyof Ended>, files: Readable, end: () => Promise<Ended>): Promise<Base> {
    const at = { folder: this.base, name: `${base.name}.tar`, key: this.key };
    try {
      const bytes = await writeFileOfBackup(at, files);
      const whole = { ...base, ...(await end()), bytes };
      const description = path.join(this.base, `${base.name}.json`);
      await writeFile(description, JSON.stringify(whole, null, 2), { mode: 0o600, flush: true });
      await syncFolder(this.base);
      return whole;
    } catch (error) {
      for (const ending of endings) await rm(path.join(this.base, at.name + ending), { force: true });
      throw error;
    }
  }

  /** How the last check ended; null before the first. */
  async lastCheck(): Promise<Check | null> {
    const text = await readFile(this.checked, 'utf8').catch(ignoreMissing);
    return text === null ? null : checkSchema.parse(JSON.parse(text));
  }

  async writeCheck(check: Check): Promise<void> {
    const draft = `${this.checked}.${process.pid}.part`;
    await writeFile(draft, JSON.stringify(check, null, 2), { mode: 0o600, flush: true });
    await rename(draft, this.checked);
  }

  readBase(base: Base): Promise<Readable> {
    return this.read(this.base, `${base.name}.tar`);
  }

  readLog(name: string): Promise<Readable> {
    return this.read(this.log, name);
  }

  /**
   * Moves a file of the log that PostgreSQL has handed over into the backup. Programs may do so at once. Throws a
   * `BackupFault` when another file has its name: that is of another database.
   */
  async takeLogFile(file: string): Promise<void> {
    const name = path.basename(file);
    const content = await readFile(file).catch(ignoreMissing);
    if (!content) return;
    const stored = await this.read(this.log, name).catch(() => null);
    if (!stored) await writeFileOfBackup({ folder: this.log, name, key: this.key }, Readable.from([content]));
    else if (!Buffer.concat(await stored.toArray()).equals(content))
      throw new BackupFault(
        `Another database keeps its log in ${this.log}: ${name} is there already and differs. Give each its own BACKUP_DIR.`,
      );
    await rm(file, { force: true });
  }

  /** Removes what is of no use any more. */
  async prune(now: Date): Promise<void> {
    const gone = prunable(await this.bases(), await this.logFiles(), now);
    for (const { name } of gone.bases) {
      // The description first: without it the files are no backup.
      await rm(path.join(this.base, `${name}.json`), { force: true });
      for (const ending of endings) await rm(path.join(this.base, `${name}.tar${ending}`), { force: true });
    }
    for (const { name } of gone.log)
      for (const ending of endings) await rm(path.join(this.log, name + ending), { force: true });
    for (const folder of [this.base, this.log])
      for (const name of (await namesIn(folder)).filter((one) => one.endsWith('.part'))) {
        const { mtimeMs } = await stat(path.join(folder, name)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
        if (mtimeMs < now.getTime() - abandonedMs) await rm(path.join(folder, name), { force: true });
      }
  }

  private async read(folder: string, name: string): Promise<Readable> {
    for (const ending of endings) {
      const file = path.join(folder, name + ending);
      if (await stat(file).catch(ignoreMissing)) return readFileOfBackup(file, this.key);
    }
    throw new BackupFault(`${path.join(folder, name)} is missing.`);
  }
}

type Ended = Pick<Base, 'endedAt' | 'lastSegment'>;

/** The clusters that have backups in a folder. */
export async function clustersIn({ folder }: BackupSettings): Promise<string[]> {
  return (await namesIn(folder)).filter((name) => /^\d{10,20}$/.test(name));
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoreMissing)) ?? [];
}

function ignoreMissing(error: unknown): null {
  if ((error as { code?: string }).code === 'ENOENT') return null;
  throw error;
}
