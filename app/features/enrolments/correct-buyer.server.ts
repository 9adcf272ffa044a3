import { sql } from 'kysely';
import type { Trx } from '#app/db/client.server.ts';
import { buyerCorrected } from '#app/emails/buyer-corrected.ts';
import { accountOf, documentsOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { type Replacement, replaceInvoices } from '#app/features/money/replace-invoices.server.ts';
import { type Actor, requirePermission, theBuyer } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { withdrawMails } from '#app/outbox/withdraw-mail.server.ts';
import { copiesTo, isAgreed, nameAccountsAddress, queueAccountsDocuments } from './accounts-address.server.ts';
import { canBeAsked, countCorrection, type TooManyMails } from './buyer-limits.server.ts';
import { recordCorrection } from './corrections.server.ts';
import type { Enrolment } from './enrolment.ts';
import { invoiceFile, noteFile } from './invoice-mails.server.ts';
import { enrolmentLink } from './links.server.ts';
import { lockEnrolment, type Meanwhile, markChanged } from './lock-enrolment.server.ts';
import { owedInWords } from './money-mails.server.ts';
import type { Payer } from './order.ts';
import { withdrawPaymentReminders } from './withdraw-payment-reminders.server.ts';

export type Correction = {
  enrolmentId: number;
  name: string;
  phone: string | null;
  payer: Payer;
  actor: Actor;
  /** The buyer's new email address, if the caller changes it. */
  email?: string;
  /** Course dates that the caller needs locked afterwards: they are locked before the enrolment. */
  courseDates?: readonly number[];
};

/**
 * Corrects the buyer and payer (P30). If a tax invoice shows a corrected field, an adjustment note cancels that invoice
 * and a new one replaces it; the amount owed stays the same. `changed` is false when nothing differs. A buyer can have
 * invoices issued anew by the private link three times a day and ten times in all; undoing a correction counts too.
 * Staff can name an address for copies of invoices without its owner's agreement.
 */
export async function correctBuyer(
  trx: Trx,
  { enrolmentId, name, email, phone, payer, actor, courseDates = [] }: Correction,
  moment: Moment,
): Promise<{ ok: true; changed: boolean } | Meanwhile | TooManyMails> {
  requirePermission(actor, 'enrolments:change');
  const { today, now } = moment;
  const locked = await lockEnrolment(trx, enrolmentId, now, courseDates);
  if (!locked.ok) return locked;
  const { enrolment: before } = locked;
  const organisation = payer.kind === 'organisation' ? payer : null;
  const after = {
    buyerName: name,
    phone,
    payer: payer.kind,
    organisation: organisation?.organisation ?? null,
    abn: organisation?.abn ?? null,
    address: payer.address,
    purchaseOrder: organisation?.purchaseOrder ?? null,
    accountsEmail: organisation?.accountsEmail ?? null,
  } satisfies Partial<Enrolment>;
  const differs = (fields: readonly (keyof typeof after)[]) => fields.some((field) => before[field] !== after[field]);
  const { accountsEmail: to } = after;
  const agreeing = actor.kind !== 'buyer' && to !== null && !before.accountsConfirmed;
  if (!agreeing && !differs(Object.keys(after) as (keyof typeof after)[])) return { ok: true, changed: false };
  const reissued = differs(['buyerName', 'organisation', 'abn', 'address', 'purchaseOrder']);
  const named = to !== null && (agreeing || differs(['accountsEmail'])) ? to : null;
  const refused = actor.kind === 'buyer' ? await limitCorrection(trx, before, { reissued, named }, now) : null;
  if (refused) return refused;
  await trx
    .updateTable('enrolments')
    .set({
      buyer_name: after.buyerName,
      phone,
      payer: after.payer,
      organisation: after.organisation,
      abn: after.abn,
      address: after.address,
      purchase_order: after.purchaseOrder,
      accounts_email: after.accountsEmail,
    })
    .where('id', '=', enrolmentId)
    .execute();
  const changed = Object.fromEntries(
    Object.keys(after).map((field) => [field, differs([field as keyof typeof after])]),
  );
  const fields = { ...changed, email: email !== undefined && email !== before.email };
  const names = before.buyerName === name ? null : { before: before.buyerName, after: name };
  await recordCorrection(trx, { enrolmentId, attendeeId: null, fields, names, actor, at: now });
  if (before.accountsEmail !== null && differs(['accountsEmail'])) {
    await withdrawCopies(trx, { enrolmentId, former: before.accountsEmail }, now);
  }
  if (named !== null) {
    await nameAccountsAddress(trx, { enrolmentId, email: named, buyerEmail: before.email, actor }, moment);
  }
  const enrolment = await markChanged(trx, enrolmentId, now);
  const replacements = reissued ? await replaceInvoices(trx, { enrolmentId, today, at: now }) : [];
  // An address that gets everything so far gets no copy of the correction besides.
  const fresh = named !== null && enrolment.accountsConfirmed ? named : null;
  const buyer = { ...enrolment, email: email ?? enrolment.email };
  if (replacements.length > 0) {
    await withdrawPaymentReminders(trx, { enrolmentId, at: now, reason: 'Its invoice was corrected' });
    await queueCorrected(trx, buyer, { replacements, fresh }, moment);
  }
  if (fresh !== null) await queueAccountsDocuments(trx, enrolmentId, fresh, moment);
  return { ok: true, changed: true };
}

/**
 * Takes back copies for an accounts address that is no longer named, if they were not delivered: it may be a stranger's.
 * A mail with a private link is somebody's own, at whatever address.
 */
async function withdrawCopies(
  trx: Trx,
  { enrolmentId, former }: { enrolmentId: number; former: string },
  now: Date,
): Promise<void> {
  const copies = await trx
    .selectFrom('mails')
    .select('id')
    .where('about_kind', '=', 'enrolment')
    .where('about_id', '=', enrolmentId)
    .where(sql<string>`lower(recipient)`, '=', former.toLowerCase())
    .where(sql<boolean>`links = '{}'`)
    // An attendee at that address hears of their own place.
    .where('kind', 'not like', 'place-%')
    .where('state', 'in', ['queued', 'failed'])
    .execute();
  await withdrawMails(
    trx,
    copies.map(({ id }) => id),
    now,
    'Another address gets copies of the invoices now',
  );
}

async function limitCorrection(
  trx: Trx,
  { id, email }: Enrolment,
  { reissued, named }: { reissued: boolean; named: string | null },
  at: Date,
): Promise<TooManyMails | null> {
  if (named !== null && !(await isAgreed(trx, { email: named, buyerEmail: email, actor: theBuyer }))) {
    const refused = await canBeAsked(trx, { address: named, buyer: email }, at);
    if (refused) return refused;
  }
  return reissued && (await documentsOf(trx, id)).length > 0 ? countCorrection(trx, id, at) : null;
}

/** To the buyer, and to the address that gets copies of the invoices: both documents in one mail (P30). */
async function queueCorrected(
  trx: Trx,
  enrolment: Enrolment,
  { replacements, fresh }: { replacements: readonly Replacement[]; fresh: string | null },
  moment: Moment,
): Promise<void> {
  const { academy } = moment;
  const { id, email, reference, title } = enrolment;
  const numbers = replacements.map(({ invoice: { facts }, note }) => ({
    number: facts.number,
    replaces: facts.replaces ?? '',
    note: note.facts.number,
  }));
  const attachments = replacements.flatMap(({ invoice, note }) => [invoiceFile(invoice), noteFile(note)]);
  const about = { kind: 'enrolment', id } as const;
  const common = { kind: 'buyer-corrected', about, replyTo: academy.email, attachments };
  const link = enrolmentLink(id);
  const owes = balanceOf(await accountOf(trx, id)) > 0;
  const words = { reference, title, invoices: numbers, still: await owedInWords(trx, id, moment), owes, academy };
  await queueMail(trx, {
    ...common,
    to: email,
    links: [link],
    ...buyerCorrected({ ...words, link: placeholderOf(link) }),
  });
  const to = copiesTo(enrolment);
  if (to === null || fresh !== null) return;
  const copy = buyerCorrected({ ...words, link: null });
  await queueMail(trx, { ...common, to, ...copy });
}

/** The address of the buyer. */
export async function readBuyerEmail(trx: Trx, enrolmentId: number): Promise<string> {
  const query = trx.selectFrom('enrolments').select('email').where('id', '=', enrolmentId);
  return (await query.executeTakeFirstOrThrow()).email;
}
