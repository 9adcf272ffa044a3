import { bookingFilling } from '#app/features/bookings/links.server.ts';
import { conversationFilling } from '#app/features/conversations/links.server.ts';
import { draftFilling } from '#app/features/enrolling/draft-links.server.ts';
import { accountsFilling } from '#app/features/enrolments/accounts-address.server.ts';
import type { Circumstances } from '#app/features/enrolments/circumstances.ts';
import { enrolmentFilling, placeFilling } from '#app/features/enrolments/links.server.ts';
import { offerEndFilling, offerFilling, waitingFilling } from '#app/features/waiting/links.server.ts';
import { type PrivateLinks, privateLinks } from '#app/outbox/private-links.server.ts';

/** Every kind of private link that mails name, under a public origin without a trailing slash. */
export function openPrivateLinks(origin: string, circumstances: () => Pick<Circumstances, 'now' | 'at'>): PrivateLinks {
  return privateLinks(
    {
      enrolment: enrolmentFilling,
      place: placeFilling,
      accounts: accountsFilling,
      waiting: waitingFilling,
      'waiting-offer': offerFilling,
      'waiting-offer-end': offerEndFilling(circumstances),
      booking: bookingFilling,
      conversation: conversationFilling,
      'enrolment-draft': draftFilling,
    },
    origin,
  );
}
