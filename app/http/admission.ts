import type { VisitorNetworks } from './client-address.server.ts';

/** Requests are remembered for one to two of these. */
const spanMs = 5000;
/** Networks remembered in a span; a flood from more is forgotten sooner. */
const mostRemembered = 20_000;
/** How far beyond the ordinary limits of load a newcomer is still served. */
const patienceWithNewcomers = 4;
/**
 * The number of recent requests that lowers the load at which a network is refused by one; an enrolment takes about
 * six.
 */
const requestsPerStep = 8;

/**
 * Whether a request is refused under load, so that the networks that send most are refused first. `load` is 1 when the
 * program is as busy as it may ordinarily be. Beyond it a network with 24 requests lately is refused, and beyond four
 * times it everybody. `lately` is the number of requests of its network in the last seconds, without this one.
 */
export function isRefused(load: number, lately: number): boolean {
  return load > Math.max(1, patienceWithNewcomers - lately / requestsPerStep);
}

/** Counts the requests of networks in the last five to ten seconds. */
export type Arrivals = {
  /**
   * Counts a request at `nowMs`, on any steady clock; returns how many its network had sent lately, before this one.
   */
  note(visitor: Pick<VisitorNetworks, 'customer' | 'site'>, nowMs: number): number;
};

/**
 * How many times as many requests as one customer a site, such as an IPv6 /48, may send before it counts as frequent.
 */
const shareOfSite = 4;

export function createArrivals(): Arrivals {
  let before = new Map<string, number>();
  let last = new Map<string, number>();
  let lastBegan = 0;
  function turn(nowMs: number): void {
    const spans = Math.floor((nowMs - lastBegan) / spanMs);
    if (spans < 1 && last.size < mostRemembered) return;
    before = spans > 1 ? new Map() : last;
    last = new Map();
    lastBegan = spans < 1 ? nowMs : lastBegan + spans * spanMs;
  }
  function noteOne(network: string): number {
    const lately = (last.get(network) ?? 0) + (before.get(network) ?? 0);
    last.set(network, (last.get(network) ?? 0) + 1);
    return lately;
  }
  return {
    note({ customer, site }, nowMs) {
      turn(nowMs);
      const ofCustomer = noteOne(customer);
      return customer === site ? ofCustomer : Math.max(ofCustomer, noteOne(site) / shareOfSite);
    },
  };
}
