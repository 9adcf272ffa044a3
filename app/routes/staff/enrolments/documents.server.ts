import type { Db } from '#app/db/client.server.ts';
import { findTerms } from '#app/features/catalogue/site/terms.server.ts';
import { findDocument, type MoneyDocument } from '#app/features/money/accounts.server.ts';
import { agreedOf } from '#app/features/money/instalments.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';

/** An invoice or note by its id; undefined when there is none. */
export async function findDocumentForStaff(db: Db, actor: StaffActor, kind: MoneyDocument['kind'], id: number) {
  requirePermission(actor, 'money:read');
  return findDocument(db, kind, id);
}

/** The text of /terms that a buyer accepted; null when there is none. */
export async function findTermsForStaff(db: Db, actor: StaffActor, id: number) {
  requirePermission(actor, 'enrolments:read');
  return findTerms(db, id);
}

/** The instalments that were agreed on, by debt. */
export async function readAgreed(db: Db, actor: StaffActor, enrolmentId: number) {
  requirePermission(actor, 'money:agree');
  return agreedOf(db, enrolmentId);
}
