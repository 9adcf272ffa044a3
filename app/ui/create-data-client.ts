import { QueryClient } from '@tanstack/react-query';
import { retryDelayMs, retryTimes } from '#app/lib/retry.ts';

/** Tries a failed query again as P35 says, and listens for the window's focus and connection. */
export function createDataClient(): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { retry: retryTimes, retryDelay: retryDelayMs } } });
  client.mount();
  return client;
}
