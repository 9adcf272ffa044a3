import { type AuditChange, changesBetween } from '#app/audit/changes.ts';
import type { Trx } from '#app/db/client.server.ts';
import { changeAttendee } from '#app/features/enrolments/attendees.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-enrolment.server.ts';
import { correctBuyer } from '#app/features/enrolments/correct-buyer.server.ts';
import { lockEnrolment, markChanged } from '#app/features/enrolments/lock-enrolment.server.ts';
import { queueNotes } from '#app/features/enrolments/money-mails.server.ts';
import { remindNow } from '#app/features/enrolments/payment-reminders.server.ts';
import { transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { chargedFor, issueAdjustmentNotes } from '#app/features/money/adjustment-notes.server.ts';
import { failRefund, recordPayment, recordRefund } from '#app/features/money/payments.server.ts';
import { demand, type StaffActor } from '#app/features/people/actor.ts';
import { datePlaces } from '#app/features/waiting/date-places.server.ts';
import type { Academy, Moment } from '#app/http/academy.server.ts';
import { mailDomainOf } from '#app/lib/mail-domain.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { formatMoney } from '#app/lib/money.ts';
import { type ActDone, type Refused, type StaffFormResult, takeStaffAct } from '#app/routes/staff/act.server.ts';
import { tokenField } from '#app/ui/form-state.ts';
import { attendeeForm, buyerForm, cancelForm, enrolmentForm, payerOf, transferForm } from './enrolment-forms.ts';
import { sendLinks } from './send-links.server.ts';

type Asked = { form: FormData | null; reference: string; actor: StaffActor };
type Done = ActDone | Refused | { ok: false; reason: 'missing' };

const refused = (fault: string): Refused => ({ ok: false, reason: 'refused', fault });
const done = (
  action: string,
  details: Record<string, string | number> = {},
  changes: readonly AuditChange[] = [],
): ActDone => ({ ok: true, did: { action, details, changes } });
const signed = (cents: number) => (cents < 0 ? `${formatMoney(-cents)} more owed` : formatMoney(cents));
const notReminded = {
  'nothing-due': 'Nothing is due on this enrolment, so there is nothing to remind of.',
  'sent-today': 'A reminder has gone out today already. The next can go tomorrow.',
};
const meanwhile = 'The enrolment was changed at this very moment.';

/** Takes the small forms of an enrolment's page: payments, refunds, a lower price, fresh links. */
export function takeEnrolmentAct(academy: Academy, { form, reference, actor }: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: enrolmentForm,
    subject: `enrolment:${reference}`,
    actor,
    act(trx, values, moment) {
      const { now } = moment;
      const by = { actor, at: now, idempotencyKey: `desk:${values[tokenField]}` };
      return withEnrolment(trx, reference, async (enrolmentId): Promise<Done> => {
        switch (values.act) {
          case 'payment': {
            if (values.day > moment.today) {
              return { ok: false, reason: 'refused', errors: { day: 'This day is still to come.' } };
            }
            const { amount: amountCents, day: receivedOn, method, words } = values;
            await recordPayment(trx, { ...by, enrolmentId, amountCents, receivedOn, method, words });
            return done('record-payment', { amount: formatMoney(amountCents) });
          }
          case 'refund': {
            if (!(await isPaymentOf(trx, values.payment, enrolmentId)))
              return refused('There is no such payment any more.');
            const refund = { ...by, paymentId: values.payment, amountCents: values.refunded, reason: values.why };
            const result = await recordRefund(trx, refund);
            if (!result.ok) {
              const message = `Only ${formatMoney(result.leftCents)} of this payment is left.`;
              return { ok: false, reason: 'refused', errors: { refunded: message } };
            }
            return done('record-refund', { amount: formatMoney(values.refunded) });
          }
          case 'refund-failed': {
            const failed = await failRefund(trx, { ...by, refundId: values.refund });
            return failed ? done('refund-failed') : refused('This refund is known to have failed.');
          }
          case 'credit':
            demand(actor, 'money:refund');
            return credit(trx, enrolmentId, values, moment);
          case 'remind': {
            const reminded = await remindNow(trx, { enrolmentId, actor }, moment);
            return reminded.ok ? done('remind') : refused(notReminded[reminded.reason]);
          }
          case 'links':
            demand(actor, 'enrolments:change');
            return done('send-links', { mails: await sendLinks(trx, enrolmentId, moment) });
        }
      });
    },
  });
}

