import { LRUCache } from 'lru-cache';

export type RateLimit = {
  /** Counts one attempt; false when the address has used up what it may. */
  take(address: string): boolean;
};

const addressesKept = 50_000;

/** At most `attempts` from one address in any `windowMs`. Kept in memory only, and forgotten after the window. */
export function createRateLimit({ attempts, windowMs }: { attempts: number; windowMs: number }): RateLimit {
  const seen = new LRUCache<string, number[]>({ max: addressesKept, ttl: windowMs });
  return {
    take(address) {
      const now = performance.now();
      const recent = (seen.get(address) ?? []).filter((at) => now - at < windowMs);
      if (recent.length >= attempts) return false;
      seen.set(address, [...recent, now]);
      return true;
    },
  };
}
