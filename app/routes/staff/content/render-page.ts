import { createContext } from 'react-router';
import type { SnapshotStore } from '#app/features/snapshot/snapshot-store.server.ts';
import type { PreviewedModule } from '#app/routes/links/enrolment/previewed-module.ts';

/**
 * Renders a public page from another store than everybody's, or an attendee's page with another module, for this request
 * only (P72). `address` begins with `/`.
 */
export type RenderPage = (address: string, store: SnapshotStore, module?: PreviewedModule) => Promise<Response>;

export const renderPageContext = createContext<RenderPage>();
