import { z } from 'zod';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Trx } from '#app/db/client.server.ts';
import type { BookingSettings } from '#app/features/catalogue/site/site.ts';
import { bookTime, cancelBooking, moveBooking } from '#app/features/inbox/bookings/commands.server.ts';
import type { BookingKind } from '#app/features/inbox/bookings/kinds.ts';
import { type BookingEvent, queueBookingMails } from '#app/features/inbox/bookings/mails.server.ts';
import { findBooking } from '#app/features/inbox/bookings/queries.server.ts';
import { bookingFormFields, startField } from '#app/features/inbox/bookings/schema.ts';
import { formatAcademyTime } from '#app/features/inbox/bookings/zones.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { common, type Refused, type StaffFormResult, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import type { Academy, Moment } from '#app/http/academy.server.ts';

const changeForm = z.discriminatedUnion('act', [
  z.object({ ...common, act: z.literal('move'), start: startField }),
  z.object({ ...common, act: z.literal('cancel') }),
]);
const newForm = z.object({ ...common, ...bookingFormFields });

type Asked = { form: FormData | null; actor: StaffActor; settings: BookingSettings };

/** Moves or cancels a booking for its holder, who gets the same email as by their own link. */
export function takeBookingChange(
  academy: Academy,
  { form, actor, settings, reference }: Asked & { reference: string },
): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: changeForm,
    subject: `booking:${reference}`,
    actor,
    words: { where: 'the time at the top' },
    async act(trx, values, { now }) {
      const booking = await findBooking(trx, reference);
      if (!booking) return { ok: false, reason: 'missing' };
      const tell = telling(trx, academy, { actor, now });
      if (values.act === 'cancel') {
        const result = await cancelBooking(trx, booking.id, { now, actor });
        if (!result.ok) return refused(past);
        if (!result.changed) return { ok: true, did: null };
        await tell({ event: 'cancelled', booking: result.booking });
        return { ok: true, did: { action: 'cancel-booking' } };
      }
      const result = await moveBooking(trx, booking.id, values.start, { settings, now, actor });
      if (result.ok && result.previous) {
        await tell({ event: 'moved', booking: result.booking, previous: result.previous });
        return { ok: true, did: { action: 'move-booking' } };
      }
      if (result.ok) return { ok: true, did: null };
      if (result.reason === 'overlaps' || 'next' in result) return noTime(values.start, result);
      return refused(result.reason === 'cancelled' ? 'This booking is cancelled.' : past);
    },
  });
}

/** Books a time for somebody on the telephone. The reference is told when it was booked. */
export async function takeNewBooking(
  academy: Academy,
  { form, actor, settings, kind }: Asked & { kind: BookingKind },
): Promise<StaffFormResult & { reference?: string }> {
  let reference: string | undefined;
  const result = await takeStaffAct(academy, {
    form,
    schema: newForm,
    subject: 'booking:new',
    actor,
    compares: false,
    async act(trx, { start, name, email, note }, { now }) {
      const wish = { kind, start, name, email, note, about: null };
      const booked = await bookTime(trx, wish, { settings, now, actor });
      if (!booked.ok) return noTime(start, booked);
      reference = booked.reference;
      if (booked.booking) await telling(trx, academy, { actor, now })({ event: 'booked', booking: booked.booking });
      const entry = { at: now, personId: actor.person.id, subject: `booking:${reference}` };
      await writeAuditEntry(trx, { ...entry, action: 'book-time' });
      return { ok: true, did: null };
    },
  });
  return reference ? { ...result, reference } : result;
}

const telling =
  (trx: Trx, { academy }: Academy, { actor, now }: Pick<Moment, 'now'> & { actor: StaffActor }) =>
  (event: BookingEvent) =>
    queueBookingMails(trx, event, { academy: academy(), at: now, staff: actor.person.name });

const refused = (fault: string): Refused => ({ ok: false, reason: 'refused', fault });
const past = 'It has begun or is over, so it can no longer be changed.';
const noTime = (start: Date, { reason }: { reason: string }): Refused => ({
  ok: false,
  reason: 'refused',
  errors: {
    start:
      reason === 'overlaps'
        ? 'This address has another booking at that time. Choose another time.'
        : `${formatAcademyTime(start)} is not free any more. Choose another time.`,
  },
});
