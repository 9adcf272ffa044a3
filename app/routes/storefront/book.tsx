import { data, Form, href, Link, redirect, useNavigation } from 'react-router';
import { dayOfStart, readTimeChoice } from '#app/features/inbox/bookings/choice.server.ts';
import { bookingKindOf, bookingKinds } from '#app/features/inbox/bookings/kinds.ts';
import { submitBooking } from '#app/features/inbox/bookings/submit.server.ts';
import { DayPicker, TimeRadios, ZoneForm } from '#app/features/inbox/bookings/time-picker.tsx';
import { offeredZoneOf, useOwnZone } from '#app/features/inbox/bookings/zones.ts';
import { subjectOf } from '#app/features/inbox/enquiries/subjects.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { freshForm, readForm } from '#app/http/forms.server.ts';
import { signSenderProof } from '#app/http/sender-proof.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { FormGuards, TextArea, TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/book';
import { NotFound } from './frame/not-found.tsx';

/** The query of the address: the kind of booking, and the subject of the page before. */
function askedFor({ context, params, url }: Pick<Route.LoaderArgs, 'context' | 'params' | 'url'>) {
  const academy = context.get(academyContext);
  const snapshot = context.get(snapshotContext).current();
  return {
    academy,
    settings: snapshot.bookings,
    kind: bookingKindOf(params.kind),
    zone: offeredZoneOf(url.searchParams.get('zone')),
    subject: subjectOf(snapshot, url.searchParams.get('about'), academyToday(academy.clock)),
  };
}

export async function loader(args: Route.LoaderArgs) {
  const { academy, settings, kind, zone, subject } = askedFor(args);
  if (!kind) return data(null, { status: 404 });
  const date = args.url.searchParams.get('date');
  const choice = await readTimeChoice(academy.db, kind, { settings, now: academy.clock.now(), date });
  const { site } = args.context.get(snapshotContext).current();
  const page = {
    kind,
    zone,
    subject,
    choice,
    phone: site.phone,
    minutes: settings.lengths[kind],
    form: freshForm(academy.forms),
  };
  return choice ? page : data(page, { status: 503, headers: { 'Retry-After': '60' } });
}

