import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { wordsFit } from '#app/db/words-fit.ts';
import { buyerCorrected } from '#app/emails/enrolments.ts';
import { accountOf, documentsOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { type Replacement, replaceInvoices } from '#app/features/money/replace-invoices.server.ts';
import { type Actor, personIdOf, requirePermission, type StaffActor, theBuyer } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { mailDomainOf } from '#app/lib/mail-domain.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { endLinks } from '#app/outbox/private-links.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { withdrawMails } from '#app/outbox/withdraw-mail.server.ts';
import { copiesTo, isAgreed, nameAccountsAddress, queueAccountsDocuments } from './accounts-address.server.ts';
import { withdrawPaymentReminders } from './cancel-places.server.ts';
import { goingOnFor } from './ended-enrolments.server.ts';
import type { Enrolment } from './enrolment.ts';
import { canBeAsked, countCorrection, type TooManyMails } from './limits.server.ts';
import { enrolmentLink } from './links.server.ts';
import { lockEnrolment, type Meanwhile, markChanged } from './lock-enrolment.server.ts';
import { invoiceFile, noteFile, owedInWords } from './money-mails.server.ts';
import type { Payer } from './order.ts';

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
 * and a new one replaces it; the amount owed stays the same. `changed` is false when nothing differs. By the private
 * link a buyer can have invoices replaced three times a day and ten times in all, corrections back included. Staff can
 * name an address for copies of invoices without its owner's agreement.
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
 * Takes back undelivered copies for an accounts address that is no longer named: it may be a stranger's. A mail with a
 * private link belongs to its recipient, at any address.
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
    // An attendee at that address is told of their own place.
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

type RecordedCorrection = {
  enrolmentId: number;
  /** Null: the buyer's own details. */
  attendeeId: number | null;
  /** Which fields differ now; `person`: it is another person. */
  fields: Readonly<Record<string, boolean>>;
  /** Null when the name stays. */
  names: { before: string | null; after: string | null } | null;
  actor: Actor;
  at: Date;
};

/**
 * Records which details of a buyer or an attendee were corrected, by whom, and the name before and after (P83): staff
 * see what buyers change by themselves. Erased with the people it names.
 */
export async function recordCorrection(
  trx: Trx,
  { enrolmentId, attendeeId, fields, names, actor, at }: RecordedCorrection,
): Promise<void> {
  await trx
    .insertInto('corrections')
    .values({
      enrolment_id: enrolmentId,
      attendee_id: attendeeId,
      at,
      by_kind: actor.kind,
      person_id: personIdOf(actor),
      fields: Object.keys(fields).filter((field) => fields[field]),
      name_before: names?.before ?? null,
      name_after: names?.after ?? null,
    })
    .execute();
}

/** The corrections of an enrolment, oldest first. */
export function correctionsOf(db: Db, enrolmentId: number) {
  return db
    .selectFrom('corrections')
    .leftJoin('people', 'people.id', 'person_id')
    .leftJoin('attendees', 'attendees.id', 'attendee_id')
    .select(['corrections.id', 'at', 'by_kind', 'fields', 'name_before', 'name_after', 'people.name as by'])
    .select(['attendee_id', 'attendees.name as attendee'])
    .where('corrections.enrolment_id', '=', enrolmentId)
    .orderBy('corrections.id')
    .execute();
}

/**
 * Gives an enrolment, which the caller has locked, another address of its buyer; the buyer's private links end (P32).
 * False when it has this address already. Mails with links to the former address lead nowhere from now on.
 */
export async function changeBuyerEmail(
  trx: Trx,
  { enrolmentId, email }: { enrolmentId: number; email: string },
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('enrolments')
    .set({ email, mailbox: mailboxOf(email), mail_domain: mailDomainOf(email), changed_at: at })
    .where('id', '=', enrolmentId)
    .where('email', '<>', email)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await endLinks(trx, { enrolmentId, buyerOnly: true });
  return true;
}

/** How many buyers are offered at most; with more, staff have to type another word. */
const most = 8;

/** Buyers of earlier enrolments whose words fit, each once by their mailbox, the latest first. */
export async function findBuyers(db: Db, actor: StaffActor, search: string) {
  requirePermission(actor, 'enrolments:read');
  const named = wordsFit(search);
  if (!named) return [];
  const { rows } = await sql<{ reference: string; name: string; email: string; organisation: string | null }>`
    select reference, buyer_name as name, email, organisation from (
      select distinct on (mailbox) enrolments.* from enrolments
      where id in (select enrolment_id from enrolment_list where ${named} limit 500)
      order by mailbox, id desc
    ) as latest order by id desc limit ${most}`.execute(db);
  return rows;
}

/** The buyer of an earlier enrolment, as the fields of a new one; null when there is none. */
export async function buyerOf(db: Db, actor: StaffActor, reference: string) {
  requirePermission(actor, 'enrolments:read');
  const row = await db
    .selectFrom('enrolments')
    .select(['buyer_name', 'email', 'phone', 'organisation', 'abn', 'address', 'accounts_email'])
    .where('reference', '=', reference)
    .executeTakeFirst();
  if (!row) return null;
  const { buyer_name: buyerName, accounts_email: accountsEmail, ...rest } = row;
  return { buyerName, accountsEmail, ...rest };
}

/**
 * For each address, in lower case, the number of a person's running enrolments that write to it: as the buyer or as an
 * attendee. They keep it when it is removed from the account.
 */
export async function countAddressesInUse(db: Db, personId: number, today: Day): Promise<Map<string, number>> {
  const going = await goingOnFor(db, personId, today).select(['id', 'email', 'person_id']).execute();
  const ids = [0, ...going.map(({ id }) => id)];
  const attendees = await db
    .selectFrom('attendees')
    .select(['enrolment_id as id', 'email', 'person_id'])
    .where('person_id', '=', personId)
    .where('enrolment_id', 'in', ids)
    .execute();
  const inUse = new Map<string, Set<number>>();
  for (const { id, email, person_id } of [...going, ...attendees]) {
    if (person_id !== personId || email === null) continue;
    const address = email.toLowerCase();
    inUse.set(address, (inUse.get(address) ?? new Set()).add(id));
  }
  return new Map([...inUse].map(([address, its]) => [address, its.size]));
}
