import { retryDelayMs, retryTimes } from '#app/lib/retry.ts';

/**
 * The data client of browsers: fetches JSON, and tries again as P35 says. Null when the server could not be reached, or
 * nobody waits for the answer any more.
 */
export async function fetchJson<T>(address: string, signal: AbortSignal): Promise<T | null> {
  for (let attempt = 0; ; attempt++) {
    const answer = await fetchOnce<T>(address, signal).catch(() => null);
    if (answer || signal.aborted || attempt === retryTimes) return answer;
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs(attempt)));
    if (signal.aborted) return null;
  }
}

async function fetchOnce<T>(address: string, signal: AbortSignal): Promise<T | null> {
  const response = await fetch(address, { signal });
  return response.ok ? response.json() : null;
}
