import { data } from 'react-router';
import { BookingFacts } from '#app/features/inbox/bookings/booking-facts.tsx';
import { bookingLinks } from '#app/features/inbox/bookings/calendar-links.ts';
import { bookingKinds } from '#app/features/inbox/bookings/kinds.ts';
import { findBooking } from '#app/features/inbox/bookings/queries.server.ts';
import { offeredZoneOf, useOwnZone } from '#app/features/inbox/bookings/zones.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { readOrInstead } from '#app/http/database-away.server.ts';
import { isSenderProof } from '#app/http/sender-proof.server.ts';
import { mailAwaySince } from '#app/outbox/mail-health.server.ts';
import { CheckoutHead } from '#app/routes/enrol/checkout-head.tsx';
import { NotFound } from '#app/routes/storefront/frame/not-found.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { MailAway } from '#app/ui/mail-away.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/booked';

/** The booking, only for the person who just booked it; others who know the reference see its kind. */
export async function loader({ context, params: { reference }, url }: Route.LoaderArgs) {
  const { db, forms, clock } = context.get(academyContext);
  return readOrInstead('database away' as const, async () => {
    const booking = await findBooking(db, reference);
    if (!booking) return data(null, { status: 404 });
    const { kind, startsAt, endsAt, email, note, about } = booking;
    const isSender = isSenderProof(forms.secret, reference, clock.now(), url.searchParams.get('proof'));
    const own = isSender && booking.cancelledAt === null ? { startsAt, endsAt, email, note, about } : null;
    const mailAway = own && (await mailAwaySince(context));
    const calendar = own && bookingLinks(kind, own);
    return { kind, reference, own, mailAway, calendar, zone: offeredZoneOf(url.searchParams.get('zone')) };
  });
}

export function headers() {
  return { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Booked', 'Your time is booked. Here are its reference, the time and what happens next.', noPage);

export default function Booked({ loaderData }: Route.ComponentProps) {
  const asked = loaderData && loaderData !== 'database away' ? loaderData.zone : null;
  const zone = useOwnZone(asked);
  if (loaderData === 'database away') {
    return (
      <PageHead
        title="We cannot look this up right now"
        lead="Our system is not available. If you got a reference, your booking is saved and is not lost. Please reload this page in a few minutes."
      />
    );
  }
  if (!loaderData) return <NotFound />;
  const { kind, reference, own, mailAway, calendar } = loaderData;
  if (!own) {
    return (
      <PageHead
        title={`${bookingKinds[kind].title}, ${reference}`}
        lead="Your confirmation email shows the time and has the link to move or cancel the booking."
      />
    );
  }
  return (
    <>
      <CheckoutHead
        title="Your time is booked"
        lead="We’ll email you a confirmation, with a calendar entry and the link to move or cancel."
      />
      <div className="page pt-4 pb-12 lg:pb-16">
        <MailAway since={mailAway}>Your time is booked.</MailAway>
        <BookingFacts booking={{ kind, reference, ...own }} zone={zone} calendar={calendar} />
        <p className="mt-6 max-w-prose">
          The email goes to <b className="wrap-anywhere">{own.email}</b>. If we emailed that address within the last
          hour, we send it when the hour is over.{' '}
          {mailAway === null
            ? 'Nothing there? Check your spam folder, then email or call us and quote the reference.'
            : 'Any questions? Email or call us and quote the reference.'}
        </p>
      </div>
    </>
  );
}
