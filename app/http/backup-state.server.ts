import { createContext } from 'react-router';

/** How the program's own backups are (P92). */
export type BackupState = {
  /** When the newest one ended. */
  at: Date | null;
  /** When one was last restored to see whether it is good. */
  checkedAt: Date | null;
  /** What is wrong, in a sentence; null while a backup of the last day is there. */
  fault: string | null;
  /** Whether it lies on the disk of the database. */
  sameDisk: boolean;
};

/** Null when the program makes no backups. */
export const backupStateContext = createContext<() => Promise<BackupState | null>>();
