import { createContext } from 'react-router';

/**
 * The record of one request; `trace` is the id that a proxy gave to it (W3C Trace Context); `route` is filled in once the router has matched, `renderMs` (without waiting for a turn)
 * when a page was rendered for it.
 */
export type RequestInfo = { id: string; trace?: string; route: string; renderMs?: number };

export const requestInfoContext = createContext<RequestInfo>();
/** Public origin without a trailing slash, from the settings: no header of a client gets into a page. */
export const baseUrlContext = createContext<string>();
/** The program's log. */
export const logContext = createContext<{
  error(fields: object, message: string): void;
  info(fields: object, message: string): void;
}>();
/** The address a request came from, as far as it can be trusted. */
export const clientAddressContext = createContext<string>();
