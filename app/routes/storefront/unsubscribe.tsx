import { data, Form } from 'react-router';
import { enquiriesContext } from '#app/features/enquiries/submit.server.ts';
import { passUnlessAway } from '#app/http/database-away.server.ts';
import { isUnsubscribeToken, unsubscribe } from '#app/outbox/marketing.server.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/unsubscribe';
import { NotFound } from './frame/not-found.tsx';

/** A mail program that follows the link must not unsubscribe anybody: only the button, or a post, does. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { db } = context.get(enquiriesContext);
  return answering(async () => ((await isUnsubscribeToken(db, params.token)) ? 'asked' : 'unknown'));
}

/** Taken from the button and from mail programs (RFC 8058). */
export async function action({ context, params }: Route.ActionArgs) {
  const { db, forms } = context.get(enquiriesContext);
  return answering(async () => ((await unsubscribe(db, params.token, forms.trueNow())) ? 'done' : 'unknown'));
}

type State = 'asked' | 'done' | 'unknown' | 'away';

async function answering(work: () => Promise<State>) {
  try {
    const state = await work();
    return data<State>(state, { status: state === 'unknown' ? 404 : 200 });
  } catch (error) {
    passUnlessAway(error);
    return data<State>('away', { status: 503, headers: { 'Retry-After': '60' } });
  }
}

export function headers() {
  return { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Unsubscribe', 'End news by e-mail from the academy.', noPage);

export default function Unsubscribe({ loaderData, actionData }: Route.ComponentProps) {
  const state = actionData ?? loaderData;
  if (state === 'unknown') return <NotFound />;
  if (state === 'away') {
    return (
      <PageHead
        title="Not unsubscribed yet"
        lead="Our database is away. Nothing has changed. Please open the link again in a few minutes, or write to us."
      />
    );
  }
  if (state === 'done') {
    return (
      <PageHead
        title="You are unsubscribed"
        lead="We send no more news to this address. Answers to what you write, and mail about a place you booked, still reach you."
      />
    );
  }
  return (
    <>
      <PageHead
        title="Unsubscribe"
        lead="End news about courses and dates to the address this link was sent to. Answers to what you write are not affected."
      />
      <Form method="post" className="page py-12 lg:py-16">
        <button type="submit" className={button.primary}>
          Unsubscribe
        </button>
      </Form>
    </>
  );
}
