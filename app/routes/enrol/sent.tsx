import { data, href, Link } from 'react-router';
import { findEnquiry, findSentEnquiry, type SentEnquiry } from '#app/features/inbox/enquiries/queries.server.ts';
import type { EnquiryKind } from '#app/features/inbox/enquiries/schema.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { readOrInstead } from '#app/http/database-away.server.ts';
import { isSenderProof } from '#app/http/sender-proof.server.ts';
import { formatMoney } from '#app/lib/money.ts';
import { mailAwaySince } from '#app/outbox/mail-health.server.ts';
import { NotFound } from '#app/routes/storefront/frame/not-found.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { MailAway } from '#app/ui/mail-away.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/sent';
import { CheckoutHead } from './checkout-head.tsx';

/** Kind and reference for everyone who knows the reference; the message only for the person who just sent it. */
export async function loader({ context, params: { reference }, url }: Route.LoaderArgs) {
  const { db, forms, clock } = context.get(academyContext);
  return readOrInstead('database away' as const, async () => {
    const enquiry = await findEnquiry(db, reference);
    if (!enquiry) return data(null, { status: 404 });
    const isSender = isSenderProof(forms.secret, reference, clock.now(), url.searchParams.get('proof'));
    const sent = isSender ? await findSentEnquiry(db, reference) : null;
    return { ...enquiry, reference, sent, mailAway: sent && (await mailAwaySince(context)) };
  });
}

export function headers() {
  return { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Sent', 'What you sent has arrived. Here are its reference and what happens next.', noPage);

/** A wish from before times could be booked: a visitor who kept its reference may still open the page. */
const wish = {
  title: 'Your request has arrived',
  text: 'This doesn’t book the time yet. We’ll email you within one business day to confirm it or offer the nearest free one.',
};
const next: Record<EnquiryKind, { title: string; text: string }> = {
  contact: {
    title: 'Your message has arrived',
    text: 'We’ll reply to your email address within one business day.',
  },
  email: {
    title: 'Your email has arrived',
    text: 'We’ll reply to your email address within one business day.',
  },
  booking: wish,
  tour: wish,
  chat: {
    title: 'Your question has arrived',
    text: 'We’ll email you an answer within one business day.',
  },
  enrolment: {
    title: 'Your enrolment request has arrived',
    text: 'This is not an enrolment yet. We’ll answer within one business day: with your place and tax invoice, or, for a job guarantee programme, with the agreement to read first. You owe nothing until then.',
  },
};

export default function Sent({ loaderData }: Route.ComponentProps) {
  if (loaderData === 'database away') {
    return (
      <PageHead
        title="We cannot look this up right now"
        lead="Our system is not available. If you got a reference, what you sent is saved and is not lost. Please reload this page in a few minutes."
      />
    );
  }
  if (!loaderData) return <NotFound />;
  const { kind, reference, corrects, sent, mailAway } = loaderData;
  const { title, text } = next[kind];
  return (
    <>
      <CheckoutHead title={title} lead={text} />
      <div className="page grid gap-x-14 gap-y-8 pt-4 pb-12 lg:grid-cols-[minmax(0,1fr)_34rem] lg:pb-16">
        <div>
          <MailAway since={mailAway}>What you sent has arrived.</MailAway>
          <p className="text-mute">Your reference</p>
          <p className="tabular mt-1 font-display text-5xl font-bold tracking-tight">{reference}</p>
          {corrects && (
            <p className="mt-4 max-w-prose">
              This corrects your earlier message {corrects}. Both have arrived; we use this one.
            </p>
          )}
          <p className="mt-4 max-w-prose">
            {sent && (
              <>
                We’ll send our answer to <b className="wrap-anywhere">{sent.email}</b>. We email the reference there
                too, unless we sent one to that address within the last hour.{' '}
              </>
            )}
            Keep the reference, and quote it when you email or call us. Business days are Monday to Friday, except
            public holidays in Queensland.
          </p>
        </div>
        {sent && <WhatWasSent sent={sent} />}
      </div>
    </>
  );
}

/** The sent fields, for their sender to check. */
function WhatWasSent({ sent: { email, message, details } }: { sent: SentEnquiry }) {
  const { label, aboutLabel, ways, attendees = 1, priceCents, company } = details;
  const price = priceCents === undefined ? '' : `${formatMoney(priceCents)} incl. GST`;
  const rows = [
    ['Asked for', label],
    ['About', aboutLabel],
    ['How', ways],
    ['People', details.attendees && String(attendees)],
    ['Price', attendees > 1 ? price && `${price} each` : price],
    ['In all', attendees > 1 && priceCents !== undefined && `${formatMoney(priceCents * attendees)} incl. GST`],
    ['Invoice to', company],
    ['Email', email],
    ['Your words', message],
  ] as const;
  return (
    <section className="self-start rounded-card border border-line bg-card p-5 sm:p-6">
      <h2 className="text-xl">What you sent</h2>
      <dl className="tabular mt-4 grid gap-3">
        {rows.map(
          ([name, value]) =>
            value && (
              <div
                key={name}
                className="grid gap-x-6 border-b border-line pb-3 last:border-0 last:pb-0 sm:grid-cols-[8rem_1fr]"
              >
                <dt className="text-mute">{name}</dt>
                <dd className="font-semibold whitespace-pre-line wrap-anywhere">{value}</dd>
              </div>
            ),
        )}
      </dl>
      <p className="mt-4 text-sm text-mute">
        You can see this page for half an hour. Nobody else can. If something is wrong,{' '}
        <Link to={href('/contact')} className="font-bold text-link underline underline-offset-4">
          write to us
        </Link>{' '}
        and quote the reference.
      </p>
    </section>
  );
}