/** Lowers the price of a place without cancelling it, by an adjustment note (P40). */
async function credit(
  trx: Trx,
  enrolmentId: number,
  { place, credit: cents, creditWhy: reason }: { place: number; credit: number; creditWhy: string },
  moment: Moment,
): Promise<Done> {
  const { today, now } = moment;
  const locked = await lockEnrolment(trx, enrolmentId, now);
  if (!locked.ok) return refused(meanwhile);
  if (!locked.enrolment.places.some(({ id }) => id === place)) return refused('There is no such place any more.');
  const charged = (await chargedFor(trx, enrolmentId))(place);
  if (cents > charged) {
    return {
      ok: false,
      reason: 'refused',
      errors: { credit: `Only ${formatMoney(charged)} is charged for this place.` },
    };
  }
  const credits = [{ placeId: place, cents }];
  const notes = await issueAdjustmentNotes(trx, { enrolmentId, credits, reason, today, at: now });
  const enrolment = await markChanged(trx, enrolmentId, now);
  await queueNotes(trx, enrolment, { notes, buyerHasThem: false }, moment);
  const note = notes.map(({ facts }) => facts.number).join(', ');
  const field = `chargedCents of place ${place}`;
  const changes = changesBetween({ [field]: charged }, { [field]: charged - cents });
  return done('credit', { amount: formatMoney(cents), note }, changes);
}

/** Cancels places by the ladder, or gives all of it back with a reason (P40). */
export function takeCancellation(academy: Academy, { form, reference, actor }: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: cancelForm,
    subject: `enrolment:${reference}`,
    actor,
    act(trx, { places, shown, how, reason }, moment) {
      return withEnrolment(trx, reference, async (enrolmentId): Promise<Done> => {
        const full = how === 'full';
        const cancellation = {
          enrolmentId,
          placeIds: places,
          why: 'staff',
          actor,
          ...(full && { inFull: { reason } }),
          shownCents: full ? null : shown,
        } as const;
        const result = await cancelPlaces(trx, cancellation, moment);
        if (result.ok) {
          return done('cancel-places', { places: places.length, 'to-refund': formatMoney(result.refundCents) });
        }
        if (result.reason === 'refund-changed') {
          return refused(
            `What comes off has changed since you opened this page: ${signed(result.nowCents)} instead of ${signed(result.shownCents)}. Open it again.`,
          );
        }
        return refused(result.reason === 'meanwhile' ? meanwhile : 'One of these places is cancelled or over already.');
      });
    },
  });
}

const notTransferred: Record<string, string> = {
  meanwhile,
  'not-active': 'This place is cancelled or over already.',
  'same-session': 'This place is in that session already.',
  'session-closed': 'That session takes no more enrolments.',
  'session-cancelled': 'That session was cancelled.',
  'too-far': 'That session begins in more than twelve months.',
};

/**
 * Moves a place to another date; staff may do it more than once, and after the first day (P40). Places that have no date
 * yet get one, with all others of the enrolment that wait for the same course (P38).
 */
