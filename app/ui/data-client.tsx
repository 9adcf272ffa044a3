import { type QueryClient, QueryClientContext } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useMemo, useRef, useState } from 'react';

const LoadDataClient = createContext<() => void>(() => undefined);

/**
 * The data client at the root of every page (P35). What it is made of is fetched when something on the page first asks
 * for data of its own: most visits never do.
 */
export function DataClientProvider({ children }: { children: ReactNode }) {
  const [client, setClient] = useState<QueryClient>();
  const asked = useRef(false);
  const load = useCallback(async () => {
    if (asked.current) return;
    asked.current = true;
    try {
      const { createDataClient } = await import('./create-data-client.ts');
      setClient(createDataClient());
    } catch {
      // The network is away. Whoever asks next tries again.
      asked.current = false;
    }
  }, []);
  return (
    <LoadDataClient value={load}>
      <QueryClientContext value={client}>{children}</QueryClientContext>
    </LoadDataClient>
  );
}

/** Whether queries can be made already, and how to ask for that. */
export function useDataClient(): { ready: boolean; load: () => void } {
  const load = use(LoadDataClient);
  const ready = use(QueryClientContext) !== undefined;
  return useMemo(() => ({ ready, load }), [ready, load]);
}
