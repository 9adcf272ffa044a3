import type { Academy } from '#app/http/academy.server.ts';
import { countAttempt, type FormLimit, formWindowMs } from '#app/http/form-limit.server.ts';
import type { Certificate } from './certificate.ts';
import { numberOf } from './number.ts';
import { findCertificate } from './queries.server.ts';

/** A number that no certificate has, so that every look-up runs the same query. */
const none = '2222222222222';

/** Look-ups of one network address in ten minutes: a recruiter checks a pile, a program does not try numbers. */
const attempts = 60;
const attemptsOfWideNetwork = 240;

/**
 * Looks a number up for any visitor (P65): known, unknown and misspelt ones count groupByDate and ask the database groupByDate.
 * `from` is the network address.
 */
export async function lookUp(
  { db, clock, forms }: Academy,
  typed: string,
  from: string,
): Promise<{ ok: true; certificate: Certificate | null } | { ok: false }> {
  const limit: FormLimit = {
    attempts,
    attemptsOfWideNetwork,
    windowMs: formWindowMs,
    key: `${forms.limit.key}:certificates`,
  };
  const within = await db.transaction().execute((trx) => countAttempt(trx, limit, from, clock.now()));
  if (!within) return { ok: false };
  return { ok: true, certificate: await findCertificate(db, numberOf(typed) ?? none) };
}
