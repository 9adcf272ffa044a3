import { Readable } from 'node:stream';
import { openStore } from '#app/db/backup/open-store.server.ts';
import type { BackupSettings } from '#app/db/backup/store.server.ts';
import type { Db } from '#app/db/client.server.ts';
import type { Settings } from '#app/env.server.ts';
import {
  databaseIdentity,
  lastOf,
  marksFolder,
  numberedKinds,
  numberOf,
  raiseMarks,
  readMarks,
} from '#app/features/money/document-numbers.server.ts';

type Places = Pick<Settings, 'dataDir' | 'backups'>;

/** Where the numbers given out are kept: with the data, and with the backups. */
export const numberFolders = ({ dataDir, backups }: Places) => [
  dataDir,
  ...(backups && 'folder' in backups ? [backups.folder] : []),
];

const folderFor = async (db: Db) => `numbers/${await databaseIdentity(db)}`;

/** Stores the numbers given out in the bucket of the backups when they have changed (P30). */
export async function openBucketNumbers(
  db: Db,
  { dataDir, backups }: { dataDir: string; backups: BackupSettings },
): Promise<() => Promise<void>> {
  const store = await openStore(backups);
  let stored: readonly string[] = [];
  return async () => {
    const marks = await readMarks(marksFolder(dataDir, await databaseIdentity(db)));
    const names = numberedKinds.flatMap((kind) => (marks?.[kind] ? numberOf(kind, marks[kind]) : []));
    const folder = await folderFor(db);
    for (const name of names.filter((one) => !stored.includes(one)))
      await store.put(`${folder}/${name}`, Readable.from([Buffer.from(name)]));
    const lower = stored.filter((one) => !names.includes(one));
    stored = names;
    for (const name of lower) await store.delete(`${folder}/${name}`);
  };
}

/** After a restore: the numbers that a bucket has are kept with the data again. */
export async function fetchNumbers(db: Db, { dataDir, backups }: Places): Promise<void> {
  if (!backups || !('bucket' in backups)) return;
  const files = await (await openStore(backups)).list(await folderFor(db));
  if (files.length === 0) return;
  await raiseMarks(marksFolder(dataDir, await databaseIdentity(db)), lastOf(files.map(({ file }) => file)));
}
