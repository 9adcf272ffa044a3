import { createContext } from 'react';

/** Marks our own inline scripts and styles while the server renders a page; undefined in the browser. */
export const NonceContext = createContext<string | undefined>(undefined);
