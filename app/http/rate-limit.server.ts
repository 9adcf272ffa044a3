import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';

export type RateLimit = {
  /** Counts one attempt; false when the address has used up what it may. */
  take(address: string): boolean;
  /** Takes the last attempt back: it failed through no fault of the visitor's. */
  giveBack(address: string): void;
};

const addressesKept = 50_000;

/** At most `attempts` from one address in any `windowMs`. Kept in memory only, and forgotten after the window. */
export function createRateLimit({ attempts, windowMs }: { attempts: number; windowMs: number }): RateLimit {
  const seen = new LRUCache<string, number[]>({ max: addressesKept, ttl: windowMs });
  return {
    take(address) {
      const now = performance.now();
      const recent = (seen.get(networkOf(address)) ?? []).filter((at) => now - at < windowMs);
      if (recent.length >= attempts) return false;
      seen.set(networkOf(address), [...recent, now]);
      return true;
    },
    giveBack(address) {
      seen.set(networkOf(address), (seen.get(networkOf(address)) ?? []).slice(0, -1));
    },
  };
}

/** An IPv6 household has a whole /64 to send from, so its first four groups stand for it. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail ? tail.split(':').length : 0;
  const whole = tail === undefined ? groups : [...groups, ...Array(8 - groups.length - rest).fill('0')];
  return whole.slice(0, 4).join(':');
}
