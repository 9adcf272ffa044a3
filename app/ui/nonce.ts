import { createContext } from 'react';

/** While a page is rendered, marks the inline scripts and styles that are ours; nothing in the browser. */
export const NonceContext = createContext<string | undefined>(undefined);
