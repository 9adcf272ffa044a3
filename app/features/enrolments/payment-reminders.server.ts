import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { paymentReminder } from '#app/emails/payment-reminder.ts';
import type { OpenInvoice } from '#app/features/money/open-invoice.ts';
import { openInvoices } from '#app/features/money/open-invoices.server.ts';
import { type Actor, demand } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import { addDays, type Day, formatDay, formatDayAndMonth } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { accountFacts, invoiceFile } from './invoice-mails.server.ts';
import { enrolmentLink } from './links.server.ts';
import { isErased } from './personal-records.server.ts';

/** The days of the reminders of an unpaid invoice, counted from its due date. */
const steps = [-3, 3, 10] as const;
/** From so many days after the due date the program starts no reminders: staff see the invoice in their list. */
const lastDays = 30;

/**
 * Queues reminders of unpaid invoices three days before the due date, and three and ten days after it (P39). Each debt
 * gets each reminder once; an enrolment gets one mail with all its due invoices, and none on the day of issue.
 * Reminders stop on the first day of the course. The program does not remind buyers of tentative sessions or cancelled
 * places. Returns how many it queued.
 */
export async function queuePaymentReminders(db: Db, moment: Moment): Promise<number> {
  const { today, now } = moment;
  const items = await enrolmentsToRemind(db, today);
  return eachItem(
    db,
    { job: 'remind of payments', items, keyOf: (id) => `enrolment:${id}`, at: now },
    async (trx, id) => {
      const open = (await lockedInvoices(trx, id)).filter(
        ({ askedCents, firstDay }) => askedCents > 0 && (firstDay === null || firstDay > today),
      );
      const told = await readTold(trx, open);
      const wanted = open.some((invoice) => {
        const step = stepOf(invoice, today);
        // The mail with the invoice, sent today, says it already.
        if (invoice.facts.issuedOn === today) return false;
        return step !== null && !told.some((one) => one.debt === invoice.debt && one.step !== null && one.step >= step);
      });
      if (!wanted || told.some(({ sent_on }) => sent_on === today)) return false;
      const asked = open.map(({ askedCents, ...invoice }) => ({ ...invoice, askedCents, cents: askedCents }));
      return queueReminder(trx, id, asked, moment);
    },
  );
}

/** Sends a reminder at once, of every invoice with a due date; once a day for each debt. */
export async function remindNow(
  trx: Trx,
  { enrolmentId, actor }: { enrolmentId: number; actor: Actor },
  moment: Moment,
): Promise<{ ok: true } | { ok: false; reason: 'nothing-due' | 'sent-today' }> {
  demand(actor, 'enrolments:change');
  const open = (await lockedInvoices(trx, enrolmentId)).filter(({ dueCents }) => dueCents > 0);
  if (open.length === 0) return { ok: false, reason: 'nothing-due' };
  const told = await readTold(trx, open);
  if (told.some(({ sent_on }) => sent_on === moment.today)) return { ok: false, reason: 'sent-today' };
  const asked = open.map(({ dueCents, ...invoice }) => ({ ...invoice, dueCents, cents: dueCents }));
  const queued = await queueReminder(trx, enrolmentId, asked, moment);
  return queued ? { ok: true } : { ok: false, reason: 'nothing-due' };
}

/** The last step that an invoice has reached; null before the first, and when it is too late for any. */
function stepOf({ dueOn }: Pick<OpenInvoice, 'dueOn'>, today: Day): (typeof steps)[number] | null {
  if (dueOn === null || today > addDays(dueOn, lastDays)) return null;
  return steps.findLast((days) => today >= addDays(dueOn, days)) ?? null;
}

/** Enrolments with a debt whose latest reminder has not gone out. */
async function enrolmentsToRemind(db: Db, today: Day): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct enrolment_index.enrolment_id as id
    from enrolment_index cross join lateral open_invoices(enrolment_index.enrolment_id) as open
    where balance_cents > 0 and enrolment_index.due_on <= ${addDays(today, -steps[0])}
      and asked_cents > 0 and (first_day is null or first_day > ${today})
      and open.due_on between ${addDays(today, -lastDays)} and ${addDays(today, -steps[0])}
      and not exists (select from payment_reminders told where told.debt = open.debt
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

function readTold(trx: Trx, open: readonly OpenInvoice[]) {
  return trx
    .selectFrom('payment_reminders')
    .select(['debt', 'step', 'sent_on'])
    .where('debt', 'in', [0, ...open.map(({ debt }) => debt)])
    .execute();
}

/** Queues one mail about invoices that are due, and remembers it. */
async function queueReminder(
  trx: Trx,
  enrolmentId: number,
  asked: readonly (OpenInvoice & { cents: number })[],
  { today, academy }: Moment,
): Promise<boolean> {
  const enrolment = await trx
    .selectFrom('enrolments')
    .select(['reference', 'title', 'email'])
    .where('id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  if (isErased(enrolment.email)) return false;
  const first = asked.flatMap(({ firstDay }) => (firstDay !== null && firstDay > today ? firstDay : [])).toSorted()[0];
  const link = enrolmentLink(enrolmentId);
  const mailId = await queueMail(trx, {
    kind: 'payment-reminder',
    about: { kind: 'enrolment', id: enrolmentId },
    to: enrolment.email,
    replyTo: academy.email,
    links: [link],
    attachments: asked.map(invoiceFile),
    ...paymentReminder({
      reference: enrolment.reference,
      title: enrolment.title,
      starts: first === undefined ? null : formatDayAndMonth(first),
      invoices: asked.map(({ facts, cents, dueOn }) => ({
        number: facts.number,
        owed: formatMoney(cents),
        due: formatDay(dueOn ?? facts.dueOn),
        overdue: dueOn !== null && dueOn < today,
      })),
      owed: formatMoney(asked.reduce((sum, { cents }) => sum + cents, 0)),
      pay: asked.slice(0, 1).flatMap(({ facts }) => accountFacts(facts)),
      link: placeholderOf(link),
      academy,
    }),
    // No reminder goes out on the first day.
    ...(first && { staleAfter: instantOf(first, '00:00', 'Australia/Brisbane') }),
  });
  if (mailId === null) return false;
  await trx
    .insertInto('payment_reminders')
    .values(
      asked.map((invoice) => ({
        enrolment_id: enrolmentId,
        debt: invoice.debt,
        step: stepOf(invoice, today),
        sent_on: today,
        mail_id: mailId,
      })),
    )
    .execute();
  return true;
}
