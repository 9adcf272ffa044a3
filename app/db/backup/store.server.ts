import type { Readable } from 'node:stream';
import type { BucketSettings } from '#app/env.server.ts';

/** Where backups lie, and the 32 bytes that seal them; without a key they are only compressed. */
export type BackupSettings = ({ folder: string } | { bucket: BucketSettings }) & { key: Buffer | null };

/** What is wrong with a backup, in a sentence for the person who runs the program. */
export class BackupFault extends Error {}

/**
 * A folder or a bucket (P92). Names have slashes, such as `7441/log/00000002.history`; a file is there whole or not at
 * all. Throws a `BackupFault` when a bucket does not answer, or refuses.
 */
export interface BackupStore {
  /** What people call it, without its secrets. */
  readonly place: string;
  /** The folders at the top. */
  folders(): Promise<string[]>;
  /** The files of a folder, by the end of their names, in no order. */
  list(folder: string): Promise<{ file: string; storedAt: Date }[]>;
  /** Null when there is no such file. */
  get(name: string): Promise<Readable | null>;
  /** Returns the number of bytes. What is there by this name is replaced. */
  put(name: string, content: Readable): Promise<number>;
  /** Nothing happens when there is no such file. */
  delete(name: string): Promise<void>;
  /** Removes what a program that was killed had begun to put before a time. */
  deleteAbandoned(before: Date): Promise<void>;
  /** Null where it has no end. */
  freeBytes(): Promise<number | null>;
}

/** What people call the place of backups, without its secrets. */
export function placeOf(settings: BackupSettings): string {
  if ('folder' in settings) return settings.folder;
  const { endpoint, bucket, prefix } = settings.bucket;
  return `s3://${new URL(endpoint).host}/${bucket}/${prefix}`.replace(/\/$/, '');
}