export function takeTransfer(
  academy: Academy,
  { form, reference, actor, placeId }: Asked & { placeId: number },
): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: transferForm,
    subject: `enrolment:${reference}`,
    actor,
    act(trx, { session }, moment) {
      return withEnrolment(trx, reference, async (enrolmentId): Promise<Done> => {
        const undated = await courseWithoutDate(trx, enrolmentId, placeId);
        if (undated !== null) {
          const dated = await datePlaces(trx, { enrolmentId, courseId: undated, sessionId: session, actor }, moment);
          if (dated.ok) return done('give-date', { places: dated.places, session });
          return refused(
            dated.reason === 'session-full'
              ? `That session has ${dated.left} seats left.`
              : 'It cannot be given that date.',
          );
        }
        const transfer = { enrolmentId, placeId, toSessionId: session, actor };
        const result = await transferPlace(trx, transfer, moment);
        if (result.ok) return done('transfer-place', { place: placeId, session });
        if (result.reason === 'session-full')
          return refused('That session is full. Make its room larger, or choose another.');
        return refused(notTransferred[result.reason] ?? 'It cannot be moved there.');
      });
    },
  });
}

/** Renames an attendee or corrects what is known of them: free, and no move (P40). */
export function takeAttendee(
  academy: Academy,
  { form, reference, actor, attendeeId }: Asked & { attendeeId: number },
): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: attendeeForm,
    subject: `enrolment:${reference}`,
    actor,
    act(trx, { name, email, needs, under18, guardianName, guardianEmail }, moment) {
      return withEnrolment(trx, reference, async (enrolmentId): Promise<Done> => {
        const guardian = guardianName === null ? null : { name: guardianName, email: guardianEmail };
        const attendee = { name, email, needs, under18, guardian };
        const result = await changeAttendee(trx, { enrolmentId, attendeeId, attendee, actor }, moment);
        if (result.ok) return result.changed ? done('change-attendee') : { ok: true, did: null };
        return refused(result.reason === 'meanwhile' ? meanwhile : 'This person has no place any more.');
      });
    },
  });
}

/** The course of a place that waits for its next date; null for any other place. */
async function courseWithoutDate(trx: Trx, enrolmentId: number, placeId: number): Promise<number | null> {
  const place = await trx
    .selectFrom('places')
    .select('course_id')
    .where('id', '=', placeId)
    .where('enrolment_id', '=', enrolmentId)
    .where('way', '=', 'next-date')
    .executeTakeFirst();
  return place?.course_id ?? null;
}

/** Corrects the buyer's details (P30). With another e-mail address the buyer's links end, and fresh ones are sent there. */
export function takeBuyer(academy: Academy, { form, reference, actor }: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: buyerForm,
    subject: `enrolment:${reference}`,
    actor,
    act(trx, values, moment) {
      return withEnrolment(trx, reference, async (enrolmentId): Promise<Done> => {
        const { buyerName: name, phone, email } = values;
        const correction = { enrolmentId, name, email, phone, payer: payerOf(values), actor };
        const result = await correctBuyer(trx, correction, moment);
        if (!result.ok) return refused(meanwhile);
        const { numUpdatedRows } = await trx
          .updateTable('enrolments')
          .set({ email, mailbox: mailboxOf(email), mail_domain: mailDomainOf(email), changed_at: moment.now })
          .where('id', '=', enrolmentId)
          .where('email', '<>', email)
          .executeTakeFirst();
        if (numUpdatedRows > 0n) {
          await trx
            .deleteFrom('private_links')
            .where('enrolment_id', '=', enrolmentId)
            .where('attendee_id', 'is', null)
            .execute();
          await sendLinks(trx, enrolmentId, moment);
        }
        return result.changed || numUpdatedRows > 0n ? done('change-buyer') : { ok: true, did: null };
      });
    },
  });
}

async function isPaymentOf(trx: Trx, paymentId: number, enrolmentId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('payments')
    .select('id')
    .where('id', '=', paymentId)
    .where('enrolment_id', '=', enrolmentId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Finds an enrolment for an act. */
async function withEnrolment(trx: Trx, reference: string, act: (enrolmentId: number) => Promise<Done>): Promise<Done> {
  const row = await trx.selectFrom('enrolments').select('id').where('reference', '=', reference).executeTakeFirst();
  return row ? act(row.id) : { ok: false, reason: 'missing' };
}
