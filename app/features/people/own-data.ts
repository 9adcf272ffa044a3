import { createContext } from 'react-router';
import type { Db } from '#app/db/client.server.ts';

/** All that is held about somebody, by part of the program, as its owner may have it (P58). */
export type OwnData = Readonly<Record<string, readonly object[]>>;

/** Reads it; set where all parts of the program are known. */
export const ownDataContext = createContext<(db: Db, personId: number) => Promise<OwnData>>();
