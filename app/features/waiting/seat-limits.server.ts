import type { Trx } from '#app/db/client.server.ts';
import { askLimits, type FormLimit, type Room } from '#app/http/form-limit.server.ts';
import { mailDomainOf } from '#app/lib/mail-domain.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';

/** Seats on waiting lists that one mail domain asks for in a day, and one network, as enrolling counts unpaid ones (P28). */
const mostOfDomain = 6;
const mostOfNetwork = 12;

/**
 * Whether somebody may ask for further seats on waiting lists today (P48): made-up addresses cost nothing, and each
 * offer keeps its seats from others for 72 hours. Large public providers count by mailbox.
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
  const asked = [
    { limit: most(mostOfDomain, 'domain'), by: mailDomainOf(email) ?? mailboxOf(email), weight: seats },
    { limit: most(mostOfNetwork, 'network'), by: address, weight: seats },
  ];
  return askLimits(trx, asked, at);
}
