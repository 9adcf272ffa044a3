import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net';

/**
 * Normalises an IP address: lower case, compressed, without port, brackets or zone; an IPv4-mapped IPv6 address
 * (`::ffff:…`) becomes IPv4. Null when the text is not an address.
 */
export function normalAddress(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d{1,5})?$/, '$1')
    .replace(/^([\d.]+):\d{1,5}$/, '$1')
    .replace(/%.*$/, '');
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return null;
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
  const mapped = address.replace(/^::ffff:(?=[\d.]+$)/, '');
  return isIPv4(mapped) ? mapped : address;
}

/**
 * The networks that everything about a visitor is counted by: forms, holds, turns and requests under way. `site` is
 * what a provider gives to one customer at most and what one person can easily have, an IPv6 /48; `customer` what it
 * commonly gives, a /56; `line` what a single line or telephone has, a /64. All three are the address itself with IPv4.
 */
export type VisitorNetworks = { line: string; customer: string; site: string };

/** The networks of an address in any notation; any other text is its own network. */
export function networksOf(text: string): VisitorNetworks {
  const address = normalAddress(text) ?? text;
  return { line: networkOf(address, 64), customer: networkOf(address, 56), site: networkOf(address, 48) };
}

/** The network of an address in the form of `normalAddress`; `prefix` is its length in bits, a multiple of 8. */
function networkOf(address: string, prefix: number): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  const bytes = [...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 255]);
  const kept = bytes.slice(0, prefix / 8).map((byte) => byte.toString(16).padStart(2, '0'));
  return `${kept.join('')}/${prefix}`;
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

/**
 * Returns a function that finds the client's address of a request, in the form of `normalAddress`. `trusted` lists
 * proxies as addresses or CIDR networks. When the peer is one of them, the client is the last address in
 * `X-Forwarded-For` that is not a trusted proxy. The search stops at an entry that is not an address.
 */
export function addressReader(trusted: readonly string[]): (peer: string, forwardedFor: string | undefined) => string {
  const proxies = new BlockList();
  for (const entry of trusted) {
    const [text = '', prefix] = entry.split('/');
    const address = normalAddress(text);
    if (!address) continue;
    if (prefix === undefined) proxies.addAddress(address, familyOf(address));
    else proxies.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (peer, forwardedFor) => {
    let client = normalAddress(peer) ?? peer;
    const hops = (forwardedFor ?? '').split(',').map(normalAddress);
    while (proxies.check(client, familyOf(client))) {
      const hop = hops.pop();
      if (!hop) break;
      client = hop;
    }
    return client;
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

/** Whether an address, or the host of a URL, is this computer's own. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || /^(\[?::1\]?|(::ffff:)?127(\.\d{1,3}){3})$/i.test(host);
}
