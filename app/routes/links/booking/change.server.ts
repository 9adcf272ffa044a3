import type { Db } from '#app/db/client.server.ts';
import { cancelBooking, moveBooking } from '#app/features/bookings/commands.server.ts';
import { type BookingEvent, queueBookingMails } from '#app/features/bookings/mails.server.ts';
import type { Booking } from '#app/features/bookings/queries.server.ts';
import { parseStart } from '#app/features/bookings/schema.ts';
import { noTime } from '#app/features/bookings/submit.server.ts';
import { verifyAddress } from '#app/features/people/addresses.server.ts';
import type { BookingSettings } from '#app/features/site/site.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { busyText, troubleOf } from '#app/http/database-away.server.ts';
import type { FormState } from '#app/ui/form-state.ts';

export type ChangeResult =
  | { ok: true; done: 'moved' | 'cancelled' }
  | { ok: false; status: 400 | 409 | 503; form: FormState };

const refuse = (status: 400 | 409 | 503, parts: Partial<FormState>): ChangeResult => ({
  ok: false,
  status,
  form: { values: {}, errors: {}, fault: null, heading: 'Nothing was changed', token: '', ...parts },
});

/** Cancels the booking of a private link, or moves it, as the form of its page asks. */
export async function changeBooking(
  { db, clock, academy }: Academy,
  booking: Booking,
  form: FormData | null,
  settings: BookingSettings,
): Promise<ChangeResult> {
  const at = clock.now();
  const now = { settings, now: at };
  const mail = (trx: Db, event: BookingEvent) => queueBookingMails(trx, event, { academy: academy(), at });
  const values = { start: textOf(form, 'start') };
  try {
    if (textOf(form, 'intent') === 'cancel') {
      const result = await db.transaction().execute(async (trx) => {
        const cancelled = await cancelBooking(trx, booking.id, now);
        await verifyAddress(trx, booking.email, at);
        if (cancelled.ok && cancelled.changed) await mail(trx, { event: 'cancelled', booking: cancelled.booking });
        return cancelled;
      });
      return result.ok ? { ok: true, done: 'cancelled' } : refuse(409, { fault: faults[result.reason] });
    }
    const start = parseStart(values.start);
    if (!start) return refuse(400, { errors: { start: 'Choose a time.' } });
    const result = await db.transaction().execute(async (trx) => {
      const moved = await moveBooking(trx, booking.id, start, now);
      await verifyAddress(trx, booking.email, at);
      if (moved.ok && moved.previous)
        await mail(trx, { event: 'moved', booking: moved.booking, previous: moved.previous });
      return moved;
    });
    if (result.ok) return { ok: true, done: 'moved' };
    return 'next' in result ? refuse(409, noTime(start, result)) : refuse(409, { fault: faults[result.reason] });
  } catch (error) {
    const busy = busyText('Nothing was changed.');
    return refuse(503, { values, ...troubleOf(error, { away, busy, notStored: 'Nothing was changed' }) });
  }
}

const away =
  'Our database is away, so we could not confirm the change. Please send it again in a few minutes: doing so twice does no harm.';
const faults = {
  cancelled: 'This booking was cancelled before. To come all the same, book another time.',
  past: 'This booking has begun or is over, so it can no longer be changed here. Please telephone us.',
  'too-often':
    'This booking was moved ten times. Please telephone us to move it once more; you can still cancel it here.',
};

function textOf(form: FormData | null, name: string): string {
  const value = form?.get(name);
  return typeof value === 'string' ? value : '';
}
