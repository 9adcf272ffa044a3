import { createContext } from 'react-router';

type PartName = 'pages' | 'database' | 'enrolling' | 'email' | 'backup';
/** One part of the service at an instant; `since` is the beginning of its state, where that is known. */
export type StatusPart = {
  name: PartName;
  state: 'works' | 'delayed' | 'down' | 'damaged' | 'unknown';
  since: Date | null;
  checkedAt: Date;
};

/** How the service is doing, for everyone (P94). */
export const statusContext = createContext<() => Promise<StatusPart[]>>();

/** Never kept, and nothing for search engines. */
export const statusHeaders = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex', Vary: 'Accept' };

/** Whether a client asks for JSON; browsers name HTML as well. */
export function wantsJson(accept: string | undefined): boolean {
  return accept !== undefined && /\bapplication\/json\b/.test(accept) && !/\btext\/html\b/.test(accept);
}
