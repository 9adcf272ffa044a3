import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net';

/**
 * One spelling for each network address: lower case, compressed, without port, brackets or zone, and an IPv4 address
 * wrapped in IPv6 (`::ffff:…`) as IPv4. Null when the text is no address.
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
 * What limits count by: an IPv4 address itself, and of an IPv6 address its network, because a household has a whole
 * /64 to send from. `prefix` is a multiple of 8. Takes and gives the spelling of `normalAddress`; other text is itself.
 */
export function networkOf(address: string, prefix = 64): string {
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
 * Reads the address a request came from, in the spelling of `normalAddress`. `X-Forwarded-For` counts only as far as
 * the hops are trusted proxies (addresses or CIDR networks, as the settings give them): of the chain it names, the
 * last address that is not one of them. What is no address ends the chain.
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
