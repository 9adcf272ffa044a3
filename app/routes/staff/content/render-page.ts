import { createContext } from 'react-router';
import type { SnapshotStore } from '#app/features/snapshot/snapshot-store.server.ts';

/** Renders a public page from another store than everybody's, for this request only (P72). `address` begins with `/`. */
export const renderPageContext = createContext<(address: string, store: SnapshotStore) => Promise<Response>>();
