import type { Trx } from '#app/db/client.server.ts';
import { type Asked, askLimits, type FormLimit, type Room } from '#app/http/form-limit.server.ts';
import { mailDomainOf } from '#app/lib/mail-domain.ts';

/** Seats on waiting lists that one mail domain and one network confirm in a day, as enrolling counts unpaid ones (P28). */
const mostOfDomain = 6;
const mostOfNetwork = 12;

/**
 * Whether somebody may wait for further seats today (P48): made-up addresses cost nothing, and each offer keeps its seats
 * from others for 72 hours. Counted when the address is confirmed, so nobody uses up what is another domain's; large
 * public providers are left out.
 */
export function askSeats(
  trx: Trx,
  { limit, email, address, seats }: { limit: FormLimit; email: string; address: string; seats: number },
  at: Date,
): Promise<Room> {
  const most = (attempts: number, of: string) => ({
    attempts,
    attemptsOfWideNetwork: attempts,
    windowMs: 24 * 60 * 60 * 1000,
    key: `${limit.key}:waiting-seats-${of}`,
  });
  const asked: Asked[] = [{ limit: most(mostOfNetwork, 'network'), by: address, weight: seats }];
  const domain = mailDomainOf(email);
  if (domain !== null) asked.push({ limit: most(mostOfDomain, 'domain'), by: domain, weight: seats });
  return askLimits(trx, asked, at);
}
