import { offerFilling, requestFilling } from '#app/features/companies/links.server.ts';
import { accountsFilling } from '#app/features/enrolments/accounts-address.server.ts';
import { draftFilling } from '#app/features/enrolments/enrolling/draft-links.server.ts';
import { enrolmentFilling, placeFilling } from '#app/features/enrolments/links.server.ts';
import { offerEndFilling, waitingFilling, waitingOfferFilling } from '#app/features/enrolments/waiting/mails.server.ts';
import { bookingFilling } from '#app/features/inbox/bookings/links.server.ts';
import { conversationFilling } from '#app/features/inbox/conversations/links.server.ts';
import type { Clock } from '#app/lib/clock.ts';
import { type PrivateLinks, privateLinks } from '#app/outbox/private-links.server.ts';

/** Every kind of private link that mails name, under a public origin without a trailing slash. */
export function openPrivateLinks(origin: string, clock: Clock): PrivateLinks {
  return privateLinks(
    {
      enrolment: enrolmentFilling,
      place: placeFilling,
      accounts: accountsFilling,
      waiting: waitingFilling,
      'waiting-offer': waitingOfferFilling,
      'waiting-offer-end': offerEndFilling(clock),
      booking: bookingFilling,
      conversation: conversationFilling,
      'enrolment-draft': draftFilling,
      offer: offerFilling,
      'employer-request': requestFilling,
    },
    origin,
  );
}
