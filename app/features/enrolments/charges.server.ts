import type { Trx } from '#app/db/client.server.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import type { Cents } from '#app/lib/money.ts';
import type { Place } from './enrolment.ts';

/** What is charged for a place, GST included. */
export type ChargeOf = (place: Pick<Place, 'id' | 'way' | 'amountCents'>) => Cents;

/**
 * What is charged for the places of an enrolment after all adjustment notes. A place without a date is not invoiced yet:
 * it is its price.
 */
export async function readCharges(trx: Trx, enrolmentId: number): Promise<ChargeOf> {
  const charged = await chargedFor(trx, enrolmentId);
  return ({ id, way, amountCents }) => (way === 'next-date' ? amountCents : charged(id));
}
