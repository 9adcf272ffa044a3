import { createHash } from 'node:crypto';
import type { Db } from '#app/db/client.server.ts';
import { newReference } from '#app/http/references.server.ts';
import { compareText } from '#app/lib/compare-text.ts';
import { findSameBody } from './queries.server.ts';
import { repeatWindowMs } from './rules.ts';
import type { EnquiryKind, FormKind } from './schema.ts';

/** A checked enquiry. */
export type Enquiry = {
  kind: FormKind;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  message: string;
  consent: boolean;
  /** The fields of its kind. */
  details: Record<string, string | number>;
};

type Recording = {
  idempotencyKey: string;
  at: Date;
  /** Details that the program adds. Two enquiries that differ only in these are the same. */
  remarks?: Record<string, string | number>;
  /** Draws references; tests draw some twice. */
  reference?: () => string;
};

/** `corrects` is the first enquiry of the same form, if this one corrects it. */
export type Recorded = { reference: string; repeat: boolean; corrects: string | null };

/**
 * Stores an enquiry and returns its reference (P25). The same body within a day of the first is a repeat, whatever
 * form it came from: it stores nothing and gets the first reference. Another body under the same idempotency key is
 * stored as a correction of the first. Constraints decide both, so copies may race.
 */
export async function recordEnquiry(
  db: Db,
  enquiry: Enquiry,
  { idempotencyKey, at, remarks = {}, reference = newReference }: Recording,
): Promise<Recorded> {
  const hash = bodyHash(enquiry);
  const row = {
    kind: enquiry.kind,
    idempotency_key: idempotencyKey,
    body_hash: hash,
    first_name: enquiry.firstName,
    last_name: enquiry.lastName,
    email: enquiry.email,
    phone: enquiry.phone || null,
    message: enquiry.message || null,
    marketing_consent: enquiry.consent,
    details: JSON.stringify({ ...enquiry.details, ...remarks }),
    created_at: at,
  };
  await releaseBody(db, hash, at);
  for (;;) {
    const stored = await db
      .insertInto('enquiries')
      .values({ ...row, reference: reference(), corrects: await findFirstOfForm(db, idempotencyKey, enquiry.kind) })
      .onConflict((conflict) => conflict.doNothing())
      .returning(['reference', 'corrects'])
      .executeTakeFirst();
    if (stored) return { ...stored, repeat: false };
    const same = await findSameBody(db, hash, at);
    if (same) return { reference: same, repeat: true, corrects: null };
    // Neither stored nor a repeat: another body of this form came first in the meantime, or, once in a thousand
    // million times, the reference was taken.
  }
}

/** After a day the same text may be sent again as a new enquiry. */
async function releaseBody(db: Db, hash: string, at: Date): Promise<void> {
  await db
    .updateTable('enquiries')
    .set({ body_hash: null })
    .where('body_hash', '=', hash)
    .where('created_at', '<=', new Date(at.getTime() - repeatWindowMs))
    .execute();
}

async function findFirstOfForm(db: Db, idempotencyKey: string, kind: EnquiryKind): Promise<string | null> {
  const first = await db
    .selectFrom('enquiries')
    .select('reference')
    .where('idempotency_key', '=', idempotencyKey)
    .where('kind', '=', kind)
    .where('corrects', 'is', null)
    .executeTakeFirst();
  return first?.reference ?? null;
}

/** The hash of what a person typed. Capital letters in an email address make no difference. */
export function bodyHash({ details, ...enquiry }: Enquiry): string {
  const fields = Object.entries({ ...enquiry, email: enquiry.email.toLowerCase() }).sort(byName);
  const body = JSON.stringify([fields, Object.entries(details).sort(byName)]);
  return createHash('sha256').update(body).digest('base64url');
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => compareText(a, b);
