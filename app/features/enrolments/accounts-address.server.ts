import { createHmac } from 'node:crypto';
import type { Db, Trx } from '#app/db/client.server.ts';
import { programSecret } from '#app/db/secrets.server.ts';
import { accountsAddress, accountsDocuments } from '#app/emails/money.ts';

import { documentsOf, findDocument } from '#app/features/money/accounts.server.ts';
import { type Actor, requirePermission } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { isErased } from '#app/lib/erased-address.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { hashOfToken } from '#app/lib/private-token.server.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { countWithin, mailboxKey } from '#app/outbox/mail-counts.server.ts';
import type { Filling } from '#app/outbox/private-links.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { Enrolment } from './enrolment.ts';
import { askedLimits, givenBy } from './limits.server.ts';
import { owedInWords, queueAccountsCopy, queueInvoiceAgain } from './money-mails.server.ts';
import { accountsPath } from './paths.ts';
import { readEnrolment } from './queries.server.ts';

type Named = { enrolmentId: number; email: string; buyerEmail: string };

/**
 * Whether copies of invoices may be sent to an address at once: staff named it, it is the buyer's own, or somebody who
 * reads its mail agreed to it for this buyer before (P30).
 */
export async function isAgreed(db: Db, { email, buyerEmail, actor }: Omit<Named, 'enrolmentId'> & { actor: Actor }) {
  if (actor.kind !== 'buyer' || mailboxOf(email) === mailboxOf(buyerEmail)) return true;
  const row = await db
    .selectFrom('accounts_addresses')
    .innerJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .select('enrolment_id')
    .where('accounts_addresses.email', '=', email.toLowerCase())
    .where('mailbox', '=', mailboxOf(buyerEmail))
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Records the address named for copies of the invoices of an enrolment. One that nobody agreed to is sent a link by
 * which its reader does, twice a day at most for all buyers together, and nothing else before that (P24).
 */
export async function nameAccountsAddress(
  trx: Trx,
  { enrolmentId, email, buyerEmail, actor }: Named & { actor: Actor },
  { academy, now }: Moment,
): Promise<void> {
  const agreed = await isAgreed(trx, { email, buyerEmail, actor });
  const address = email.toLowerCase();
  const token = await makeToken(trx, enrolmentId, address);
  await trx
    .insertInto('accounts_addresses')
    .values({
      enrolment_id: enrolmentId,
      email: address,
      token_hash: hashOfToken(token),
      named_at: now,
      confirmed_at: agreed ? now : null,
    })
    .onConflict((conflict) =>
      conflict.columns(['enrolment_id', 'email']).doUpdateSet((row) => ({
        named_at: now,
        confirmed_at: row.fn.coalesce('accounts_addresses.confirmed_at', 'excluded.confirmed_at'),
      })),
    )
    .execute();
  const key = await mailboxKey(trx, await givenBy(trx, 'accounts-address', buyerEmail), email);
  if (agreed || !(await countWithin(trx, key, askedLimits, now))) return;
  const link = `accounts:${enrolmentId}`;
  await queueMail(trx, {
    kind: 'accounts-address',
    about: { kind: 'enrolment', id: enrolmentId },
    to: email,
    replyTo: academy.email,
    links: [link],
    ...accountsAddress({ reference: await referenceOf(trx, enrolmentId), link: placeholderOf(link), academy }),
  });
}

const referenceOf = async (db: Db, id: number) =>
  (await db.selectFrom('enrolments').select('reference').where('id', '=', id).executeTakeFirstOrThrow()).reference;

/** The same for an enrolment and address each time, so that every mail's link holds; 192 bits in hexadecimal. */
async function makeToken(db: Db, enrolmentId: number, email: string): Promise<string> {
  const key = await programSecret(db, 'accounts-address');
  return createHmac('sha256', key).update(`${enrolmentId}:${email}`).digest('hex').slice(0, 48);
}

/** The link of the mail that asks an address, as long as the enrolment names it. It is the same in every mail. */
export const accountsFilling: Filling = {
  async concerns(db, [id = 0], recipient) {
    return (await namedFor(db, id))?.toLowerCase() === recipient.toLowerCase();
  },
  async make(trx, [id = 0], origin) {
    const email = await namedFor(trx, id);
    if (!email) throw new Error('no address is named for the invoices of this enrolment');
    return origin + accountsPath(await makeToken(trx, id, email.toLowerCase()));
  },
};

const namedFor = async (db: Db, id: number) =>
  (await db.selectFrom('enrolments').select('accounts_email').where('id', '=', id).forShare().executeTakeFirst())
    ?.accounts_email ?? null;

/** The data of the page behind an accounts link; null when the link opens nothing. */
export async function readAccountsLink(
  db: Db,
  token: string,
): Promise<{ reference: string; state: 'asked' | 'confirmed' | 'not-named' } | null> {
  const row = await findAsked(db, token);
  if (!row) return null;
  const named = row.accountsEmail?.toLowerCase() === row.email;
  return { reference: row.reference, state: !named ? 'not-named' : row.confirmedAt ? 'confirmed' : 'asked' };
}

const findAsked = (db: Db, token: string) =>
  db
    .selectFrom('accounts_addresses')
    .innerJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .select(['reference', 'mailbox', 'accounts_addresses.email', 'accounts_email as accountsEmail'])
    .select('confirmed_at as confirmedAt')
    .where('token_hash', '=', hashOfToken(token))
    .executeTakeFirst();

/**
 * The reader of an address agrees to get copies of invoices: of this enrolment and of others for which the same buyer
 * named it. What was issued so far goes there once. False when the link opens nothing; repeating it does nothing.
 */
export async function confirmAccountsAddress(trx: Trx, token: string, moment: Moment): Promise<boolean> {
  const asked = await findAsked(trx, token);
  if (!asked) return false;
  const named = await trx
    .selectFrom('enrolments')
    .select(['id', 'accounts_email'])
    .where('mailbox', '=', asked.mailbox)
    .where((row) => row(row.fn<string>('lower', ['accounts_email']), '=', asked.email))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  for (const { id, accounts_email } of named) {
    const { numUpdatedRows } = await trx
      .updateTable('accounts_addresses')
      .set({ confirmed_at: moment.now })
      .where('enrolment_id', '=', id)
      .where('email', '=', asked.email)
      .where('confirmed_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n && accounts_email) await queueAccountsDocuments(trx, id, accounts_email, moment);
  }
  return true;
}

/** Sends an address that was confirmed all tax invoices and adjustment notes of an enrolment so far, in one mail. */
export async function queueAccountsDocuments(trx: Trx, enrolmentId: number, to: string, moment: Moment): Promise<void> {
  const documents = await documentsOf(trx, enrolmentId);
  if (documents.length === 0) return;
  const { academy } = moment;
  const { reference, title } = await trx
    .selectFrom('enrolments')
    .select(['reference', 'title'])
    .where('id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  await queueMail(trx, {
    kind: 'accounts-documents',
    about: { kind: 'enrolment', id: enrolmentId },
    to,
    replyTo: academy.email,
    attachments: documents.map(({ kind, id, facts }) => ({
      filename: `${facts.number}.pdf`,
      document: `${kind}:${id}`,
    })),
    ...accountsDocuments({
      reference,
      title,
      numbers: documents.map(({ kind, facts }) => ({
        kind: kind === 'tax-invoice' ? 'Tax invoice' : 'Adjustment note',
        number: facts.number,
      })),
      still: await owedInWords(trx, enrolmentId, moment),
      academy,
    }),
  });
}

/** The recipient of copies of invoices: the address named for them, once a person who reads its mail has agreed. */
export const copiesTo = ({
  accountsEmail,
  accountsConfirmed,
}: Pick<Enrolment, 'accountsEmail' | 'accountsConfirmed'>): string | null => (accountsConfirmed ? accountsEmail : null);

/**
 * Sends a tax invoice of an enrolment again to its buyer, and to the address that gets copies of the invoices (P83):
 * the same document, with the amount due now. Returns its number; null when the invoice is not of this enrolment, or
 * nobody is left to write to.
 */
export async function sendInvoiceAgain(
  trx: Trx,
  { enrolmentId, invoiceId, actor }: { enrolmentId: number; invoiceId: number; actor: Actor },
  moment: Moment,
): Promise<string | null> {
  requirePermission(actor, 'enrolments:change');
  const invoice = await findDocument(trx, 'tax-invoice', invoiceId);
  if (invoice?.kind !== 'tax-invoice' || invoice.enrolmentId !== enrolmentId) return null;
  const enrolment = await readEnrolment(trx, enrolmentId);
  if (isErased(enrolment.email)) return null;
  await queueInvoiceAgain(trx, enrolment, { to: enrolment.email, invoice, moment });
  const accounts = copiesTo(enrolment);
  if (accounts) await queueAccountsCopy(trx, enrolment, { to: accounts, invoice, moment, canTakeBack: true });
  return invoice.facts.number;
}
