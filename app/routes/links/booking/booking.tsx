import { data, Form, href, Link, redirect, useNavigation } from 'react-router';
import { BookingFacts } from '#app/features/inbox/bookings/booking-facts.tsx';
import { bookingLinks } from '#app/features/inbox/bookings/calendar-links.ts';
import { dayOfStart, readTimeChoice, type TimeChoice } from '#app/features/inbox/bookings/choice.server.ts';
import { bookingKinds } from '#app/features/inbox/bookings/kinds.ts';
import { findBookingByToken } from '#app/features/inbox/bookings/queries.server.ts';
import { stateOf } from '#app/features/inbox/bookings/rules.ts';
import { DayPicker, TimeRadios, ZoneForm } from '#app/features/inbox/bookings/time-picker.tsx';
import { offeredZoneOf, useOwnZone } from '#app/features/inbox/bookings/zones.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { readOrInstead } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { mailAwaySince } from '#app/outbox/mail-health.server.ts';
import { CheckoutHead } from '#app/routes/enrol/checkout-head.tsx';
import { DeadLink } from '#app/routes/links/dead-link.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { MailAway } from '#app/ui/mail-away.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { Sign } from '#app/ui/sign.tsx';
import type { Route } from './+types/booking';
import { changeBooking } from './change.server.ts';

/** The booking of a private link. Reading it changes nothing: mail scanners open links. */
export async function loader({ context, params: { token }, url }: Route.LoaderArgs) {
  const { db, clock } = context.get(academyContext);
  const { bookings: settings } = context.get(snapshotContext).current();
  return readOrInstead('database away' as const, async () => {
    const booking = await findBookingByToken(db, token);
    if (!booking) return data(null, { status: 404 });
    const now = clock.now();
    const state = stateOf(booking, now);
    const date = url.searchParams.get('date');
    const { id, kind, reference, startsAt, endsAt, email, note, about } = booking;
    return {
      booking: { kind, reference, startsAt, endsAt, email, note, about },
      state,
      calendar: bookingLinks(kind, booking),
      choice: state === 'upcoming' ? await readTimeChoice(db, kind, { settings, now, date, except: id }) : null,
      moving: date !== null,
      done: url.searchParams.get('done'),
      mailAway: url.searchParams.has('done') ? await mailAwaySince(context) : null,
      zone: offeredZoneOf(url.searchParams.get('zone')),
      token,
    };
  });
}

