import type { BookingSettings } from '#app/features/catalogue/site/site.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { type SubmitResult, takeVisitorForm } from '#app/http/forms.server.ts';
import type { FieldErrors } from '#app/ui/form-state.ts';
import { bookTime, mostBookings, type NoTime, type TooMany } from './commands.server.ts';
import type { BookingKind } from './kinds.ts';
import { queueBookingMails } from './mails.server.ts';
import { findSameBooking } from './queries.server.ts';
import { type BookingForm, bookingFields, parseBooking } from './schema.ts';
import { formatAcademyTime } from './zones.ts';

/** Takes the form of a booking and books the time; what `takeVisitorForm` says of refusals holds. */
export function submitBooking(
  { forms, academy }: Pick<Academy, 'forms' | 'academy'>,
  {
    form,
    address,
    kind,
    about,
    settings,
  }: {
    form: FormData | null;
    address: string;
    kind: BookingKind;
    /** The subject of the page from which the person came. */
    about: string | null;
    settings: BookingSettings;
  },
): Promise<SubmitResult> {
  return takeVisitorForm<BookingForm>(
    forms,
    { form, address },
    {
      name: kind,
      fields: bookingFields,
      parse: parseBooking,
      async store(trx, wish, { at }) {
        const result = await bookTime(trx, { ...wish, kind, about }, { settings, now: at });
        if (result.ok) {
          const { booking } = result;
          if (booking) await queueBookingMails(trx, { event: 'booked', booking }, { academy: academy(), at });
          return result;
        }
        if ('next' in result) return noTime(wish.start, result);
        const errors: FieldErrors =
          result.reason === 'overlaps' ? { start: overlaps } : { email: tooMany[result.reason] };
        return { errors };
      },
      findRepeat: (trx, wish) => findSameBooking(trx, { ...wish, kind }),
    },
  );
}

const tooMany: Record<TooMany['reason'], string> = {
  'too-soon':
    'We sent this address a booking confirmation less than an hour ago. To change that booking, use the link in the email. To make another, wait an hour or call us.',
  'too-many': `There are ${mostBookings} bookings for this address. Use the link in its email to move or cancel one, or call us.`,
};

/** The person who typed an address may be a stranger, so the answer does not say which bookings it has. */
const overlaps =
  'This address has a booking at that time already. To change that booking, use the link in its email. To make another, choose another time.';

/** Says that a time cannot be had, and chooses the next one instead. */
export function noTime(start: Date, { reason, next }: NoTime) {
  const what = reason === 'taken' ? 'has just been taken by someone else' : 'can no longer be booked';
  const then = next
    ? `The next free time is ${formatAcademyTime(next)}. It is chosen below; send the form again to take it, or choose another.`
    : 'No other time is free in the next four weeks. Please email or call us, and we’ll find one.';
  return {
    errors: { start: `${formatAcademyTime(start)} ${what}. ${then}` },
    values: { start: next?.toISOString() ?? '' },
  };
}
