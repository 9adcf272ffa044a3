import type { Trx } from '#app/db/client.server.ts';

/**
 * The next number of a kind of document (P30). Both kinds stay locked until the transaction ends, in one order, so that
 * numbers have no gaps when it is rolled back and two transactions that issue both kinds never wait for each other.
 */
export async function takeNumber(trx: Trx, kind: 'tax-invoice' | 'adjustment-note'): Promise<number> {
  await lockNumbers(trx);
  const { last } = await trx
    .updateTable('document_numbers')
    .set((eb) => ({ last: eb('last', '+', 1) }))
    .where('kind', '=', kind)
    .returning('last')
    .executeTakeFirstOrThrow();
  return last;
}

/**
 * Lets nobody else issue a document until the transaction ends, so that the balance of an invoice stays as it was read.
 * It locks the enrolment before the numbers. Every command does, so two of them never wait for each other.
 */
export async function lockDocuments(trx: Trx, enrolmentId: number): Promise<void> {
  await lockIssuer(trx, enrolmentId);
  await lockNumbers(trx);
}

/**
 * Locks the enrolment that a document is about, for what needs nothing of its earlier documents. The numbers are locked
 * when one is taken, after this, as by `lockDocuments`.
 */
export async function lockIssuer(trx: Trx, enrolmentId: number): Promise<void> {
  await trx.selectFrom('enrolments').select('id').where('id', '=', enrolmentId).forUpdate().executeTakeFirstOrThrow();
}

/** Both kinds, in one order. */
export const lockNumbers = (trx: Trx) =>
  trx.selectFrom('document_numbers').select('kind').orderBy('kind').forUpdate().execute();
