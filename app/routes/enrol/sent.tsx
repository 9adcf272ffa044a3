import { data, href, Link } from 'react-router';
import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import { findEnquiry } from '#app/features/enquiries/queries.server.ts';
import type { EnquiryKind } from '#app/features/enquiries/schema.ts';
import { enquiriesContext } from '#app/features/enquiries/submit.server.ts';
import { NotFound } from '#app/routes/storefront/frame/not-found.tsx';
import { pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/sent';

export async function loader({ context, params: { reference } }: Route.LoaderArgs) {
  try {
    const enquiry = await findEnquiry(context.get(enquiriesContext).db, reference);
    return enquiry ? { ...enquiry, reference } : data(null, { status: 404 });
  } catch (error) {
    if (!isConnectionFailure(error)) throw error;
    return data('database away' as const, { status: 503, headers: { 'Retry-After': '60' } });
  }
}

export function headers() {
  return { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };
}

export const meta: Route.MetaFunction = () =>
  pageMeta('Sent', 'What you sent has arrived. Here are its reference and what happens next.');

const next: Record<EnquiryKind, { title: string; text: string }> = {
  contact: {
    title: 'Your message has arrived',
    text: 'Staff reply to your e-mail address within one business day.',
  },
  booking: {
    title: 'Your booking request has arrived',
    text: 'The time is not booked yet: staff confirm it, or offer the nearest free one, by e-mail within one business day.',
  },
  tour: {
    title: 'Your tour request has arrived',
    text: 'The time is not booked yet: staff confirm it, or offer the nearest free one, by e-mail within one business day.',
  },
  chat: {
    title: 'Your question has arrived',
    text: 'Staff answer by e-mail, within one business day at the latest.',
  },
  enrolment: {
    title: 'Your enrolment request has arrived',
    text: 'This is not an enrolment yet. Staff check the seats, confirm your place and send the tax invoice by e-mail within one business day; nothing is owed until then.',
  },
};

export default function Sent({ loaderData }: Route.ComponentProps) {
  if (loaderData === 'database away') {
    return (
      <PageHead
        title="We cannot look this up right now"
        lead="Our database is away. What was answered with a reference is stored and is not lost. Please reload this page in a few minutes."
      />
    );
  }
  if (!loaderData) return <NotFound />;
  const { kind, reference, corrects } = loaderData;
  const { title, text } = next[kind];
  return (
    <>
      <PageHead title={title} lead={text} />
      <div className="page py-12 lg:py-16">
        <p className="text-mute">Your reference</p>
        <p className="tabular mt-1 font-display text-5xl font-bold tracking-tight">{reference}</p>
        {corrects && (
          <p className="mt-4 max-w-prose">
            This corrects what you sent before as {corrects}. Both have arrived; staff go by this one.
          </p>
        )}
        <p className="mt-4 max-w-prose">
          Keep it, and quote it when you write or telephone. Business days are Monday to Saturday, Brisbane time.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <Link to={href('/')} className={button.primary}>
            Return to Home
          </Link>
          <Link to={href('/courses')} className={button.quiet}>
            Browse courses
          </Link>
        </div>
      </div>
    </>
  );
}
