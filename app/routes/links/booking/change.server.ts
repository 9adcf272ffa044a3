import type { Db } from '#app/db/client.server.ts';
import type { BookingSettings } from '#app/features/catalogue/site/site.ts';
import { cancelBooking, moveBooking } from '#app/features/inbox/bookings/commands.server.ts';
import { type BookingEvent, queueBookingMails } from '#app/features/inbox/bookings/mails.server.ts';
import { findBookingByToken } from '#app/features/inbox/bookings/queries.server.ts';
import { parseStart } from '#app/features/inbox/bookings/schema.ts';
import { noTime } from '#app/features/inbox/bookings/submit.server.ts';
import { verifyAddress } from '#app/features/people/addresses.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { busyText, twiceIsHarmless } from '#app/http/database-away.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { blankForm, type FormWords, type Refusal, takeForm } from '#app/http/take-form.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';

type Changed = { ok: true; done: 'moved' | 'cancelled' };

/** Cancels the booking of a private link, or moves it, as the form of its page asks. */
export function changeBooking(
  { db, clock, academy }: Academy,
  { token, form, settings }: { token: string; form: FormData | null; settings: BookingSettings },
): Promise<Changed | Refusal> {
  const at = clock.now();
  const now = { settings, now: at };
  const mail = (trx: Db, event: BookingEvent) => queueBookingMails(trx, event, { academy: academy(), at });
  const { intent, start: wished = '' } = textsOf(form);
  const fresh = blankForm('Nothing was changed');
  return takeForm({ form, fresh, words, values: { start: wished } }, async (_, refuse): Promise<Changed | Refusal> => {
    const booking = await findBookingByToken(db, token);
    if (!booking) return refuse(404, {});
    if (intent === 'cancel') {
      const result = await db.transaction().execute(async (trx) => {
        const cancelled = await cancelBooking(trx, booking.id, now);
        await verifyAddress(trx, booking.email, at);
        if (cancelled.ok && cancelled.changed) await mail(trx, { event: 'cancelled', booking: cancelled.booking });
        return cancelled;
      });
      return result.ok ? { ok: true, done: 'cancelled' } : refuse(409, faults[result.reason]);
    }
    const start = parseStart(wished);
    if (!start) return refuse(400, { errors: { start: 'Choose a time.' } });
    const result = await db.transaction().execute(async (trx) => {
      const moved = await moveBooking(trx, booking.id, start, now);
      await verifyAddress(trx, booking.email, at);
      if (moved.ok && moved.previous)
        await mail(trx, { event: 'moved', booking: moved.booking, previous: moved.previous });
      return moved;
    });
    if (result.ok) return { ok: true, done: 'moved' };
    if (result.reason === 'overlaps') return refuse(409, { errors: { start: overlaps } });
    return refuse(409, 'next' in result ? noTime(start, result) : faults[result.reason]);
  });
}

const words: FormWords = {
  unreadable: 'Part of the form was missing. Nothing was changed. Please send it again.',
  away: unconfirmedText('the change', twiceIsHarmless),
  busy: busyText('Nothing was changed.'),
};
const overlaps = 'You have another booking at that time. Choose another time, or cancel the other one first.';
const faults = {
  cancelled: 'This booking is already cancelled. To come after all, book another time.',
  past: 'Your booking has started or is over, so you can no longer change it here. Please call us.',
  'too-often': 'This booking was moved ten times. Please call us to move it again; you can still cancel it here.',
};
