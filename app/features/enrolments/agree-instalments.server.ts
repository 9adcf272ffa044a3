import type { Trx } from '#app/db/client.server.ts';
import { instalmentsAgreed } from '#app/emails/money.ts';
import { openInvoices } from '#app/features/money/accounts.server.ts';
import type { Instalment, NotAgreed } from '#app/features/money/instalment-rules.ts';
import { agreedOf, agreeInstalments, endInstalments } from '#app/features/money/instalments.server.ts';
import { duesOf, type OpenInvoice } from '#app/features/money/open-invoice.ts';
import type { Actor } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { formatDay } from '#app/lib/dates.ts';
import { isErased } from '#app/lib/erased-address.ts';
import { formatMoney } from '#app/lib/money.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { copiesTo } from './accounts-address.server.ts';
import { withdrawPaymentReminders } from './cancel-places.server.ts';
import type { Enrolment } from './enrolment.ts';
import { enrolmentLink } from './links.server.ts';
import { lockEnrolment, type Meanwhile } from './lock-enrolment.server.ts';
import { accountFacts } from './money-mails.server.ts';

const otherDay = 'Another day to pay was agreed';

type Asked = { enrolmentId: number; invoiceId: number; actor: Actor };
type Agreed = { ok: true; number: string; before: readonly Instalment[] };

/** Agrees with a buyer on instalments for an open invoice and writes them to the buyer (P83); twice is once. */
export async function agreeOnInstalments(
  trx: Trx,
  { instalments, ...asked }: Asked & { instalments: readonly Instalment[] },
  moment: Moment,
): Promise<Agreed | NotAgreed | Meanwhile | { ok: false; reason: 'not-open' }> {
  const locked = await lockEnrolment(trx, asked.enrolmentId, moment.now);
  if (!locked.ok) return locked;
  const before = await agreedFor(trx, asked);
  const agreed = await agreeInstalments(trx, { ...asked, instalments }, moment);
  if (!agreed.ok) return agreed;
  await withdrawPaymentReminders(trx, { enrolmentId: asked.enrolmentId, at: moment.now, reason: otherDay });
  await tell(trx, locked.enrolment, agreed.invoice, moment);
  return { ok: true, number: agreed.invoice.facts.number, before };
}

/** Ends the agreement on an invoice: its own due date holds again, and we email the buyer. */
export async function endAgreement(
  trx: Trx,
  asked: Asked,
  moment: Moment,
): Promise<Agreed | Meanwhile | { ok: false; reason: 'not-agreed' }> {
  const locked = await lockEnrolment(trx, asked.enrolmentId, moment.now);
  if (!locked.ok) return locked;
  const before = await agreedFor(trx, asked);
  const invoice = await endInstalments(trx, asked, moment);
  if (!invoice) return { ok: false, reason: 'not-agreed' };
  await withdrawPaymentReminders(trx, { enrolmentId: asked.enrolmentId, at: moment.now, reason: otherDay });
  await tell(trx, locked.enrolment, invoice, moment);
  return { ok: true, number: invoice.facts.number, before };
}

/** The instalments agreed for an invoice until now. */
async function agreedFor(trx: Trx, { enrolmentId, invoiceId }: Asked): Promise<readonly Instalment[]> {
  const invoice = (await openInvoices(trx, enrolmentId)).find(({ id }) => id === invoiceId);
  return (invoice && (await agreedOf(trx, enrolmentId)).get(invoice.debt)) ?? [];
}

/** To the buyer, and to the address that gets copies of the invoices. */
async function tell(trx: Trx, enrolment: Enrolment, invoice: OpenInvoice, { academy }: Moment): Promise<void> {
  const { id, reference, title, email } = enrolment;
  const dues = duesOf(invoice);
  const words = {
    reference,
    title,
    number: invoice.facts.number,
    agreed: invoice.instalments.length > 0,
    // For a date that is not confirmed nothing is due yet, whatever was agreed.
    waits: dues.length === 0,
    instalments: (dues.length > 0 ? dues : await plannedOf(trx, enrolment.id, invoice)).map(({ dueOn, cents }) => ({
      day: formatDay(dueOn),
      amount: formatMoney(cents),
    })),
    pay: accountFacts(invoice.facts),
    academy,
  };
  const common = { kind: 'instalments-agreed', about: { kind: 'enrolment', id } as const, replyTo: academy.email };
  const link = enrolmentLink(id);
  if (!isErased(email)) {
    const mail = instalmentsAgreed({ ...words, link: placeholderOf(link) });
    await queueMail(trx, { ...common, to: email, links: [link], ...mail });
  }
  const accounts = copiesTo(enrolment);
  if (accounts) await queueMail(trx, { ...common, to: accounts, ...instalmentsAgreed({ ...words, link: null }) });
}

const plannedOf = async (trx: Trx, enrolmentId: number, { debt }: OpenInvoice) =>
  (await agreedOf(trx, enrolmentId)).get(debt) ?? [];
