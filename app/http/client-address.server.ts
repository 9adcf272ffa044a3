/**
 * The address a request came from. `X-Forwarded-For` counts only as far as the hops are proxies we trust: of the
 * chain it names, the last address that is not one of them.
 */
export function clientAddress(remote: string, forwardedFor: string | undefined, trusted: readonly string[]): string {
  const hops = [...(forwardedFor ?? '').split(',').map((hop) => hop.trim()), plain(remote)].filter(Boolean);
  const isTrusted = (hop: string) => trusted.includes(plain(hop));
  return plain(hops.findLast((hop) => !isTrusted(hop)) ?? remote);
}

/** IPv4 in IPv6 clothing is the same address. */
function plain(address: string): string {
  return address.replace(/^::ffff:/, '');
}