export async function action(args: Route.ActionArgs) {
  const { academy, settings, kind, zone, subject } = askedFor(args);
  if (!kind) throw data(null, { status: 404 });
  const result = await submitBooking(academy, {
    form: await readForm(args.request),
    address: args.context.get(clientAddressContext),
    kind,
    about: subject?.label ?? null,
    settings,
  });
  if (result.ok) {
    const { reference } = result;
    const query = new URLSearchParams({
      proof: signSenderProof(academy.forms.secret, reference, academy.clock.now()),
    });
    if (zone) query.set('zone', zone);
    throw redirect(`${href('/booked/:reference', { reference })}?${query}`, 303);
  }
  const date = dayOfStart(result.form.values.start) ?? args.url.searchParams.get('date');
  const choice = await readTimeChoice(academy.db, kind, { settings, now: academy.clock.now(), date });
  return data({ form: result.form, choice }, { status: result.status });
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export function headers() {
  return { 'Cache-Control': 'no-store' };
}

const pages = {
  'career-counseling': {
    lead: 'Talk to an adviser about where you are and what comes next, by phone or video. It is free, with no obligation.',
    description:
      'Choose a free time for a conversation with an adviser about your next step, in your own time zone or Brisbane’s.',
  },
  'virtual-tour': {
    lead: 'See the classrooms and the labs over video, with someone to ask. It is free, with no obligation.',
    description:
      'Choose a free time to see the classrooms and labs over video with someone to ask, in your own time zone or Brisbane’s.',
  },
} as const;

export const meta: Route.MetaFunction = (at) => {
  const kind = bookingKindOf(at.params.kind ?? '');
  if (!kind) {
    const text = 'You cannot book that. Both kinds of booking are on the contact page.';
    return pageMeta(at, 'Not found', text, noPage);
  }
  return pageMeta(at, `${bookingKinds[kind].action}: ${bookingKinds[kind].title}`, pages[kind].description);
};

const labels = { start: 'Time', name: 'Name', email: 'Email', note: 'Note' };
const formId = 'booking-form';

export default function Book({ loaderData, actionData }: Route.ComponentProps) {
  const sending = useNavigation().state === 'submitting';
  const zone = useOwnZone(loaderData?.zone ?? null);
  if (!loaderData) return <NotFound />;
  const { kind, subject, minutes, phone } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const choice = (actionData && 'choice' in actionData ? actionData.choice : null) ?? loaderData.choice;
  const { title, action: label } = bookingKinds[kind];
  const about = subject?.about ?? null;
  const addressOf = (date: string | null) => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ date, zone: loaderData.zone, about }))
      if (value) query.set(name, value);
    return query.size > 0 ? `${href('/book/:kind', { kind })}?${query}` : href('/book/:kind', { kind });
  };
  return (
    <>
      <PageHead title={`${title}: ${minutes} minutes`} lead={pages[kind].lead} />
      <div className="page grid gap-x-14 gap-y-12 py-12 lg:grid-cols-[minmax(0,1fr)_20rem] lg:py-16">
        <div className="min-w-0">
          <ErrorSummary form={form} labels={labels} formId={formId} />
          {choice === null ? (
            <p className="mb-10 max-w-prose rounded-card border border-line bg-card p-5">
              We cannot show the free times right now: our system is not available. Please reload this page in a few
              minutes, or call {phone}.
            </p>
          ) : (
            <section aria-labelledby="day-title" className="mb-10">
              <h2 id="day-title" className="mb-4 text-3xl">
                1. Choose a day
              </h2>
              <DayPicker choice={choice} addressOf={addressOf} />
              <div className="mt-5">
                <ZoneForm action={href('/book/:kind', { kind })} zone={zone} kept={{ date: choice.date, about }} />
              </div>
            </section>
          )}
          <Form
            id={formId}
            method="post"
            action={addressOf(choice?.date ?? null)}
            noValidate
            preventScrollReset
            className="relative grid max-w-2xl gap-10"
          >
            <section aria-labelledby="time-title">
              <h2 id="time-title" className="mb-4 text-3xl">
                2. Choose a time
              </h2>
              {choice ? (
                <TimeRadios choice={choice} form={form} zone={zone} />
              ) : (
                <input type="hidden" name="start" value={form.values.start ?? ''} />
              )}
            </section>
            <section aria-labelledby="person-title" className="grid gap-5">
              <h2 id="person-title" className="text-3xl">
                3. Who comes
              </h2>
              {subject && (
                <p>
                  About: <b>{subject.label}</b>
                </p>
              )}
              <TextField form={form} name="name" label="Name" autoComplete="name" required />
              <TextField
                form={form}
                name="email"
                label="Email"
                type="email"
                autoComplete="email"
                hint="We email your confirmation there, with the link to move or cancel."
                required
              />
              <TextArea
                form={form}
                name="note"
                label="Note"
                hint="What you would like to talk about, or your number if you prefer a call."
              />
              <FormGuards form={form} />
              <p className="text-sm text-mute">
                We use what you send only for this booking.{' '}
                <Link to={href('/privacy')} className="font-bold text-link underline underline-offset-4">
                  How we treat your data
                </Link>
              </p>
              <div>
                <button type="submit" disabled={sending} className={button.primary}>
                  {sending ? 'Sending' : label}
                </button>
              </div>
            </section>
          </Form>
        </div>
        <aside className="min-w-0">
          <div className="rounded-card border border-line bg-card p-6">
            <h2 className="text-xl">What happens next</h2>
            <ul className="mt-3 grid list-disc gap-2 pl-5">
              <li>The time is yours as soon as you send the form.</li>
              <li>An email confirms it, with an entry for your calendar.</li>
              <li>We’ll email you how to join before the time.</li>
              <li>
                No time suits you? Call{' '}
                <a
                  href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}
                  className="font-bold whitespace-nowrap text-link underline underline-offset-4"
                >
                  {phone}
                </a>
                .
              </li>
            </ul>
          </div>
        </aside>
      </div>
    </>
  );
}