export async function action({ context, request, params: { token }, url }: Route.ActionArgs) {
  const academy = context.get(academyContext);
  const { db, clock } = academy;
  const { bookings: settings } = context.get(snapshotContext).current();
  const form = await readForm(request);
  const result = await changeBooking(academy, { token, form, settings });
  if (result.ok) {
    const query = new URLSearchParams({ done: result.done });
    const zone = offeredZoneOf(url.searchParams.get('zone'));
    if (zone) query.set('zone', zone);
    throw redirect(`${href('/booking/:token', { token })}?${query}`, 303);
  }
  if (result.status === 503) return data({ form: result.form, choice: null }, { status: 503 });
  const booking = await findBookingByToken(db, token);
  if (!booking) throw data(null, { status: 404 });
  const date = dayOfStart(result.form.values.start) ?? url.searchParams.get('date');
  const now = clock.now();
  const choice = await readTimeChoice(db, booking.kind, { settings, now, date, except: booking.id });
  return data({ form: result.form, choice }, { status: result.status });
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export function headers() {
  return { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    'Your booking',
    'See, move or cancel the time you booked. Keep the address of this page private.',
    noPage,
  );

const noFault: FormState = { values: {}, errors: {}, fault: null, heading: 'Nothing was changed', token: '' };
const formId = 'move-form';

const heads = {
  moved: { title: 'Your booking was moved', lead: 'We’ll email you the new time, with an updated calendar entry.' },
  upcoming: {
    title: 'Your booking',
    lead: 'Anyone with this page’s address can move or cancel the booking, so keep it private.',
  },
  past: { title: 'Your booking', lead: 'Its time has started or passed, so you can no longer change it here.' },
  cancelled: {
    title: 'This booking is cancelled',
    lead: 'Someone else can book this time now. We’ll email you an entry that removes it from your calendar.',
  },
} as const;

export default function ManageBooking({ loaderData, actionData }: Route.ComponentProps) {
  const page = loaderData === 'database away' ? null : loaderData;
  const zone = useOwnZone(page?.zone ?? null);
  if (loaderData === 'database away') {
    return (
      <PageHead
        title="We cannot look this up right now"
        lead="Our system is not available. Your booking is saved and is not lost. Please reload this page in a few minutes."
      />
    );
  }
  if (!page) return <DeadLink />;
  const { booking, state, done } = page;
  const form = actionData?.form ?? noFault;
  const choice = (actionData && 'choice' in actionData ? actionData.choice : null) ?? page.choice;
  return (
    <>
      <CheckoutHead {...heads[state === 'upcoming' && done === 'moved' ? 'moved' : state]} />
      <div className="page grid grid-cols-1 gap-8 pt-4 pb-12 lg:pb-16">
        <MailAway since={page.mailAway} />
        <ErrorSummary form={form} labels={{ start: 'Time' }} formId={formId} />
        <BookingFacts
          booking={booking}
          zone={zone}
          calendar={state === 'upcoming' ? page.calendar : null}
          file={href('/booking/:token/booking.ics', { token: page.token })}
        />
        {state === 'upcoming' ? (
          <Changes
            token={page.token}
            zoneAsked={page.zone}
            choice={choice}
            form={form}
            zone={zone}
            open={page.moving || actionData !== undefined}
          />
        ) : (
          <p>
            <Link to={href('/book/:kind', { kind: booking.kind })} className={button.primary}>
              {bookingKinds[booking.kind].action}
            </Link>
          </p>
        )}
      </div>
    </>
  );
}

const summary = 'flex min-h-11 items-center justify-between gap-4 font-display text-xl font-bold';

/** Moving and cancelling, each behind a summary, so that nobody does either by mistake. */
function Changes({
  choice,
  form,
  zone,
  token,
  open,
  zoneAsked,
}: {
  choice: TimeChoice | null;
  form: FormState;
  zone: string | null;
  token: string;
  open: boolean;
  zoneAsked: string | null;
}) {
  const sending = useNavigation().state === 'submitting';
  const path = href('/booking/:token', { token });
  const addressOf = (date: string | null) => {
    const query = new URLSearchParams();
    if (date) query.set('date', date);
    if (zoneAsked) query.set('zone', zoneAsked);
    return query.size > 0 ? `${path}?${query}` : path;
  };
  return (
    <>
      {choice && (
        <details open={open} className="group max-w-2xl rounded-card border border-line bg-card px-5 py-3 sm:px-6">
          <summary className={summary}>
            Move it to another time
            <Sign name="down" className="size-5 shrink-0 group-open:rotate-180" />
          </summary>
          <div className="mt-3 mb-3 grid gap-7">
            <DayPicker choice={choice} addressOf={addressOf} />
            <Form id={formId} method="post" action={addressOf(choice.date)} noValidate preventScrollReset>
              <TimeRadios choice={choice} form={form} zone={zone} />
              <button type="submit" name="intent" value="move" disabled={sending} className={`${button.primary} mt-6`}>
                Move my booking
              </button>
            </Form>
            <ZoneForm action={path} zone={zone} kept={{ date: choice.date }} />
          </div>
        </details>
      )}
      <details className="group max-w-2xl rounded-card border border-line bg-card px-5 py-3 sm:px-6">
        <summary className={summary}>
          Cancel it
          <Sign name="down" className="size-5 shrink-0 group-open:rotate-180" />
        </summary>
        <Form method="post" action={path} className="mt-2 mb-3 grid gap-4">
          <p>
            Someone else can then book this time. To cancel, use this button: declining in your calendar does not
            cancel.
          </p>
          <div>
            <button type="submit" name="intent" value="cancel" disabled={sending} className={button.quiet}>
              Cancel my booking
            </button>
          </div>
        </Form>
      </details>
    </>
  );
}
