import { data, Form } from 'react-router';
import { academyContext } from '#app/http/academy.server.ts';
import { actOrInstead, readOrInstead } from '#app/http/database-away.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { readConsent, unsubscribe } from '#app/outbox/marketing.server.ts';
import { DeadLink } from '#app/routes/links/dead-link.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/unsubscribe';

/**
 * The consent of an address. A mail program that follows the link must not withdraw it: only the button, or a post,
 * does.
 */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { db } = context.get(academyContext);
  return answering(async () => {
    const consent = await readConsent(db, params.token);
    if (consent === null) return { state: 'unknown' };
    return consent.state === 'nothing' ? consent : { ...consent, at: formatMoment(consent.at) };
  });
}

/** Taken from the button and from mail programs (RFC 8058). */
export async function action({ context, params }: Route.ActionArgs) {
  const { db, clock } = context.get(academyContext);
  return actOrInstead(notWithdrawn, async () => {
    const done = await unsubscribe(db, params.token, clock.now());
    return data<UnsubscribeState>({ state: done ? 'done' : 'unknown' }, { status: done ? 200 : 404 });
  });
}

type UnsubscribeState =
  | { state: 'agreed'; wording: string; at: string }
  | { state: 'withdrawn'; at: string }
  | { state: 'nothing' | 'done' | 'unknown' | 'away' | 'not-done' | 'unconfirmed' };

const notWithdrawn = (mayBeDone: boolean): UnsubscribeState => ({ state: mayBeDone ? 'unconfirmed' : 'not-done' });

const answering = (work: () => Promise<UnsubscribeState>) =>
  readOrInstead<ReturnType<typeof data<UnsubscribeState>>, UnsubscribeState>({ state: 'away' }, async () => {
    const shown = await work();
    return data<UnsubscribeState>(shown, { status: shown.state === 'unknown' ? 404 : 200 });
  });

export function headers() {
  return { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'News by email', 'See what you agreed to, and withdraw it.', noPage);

/** The heads of the pages on which there is nothing to do. */
const heads = {
  done: {
    title: 'You have withdrawn your consent',
    lead: 'We send no more news to this address. You still get answers to your messages and emails about your bookings and enrolments.',
  },
  nothing: {
    title: 'You have agreed to nothing',
    lead: 'Nobody asked for news with this address, so we send none. There is nothing to withdraw.',
  },
  away: {
    title: 'We cannot look this up right now',
    lead: 'Our system is not available. Please open the link again in a few minutes, or write to us.',
  },
  'not-done': {
    title: 'Nothing was changed',
    lead: 'Our system is not available, so your consent is not withdrawn yet. Please open the link again in a few minutes, or write to us.',
  },
  unconfirmed: {
    title: 'Not confirmed yet',
    lead: unconfirmedText(
      'that your consent is withdrawn',
      'Please open the link again in a few minutes: it shows whether it is. Doing it twice does no harm.',
    ),
  },
};

export default function Unsubscribe({ loaderData, actionData }: Route.ComponentProps) {
  const shown = actionData ?? loaderData;
  if (shown.state === 'unknown') return <DeadLink />;
  if (shown.state === 'withdrawn') {
    return (
      <PageHead
        title="You have withdrawn your consent"
        lead={`That was on ${shown.at}, Brisbane time. We send no news to this address, even if someone ticks the box with it again.`}
      />
    );
  }
  if (shown.state !== 'agreed') return <PageHead {...heads[shown.state]} />;
  return (
    <>
      <PageHead title="News by email" lead="What you agreed to with this email address. You can withdraw it here." />
      <div className="page grid justify-items-start gap-6 py-12 lg:py-16">
        <dl className="grid gap-4">
          <div>
            <dt className="text-mute">Agreed on</dt>
            <dd className="font-semibold">{shown.at}, Brisbane time</dd>
          </div>
          <div>
            <dt className="text-mute">In these words</dt>
            <dd className="font-semibold">{shown.wording}</dd>
          </div>
        </dl>
        <p>
          After you withdraw, we send no more news to this address. You still get answers to your messages and emails
          about your bookings and enrolments.
        </p>
        <Form method="post">
          <button type="submit" className={button.primary}>
            Withdraw my consent
          </button>
        </Form>
      </div>
    </>
  );
}
