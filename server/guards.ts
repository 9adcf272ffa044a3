import type { Db } from '#app/db/client.server.ts';
import { programSecret } from '#app/db/secrets.server.ts';
import { cookieMaker } from '#app/features/people/cookies.server.ts';
import type { SignInServices } from '#app/features/people/sign-in-context.ts';
import { formWindowMs } from '#app/http/form-limit.server.ts';
import type { Forms } from '#app/http/forms.server.ts';
import type { Log } from '#app/http/log.server.ts';
import type { Clock } from '#app/lib/clock.ts';

/** The guards of every form; in ten minutes five from one address, twenty from an IPv6 /56 and eighty from a /48. */
export async function openForms(db: Db, clock: Clock, log: Log): Promise<Forms> {
  return {
    db,
    clock,
    secret: await programSecret(db, 'form'),
    limit: {
      attempts: 5,
      attemptsOfWideNetwork: 20,
      windowMs: formWindowMs,
      key: await programSecret(db, 'form-limit'),
    },
    log,
  };
}

/**
 * The sign-ins of players and staff. Twenty wrong codes of mails for an address in a day; five of a second factor in 15
 * minutes (P53).
 */
export async function openSignIn(
  { db, clock, academy }: Pick<SignInServices, 'db' | 'clock' | 'academy'>,
  { baseUrl, seedKey }: { baseUrl: string; seedKey: Uint8Array },
): Promise<SignInServices> {
  const minute = 60 * 1000;
  const windowMs = 10 * minute;
  const key = await programSecret(db, 'sign-in-limit');
  const limitOf = (attempts: number, minutes: number, name: string) => ({
    attempts,
    attemptsOfWideNetwork: attempts,
    windowMs: minutes * minute,
    key: `${key}:${name}`,
  });
  return {
    db,
    academy,
    clock,
    cookies: cookieMaker(baseUrl),
    origin: baseUrl,
    secret: await programSecret(db, 'sign-in'),
    seedKey,
    limit: { attempts: 10, attemptsOfWideNetwork: 40, windowMs, key },
    limitOfCodes: limitOf(20, 24 * 60, 'code'),
    limitOfFactor: limitOf(5, 15, 'factor'),
  };
}
