/** How often the browser's data client tries again (P35). */
export const retryTimes = 3;

/** Milliseconds before retry `attempt`, counted from 0: 1 s, doubling, at most 30 s (P35). */
export function retryDelayMs(attempt: number): number {
  return Math.min(1000 * 2 ** attempt, 30_000);
}
