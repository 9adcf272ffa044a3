import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import type { AdjustmentNoteFacts, TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import type { DocumentKind } from '#app/features/money/document-numbers.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { CsvValue } from '#app/lib/csv-cell.ts';
import type { Day } from '#app/lib/dates.ts';
import { isErased } from '#app/lib/erased-address.ts';
import type { Cents } from '#app/lib/money.ts';
import { type XeroPayer, xeroGstDiffers, xeroRows } from './xero.ts';

/** How many documents Xero takes in a file. */
const mostDocuments = 500;

/** Up to how many documents that are in no file are counted. */
const mostWaiting = 10_000;

export type Waiting = Record<
  DocumentKind,
  /** `more` than were counted, so neither number nor total is all. */
  { documents: number; totalCents: Cents; firstDay: Day | null; more: boolean }
>;

/** The documents that are in no file yet, of each kind the first 10,000 by their number. */
export async function waitingDocuments(db: Db, actor: StaffActor): Promise<Waiting> {
  requirePermission(actor, 'money:export');
  const of = async (kind: DocumentKind) => {
    const { rows } = await sql<Waiting[DocumentKind]>`
      select least(count(*), ${mostWaiting}) as documents, coalesce(sum(total_cents), 0) as "totalCents",
        min(issued_on) as "firstDay", count(*) > ${mostWaiting} as more
      from (
        select total_cents, issued_on from ${sql.table(tableOf[kind])}
        where number > coalesce((select max(last_number) from accountant_files where kind = ${kind}), 0)
        order by number limit ${mostWaiting + 1}
      ) as first_of_them`.execute(db);
    return rows[0] ?? { documents: 0, totalCents: 0, firstDay: null, more: false };
  };
  return { 'tax-invoice': await of('tax-invoice'), 'adjustment-note': await of('adjustment-note') };
}

const tableOf = { 'tax-invoice': 'tax_invoices', 'adjustment-note': 'adjustment_notes' } as const;

type Making = { kind: DocumentKind; until: Day; accountCode: string; actor: StaffActor; at: Date };

/**
 * Makes the files of all documents of a kind that are in no file yet and were issued by `until`, that day included, 500
 * documents each, so that every document is in one file (P83). Returns how many files. The caller keeps others from
 * making files at the same time.
 */
export async function makeAccountantFiles(trx: Trx, making: Making): Promise<number> {
  requirePermission(making.actor, 'money:export');
  let files = 0;
  while (await makeFile(trx, making)) files += 1;
  return files;
}

async function makeFile(trx: Trx, { kind, until, accountCode, actor, at }: Making): Promise<boolean> {
  const { rows } = await sql<Row>`
    select number, issued_on as "issuedOn", facts from ${sql.table(tableOf[kind])}
    where number > coalesce((select max(last_number) from accountant_files where kind = ${kind}), 0)
    order by number limit ${mostDocuments}
  `.execute(trx);
  // Files follow the numbers: a later day ends them, whatever comes behind it.
  const later = rows.findIndex(({ issuedOn }) => issuedOn > until);
  const documents = later < 0 ? rows : rows.slice(0, later);
  const [first, last] = [documents[0], documents.at(-1)];
  if (!first || !last) return false;
  const facts = documents.map((row) => asDocument(kind, row));
  await trx
    .insertInto('accountant_files')
    .values({
      kind,
      first_number: first.number,
      last_number: last.number,
      documents: documents.length,
      total_cents: facts.reduce((sum, one) => sum + one.facts.totalCents, 0),
      gst_cents: facts.reduce((sum, one) => sum + one.facts.gstCents, 0),
      account_code: accountCode,
      gst_differs: facts.filter(xeroGstDiffers).map((one) => one.facts.number),
      made_at: at,
      made_by: actor.person.id,
    })
    .execute();
  return true;
}

type Row = { number: number; issuedOn: Day; facts: unknown };

// Facts are written by the commands that issue the documents, and by nobody else.
const asDocument = (kind: DocumentKind, { facts }: { facts: unknown }) =>
  kind === 'tax-invoice' ? { kind, facts: facts as TaxInvoiceFacts } : { kind, facts: facts as AdjustmentNoteFacts };

/** The files that were made, latest first; `before` is an id of the page before. */
export async function listAccountantFiles(db: Db, actor: StaffActor, before: number | null) {
  requirePermission(actor, 'money:export');
  const pageSize = 30;
  const rows = await db
    .selectFrom('accountant_files as file')
    .leftJoin('people', 'people.id', 'made_by')
    .select(['file.id', 'kind', 'first_number', 'last_number', 'documents', 'total_cents', 'gst_cents'])
    .select(['account_code', 'gst_differs', 'made_at', 'taken_at', 'people.name as made_by'])
    .$if(before !== null, (query) => query.where('file.id', '<', before))
    .orderBy('file.id', 'desc')
    .limit(pageSize + 1)
    .execute();
  const files = rows.slice(0, pageSize);
  return { files, next: rows.length > pageSize ? (files.at(-1)?.id ?? null) : null };
}

export type AccountantFile =
  | { ok: true; kind: DocumentKind; first: number; last: number; isAgain: boolean; rows: CsvValue[][] }
  /** It was downloaded before, and nobody asked for it again. */
  | { ok: false; takenAt: Date };

/**
 * A file as rows in Xero's columns; undefined when there is none. The first download is recorded. After that the file
 * is given only with `again`, because Xero would have its documents twice. Rows are the same each time, except the
 * email address of the buyer, which follows the enrolment.
 */
export async function takeAccountantFile(
  trx: Trx,
  { id, again, actor, at }: { id: number; again: boolean; actor: StaffActor; at: Date },
): Promise<AccountantFile | undefined> {
  requirePermission(actor, 'money:export');
  const file = await trx.selectFrom('accountant_files').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!file) return undefined;
  if (file.taken_at && !again) return { ok: false, takenAt: file.taken_at };
  if (!file.taken_at) await trx.updateTable('accountant_files').set({ taken_at: at }).where('id', '=', id).execute();
  const kind = file.kind;
  const documents = await documentsBetween(trx, kind, [file.first_number, file.last_number]);
  return {
    ok: true,
    kind,
    first: file.first_number,
    last: file.last_number,
    isAgain: file.taken_at !== null,
    rows: documents.flatMap((row) => xeroRows(asDocument(kind, row), payerOf(row), file.account_code)),
  };
}

