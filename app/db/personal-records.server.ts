import type { Db } from './client.server.ts';

/** The person of an export or erasing. */
export type HeldPerson = {
  /** The row of `people` with the address; 0 when there is none. */
  id: number;
  /**
   * All addresses of the person and the one in the request, in lower case. Records without a person are found by these.
   */
  addresses: readonly string[];
};

/** The data of one part of the program about people, for people who ask to see or erase them. */
export type PersonalRecords = {
  /** The name of the part in an export. */
  name: string;
  /** The tables whose files hold erased rows until they are rewritten. */
  tables: readonly string[];
  /** Everything held about a person. */
  read(db: Db, person: HeldPerson): Promise<readonly object[]>;
  /**
   * Erases it inside the transaction. `files` are paths under the data folder that then have to be removed, `named` the
   * ids of others whom the erased rows named; they may have no records left.
   */
  erase(trx: Db, person: HeldPerson, at: Date): Promise<{ count: number; files?: string[]; named?: number[] }>;
};
