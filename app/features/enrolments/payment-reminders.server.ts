import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { paymentReminder } from '#app/emails/money.ts';
import { openInvoices } from '#app/features/money/accounts.server.ts';
import { cardPaymentsOnTheirWay, disputedOf } from '#app/features/money/card/checkout-state.server.ts';
import type { OpenInvoice } from '#app/features/money/open-invoice.ts';
import { type Actor, requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { addDays, type Day, formatDay, formatDayAndMonth } from '#app/lib/dates.ts';
import { isErased } from '#app/lib/erased-address.ts';
import { formatMoney } from '#app/lib/money.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { type Mail, placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { enrolmentLink } from './links.server.ts';
import { accountFacts, invoiceFile } from './money-mails.server.ts';
import { type DueNow, duesOfInvoice, duesToAsk, lastDays, stepOf, steps } from './payment-steps.ts';

/**
 * Queues reminders of unpaid invoices three days before the due date, and three and ten days after it (P39). Each debt
 * gets each reminder once; an enrolment gets one mail with all its due invoices, and none on the day of issue.
 * Reminders stop on the first day of the course, but for instalments (P83): each has reminders of its own, whatever the
 * first day is. The program does not remind buyers of tentative course dates or cancelled places, nor while it waits for the
 * news of a completed card payment. Returns how many it queued.
 */
export async function queuePaymentReminders(db: Db, moment: Moment): Promise<number> {
  const { today, now } = moment;
  const items = await enrolmentsToRemind(db, today);
  return eachItem(
    db,
    { job: 'remind of payments', items, keyOf: (id) => `enrolment:${id}`, at: now },
    async (trx, id) => {
      if ((await cardPaymentsOnTheirWay(trx, [id], now)).has(id)) return false;
      const dues = duesToAsk(await lockedInvoices(trx, id), today);
      const told = await readTold(trx, dues);
      const agreedToday = await agreedOn(trx, dues, today);
      const wanted = dues.some((due) => {
        const step = stepOf(due, today);
        // The mail with the invoice, sent today, says it already.
        if (due.invoice.facts.issuedOn === today) return false;
        // A letter about instalments agreed today counts as a reminder too.
        if (due.instalmentId !== null && agreedToday.has(due.instalmentId)) return false;
        return step !== null && !told.some((one) => isFor(one, due) && one.step !== null && one.step >= step);
      });
      if (!wanted || told.some(({ sent_on }) => sent_on === today)) return false;
      return (await queueReminder(trx, id, dues, moment)) !== null;
    },
  );
}

/**
 * Sends a reminder by hand, of everything with a due date; once a day for each debt. It can be taken back for a minute,
 * with its bulk action if it is part of one.
 */
export async function remindNow(
  trx: Trx,
  { enrolmentId, actor, bulkAction }: { enrolmentId: number; actor: Actor; bulkAction?: number },
  moment: Moment,
): Promise<{ ok: true; mailId: string } | NotReminded> {
  requirePermission(actor, 'enrolments:change');
  const dues = await duesToRemind(trx, enrolmentId, moment);
  if (!Array.isArray(dues)) return dues;
  const mailId = await queueReminder(
    trx,
    enrolmentId,
    dues,
    moment,
    bulkAction === undefined ? { canTakeBack: true } : { bulkAction },
  );
  return mailId === null ? { ok: false, reason: 'nothing-due' } : { ok: true, mailId };
}

/** Forgets the reminders of mails that were taken back: they may be sent again, also on the same day. */
export async function forgetReminders(trx: Trx, mailIds: readonly string[]): Promise<void> {
  if (mailIds.length > 0) await trx.deleteFrom('payment_reminders').where('mail_id', 'in', mailIds).execute();
}

type NotReminded = { ok: false; reason: 'nothing-due' | 'sent-today' | 'on-its-way' };

/** The reminder that `remindNow` would send now, with the address it would go to. Changes nothing. */
export async function previewReminder(
  trx: Trx,
  actor: StaffActor,
  enrolmentId: number,
  moment: Moment,
): Promise<{ ok: true; to: string; subject: string; text: string } | NotReminded> {
  requirePermission(actor, 'enrolments:change');
  const dues = await duesToRemind(trx, enrolmentId, moment);
  if (!Array.isArray(dues)) return dues;
  const { to, mail, link } = await reminderOf(trx, enrolmentId, dues, moment);
  if (isErased(to)) return { ok: false, reason: 'nothing-due' };
  const text = mail.text.replaceAll(placeholderOf(link), '(the buyer’s private link)');
  return { ok: true, to, subject: mail.subject, text };
}

async function duesToRemind(trx: Trx, enrolmentId: number, { today, now }: Moment): Promise<DueNow[] | NotReminded> {
  if ((await cardPaymentsOnTheirWay(trx, [enrolmentId], now)).has(enrolmentId))
    return { ok: false, reason: 'on-its-way' };
  const dues = (await lockedInvoices(trx, enrolmentId)).flatMap((invoice) => duesOfInvoice(invoice, 'due'));
  if (dues.length === 0) return { ok: false, reason: 'nothing-due' };
  const told = await readTold(trx, dues);
  return told.some(({ sent_on }) => sent_on === today) ? { ok: false, reason: 'sent-today' } : dues;
}

/** Enrolments with a debt or an instalment whose latest reminder has not gone out. */
async function enrolmentsToRemind(db: Db, today: Day): Promise<number[]> {
  const soon = addDays(today, -steps[0]);
  const { rows } = await sql<{ id: number }>`
    select distinct listed.enrolment_id as id
    from (select distinct enrolment_id from due_parts where due_on between ${addDays(today, -lastDays)} and ${soon})
      as listed cross join lateral open_invoices(listed.enrolment_id) as open
    where asked_cents > 0 and (first_day is null or first_day > ${today}
        or exists (select from instalments where instalments.debt = open.debt and ended_at is null))
      and open.due_on between ${addDays(today, -lastDays)} and ${soon}
      and not exists (select from payment_reminders told
        where told.debt = open.debt and told.instalment_id is not distinct from open.instalment_id
          and (told.sent_on = ${today} or told.step >= case
            when ${today}::date >= open.due_on + ${sql.lit(steps[2])} then ${sql.lit(steps[2])}
            when ${today}::date >= open.due_on + ${sql.lit(steps[1])} then ${sql.lit(steps[1])}
            else ${sql.lit(steps[0])} end))
    order by 1`.execute(db);
  return rows.map(({ id }) => id);
}

/** Locked, so that of two processes one sees what the other sent. */
async function lockedInvoices(trx: Trx, enrolmentId: number): Promise<OpenInvoice[]> {
  await trx.selectFrom('enrolments').select('id').where('id', '=', enrolmentId).forNoKeyUpdate().execute();
  return openInvoices(trx, enrolmentId);
}

type Told = { debt: number; instalment_id: number | null; step: number | null; sent_on: Day };

const isFor = (told: Told, { invoice, instalmentId }: DueNow) =>
  told.debt === invoice.debt && told.instalment_id === instalmentId;

/** The earlier reminders for the debts that are due, of whole debts and of instalments. */
const readTold = (trx: Trx, dues: readonly DueNow[]): Promise<Told[]> =>
  trx
    .selectFrom('payment_reminders')
    .select(['debt', 'instalment_id', 'step', 'sent_on'])
    .where('debt', 'in', [0, ...dues.map(({ invoice }) => invoice.debt)])
    .execute();

/** Which of the instalments that are due were agreed on a day. */
async function agreedOn(trx: Trx, dues: readonly DueNow[], day: Day): Promise<ReadonlySet<number>> {
  const rows = await trx
    .selectFrom('instalments')
    .select('id')
    .where('id', 'in', [0, ...dues.flatMap(({ instalmentId }) => instalmentId ?? [])])
    .where(sql<boolean>`(agreed_at at time zone 'Australia/Brisbane')::date = ${day}::date`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The reminder mail and its recipient. */
async function reminderOf(trx: Trx, enrolmentId: number, dues: readonly DueNow[], { today, academy }: Moment) {
  const enrolment = await trx
    .selectFrom('enrolments')
    .select(['reference', 'title', 'email'])
    .where('id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  const first = dues
    .flatMap(({ invoice: { firstDay } }) => (firstDay !== null && firstDay > today ? firstDay : []))
    .toSorted()[0];
  const link = enrolmentLink(enrolmentId);
  const owedCents = dues.reduce((sum, { cents }) => sum + cents, 0);
  const disputedCents = (await disputedOf(trx, [enrolmentId])).get(enrolmentId) ?? 0;
  const mail = paymentReminder({
    reference: enrolment.reference,
    title: enrolment.title,
    starts: first === undefined ? null : formatDayAndMonth(first),
    invoices: dues.map(({ invoice: { facts }, cents, dueOn }) => ({
      number: facts.number,
      owed: formatMoney(cents),
      due: formatDay(dueOn ?? facts.dueOn),
      overdue: dueOn !== null && dueOn < today,
    })),
    owed: formatMoney(owedCents),
    // A smaller amount due means that a payment came since.
    takenBack: disputedCents > 0 && disputedCents <= owedCents ? formatMoney(disputedCents) : null,
    pay: dues.slice(0, 1).flatMap(({ invoice }) => accountFacts(invoice.facts)),
    link: placeholderOf(link),
    academy,
  });
  return { to: enrolment.email, first, link, mail };
}

/** Queues one reminder mail and records it; returns its id, or null where it goes to nobody. */
async function queueReminder(
  trx: Trx,
  enrolmentId: number,
  dues: readonly DueNow[],
  moment: Moment,
  takingBack: Pick<Mail, 'canTakeBack' | 'bulkAction'> = {},
): Promise<string | null> {
  const { today, academy } = moment;
  const { to, first, link, mail } = await reminderOf(trx, enrolmentId, dues, moment);
  if (isErased(to)) return null;
  const invoices = [...new Map(dues.map(({ invoice }) => [invoice.id, invoice])).values()];
  const mailId = await queueMail(trx, {
    kind: 'payment-reminder',
    about: { kind: 'enrolment', id: enrolmentId },
    to,
    replyTo: academy.email,
    links: [link],
    attachments: invoices.map(invoiceFile),
    ...takingBack,
    ...mail,
    // No reminder goes out on the first day, unless it is of an instalment.
    ...(first &&
      dues.every(({ instalmentId }) => instalmentId === null) && {
        staleAfter: instantOf(first, '00:00', academyZone),
      }),
  });
  if (mailId === null) return null;
  const reminders = dues.map((due) => ({
    enrolment_id: enrolmentId,
    debt: due.invoice.debt,
    instalment_id: due.instalmentId,
    step: stepOf(due, today),
    sent_on: today,
    mail_id: mailId,
  }));
  await trx.insertInto('payment_reminders').values(reminders).execute();
  return mailId;
}
