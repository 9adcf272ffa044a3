import type { Db } from './client.server.ts';

/** What one part of the program holds about people, for those who ask to see it or to have it erased. */
export type PersonalRecords = {
  /** Its name in an export. */
  name: string;
  /** The tables that are written anew after erasing. */
  tables: readonly string[];
  /** Everything held about an e-mail address, whatever its capital letters. */
  read(db: Db, address: string): Promise<readonly object[]>;
  /** Erases it inside the transaction. `files` are paths under the data folder that then have to be removed. */
  erase(trx: Db, address: string, at: Date): Promise<{ count: number; files?: string[] }>;
};
