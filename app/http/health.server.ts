import { createContext } from 'react-router';

/** One part of the program at this moment. */
export type HealthLine = {
  part: 'pages' | 'database' | 'mail' | 'jobs' | 'backup' | 'disk' | 'connections' | 'statements';
  isGood: boolean;
  now: string;
};

/** How this program is, for those who run it (P94); `slow` has its last slow statements, the newest first. */
export type Health = { lines: HealthLine[]; slow: { text: string; when: string }[] };

export const healthContext = createContext<() => Promise<Health>>();
