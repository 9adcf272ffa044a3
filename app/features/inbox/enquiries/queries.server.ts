import { z } from 'zod';
import type { Db } from '#app/db/client.server.ts';
import { isReference } from '#app/http/references.server.ts';
import { repeatWindowMs } from './rules.ts';
import { type EnquiryKind, enquiryKinds } from './schema.ts';

/** Kind of a stored enquiry and the reference it corrects; null when no enquiry has the reference. */
export async function findEnquiry(
  db: Db,
  reference: string,
): Promise<{ kind: EnquiryKind; corrects: string | null } | null> {
  if (!isReference(reference)) return null;
  const row = await db
    .selectFrom('enquiries')
    .select(['kind', 'corrects'])
    .where('reference', '=', reference)
    .executeTakeFirst();
  const kind = enquiryKinds.find((known) => known === row?.kind);
  return row && kind ? { kind, corrects: row.corrects } : null;
}

/** An enquiry as its sender sees it: personal data, for nobody else. */
export type SentEnquiry = { email: string; message: string | null; details: z.output<typeof sentDetails> };

/** The details of an enquiry by kind; a value of another shape counts as absent. */
const sentDetails = z.object({
  label: z.string().optional().catch(undefined),
  priceCents: z.number().optional().catch(undefined),
  attendees: z.number().optional().catch(undefined),
  company: z.string().optional().catch(undefined),
  aboutLabel: z.string().optional().catch(undefined),
  ways: z.string().optional().catch(undefined),
});

/** The enquiry of a reference, null when there is none. */
export async function findSentEnquiry(db: Db, reference: string): Promise<SentEnquiry | null> {
  const row = await db
    .selectFrom('enquiries')
    .select(['email', 'message', 'details'])
    .where('reference', '=', reference)
    .executeTakeFirst();
  return row ? { ...row, details: sentDetails.parse(row.details) } : null;
}

/** The reference of an enquiry with the same body, made within the day before `at` (P25). */
export async function findSameBody(db: Db, bodyHash: string, at: Date): Promise<string | null> {
  const row = await db
    .selectFrom('enquiries')
    .select('reference')
    .where('body_hash', '=', bodyHash)
    .where('created_at', '>', new Date(at.getTime() - repeatWindowMs))
    .executeTakeFirst();
  return row?.reference ?? null;
}

/** Every enquiry, oldest first; of one kind when it is given. */
export async function listEnquiries(db: Db, kind?: EnquiryKind) {
  let query = db
    .selectFrom('enquiries')
    .select(['reference', 'kind', 'created_at', 'first_name', 'last_name', 'email', 'phone', 'message'])
    .select(['marketing_consent', 'corrects', 'details', 'state'])
    .orderBy('id');
  if (kind) query = query.where('kind', '=', kind);
  return query.execute();
}