type PayerRow = { firstName: string; email: string | null };

/** Without an address that was erased, or accounting software would mail to the one in its place. */
const payerOf = ({ firstName, email }: PayerRow): XeroPayer => ({
  firstName,
  email: email === null || isErased(email) ? null : email,
});

async function documentsBetween(trx: Trx, kind: DocumentKind, [first, last]: readonly [number, number]) {
  const invoiceOf = kind === 'tax-invoice' ? sql`document.id` : sql`document.tax_invoice_id`;
  const { rows } = await sql<{ facts: unknown } & PayerRow>`
    -- Nothing is sent to an accounts address before its reader agreed to it (P30).
    select document.facts, coalesce((
        select named.email from accounts_addresses named
        where named.enrolment_id = enrolment.id and named.email = lower(enrolment.accounts_email)
          and named.confirmed_at is not null), enrolment.email) as email,
      coalesce(first.buyer ->> 'organisation', first.buyer ->> 'name') as "firstName"
    from ${sql.table(tableOf[kind])} document
      join tax_invoices invoice on invoice.id = ${invoiceOf}
      left join enrolments enrolment on enrolment.id = invoice.enrolment_id
      cross join lateral (
        select one.facts -> 'buyer' as buyer from tax_invoices one
        where (one.id = invoice.id or one.enrolment_id = invoice.enrolment_id)
          and one.facts -> 'buyer' ->> 'abn' is not distinct from invoice.facts -> 'buyer' ->> 'abn'
        order by one.number limit 1
      ) first
    where document.number between ${first} and ${last}
    order by document.number
  `.execute(trx);
  return rows;
}
