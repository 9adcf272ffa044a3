import { randomInt } from 'node:crypto';
import type { Db } from '../../db/client.server.ts';
import { findByIdempotencyKey } from './queries.server.ts';
import type { EnquiryKind } from './schema.ts';

export type NewEnquiry = {
  kind: EnquiryKind;
  idempotencyKey: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  message: string;
  consent: boolean;
  details: Record<string, string | number>;
};

/**
 * Stores an enquiry and returns its reference. Sent again with the same idempotency key it stores nothing and
 * returns the first reference (P25). The constraint decides, not a look beforehand. Throws when the database is away.
 */
export async function recordEnquiry(db: Db, enquiry: NewEnquiry, now: Date): Promise<{ reference: string }> {
  const row = {
    kind: enquiry.kind,
    idempotency_key: enquiry.idempotencyKey,
    first_name: enquiry.firstName,
    last_name: enquiry.lastName,
    email: enquiry.email,
    phone: enquiry.phone || null,
    message: enquiry.message || null,
    marketing_consent: enquiry.consent,
    details: JSON.stringify(enquiry.details),
    created_at: now,
  };
  for (;;) {
    const stored = await db
      .insertInto('enquiries')
      .values({ ...row, reference: newReference() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('reference')
      .executeTakeFirst();
    if (stored) return stored;
    const first = await findByIdempotencyKey(db, enquiry.idempotencyKey);
    // Neither stored nor found: the reference was taken, one in a thousand million. Another is drawn.
    if (first) return { reference: first };
  }
}

/** Deletes enquiries for good: the one with the reference, or all made before an instant. Returns how many. */
export async function deleteEnquiries(db: Db, which: { reference: string } | { before: Date }): Promise<number> {
  const query = db.deleteFrom('enquiries');
  const { numDeletedRows } = await ('reference' in which
    ? query.where('reference', '=', which.reference)
    : query.where('created_at', '<', which.before)
  ).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** `BB-` and six characters that cannot be misread (P23). */
export function newReference(): string {
  return `BB-${Array.from({ length: 6 }, () => alphabet[randomInt(alphabet.length)]).join('')}`;
}
