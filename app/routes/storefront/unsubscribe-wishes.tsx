import { data, Form, href, Link } from 'react-router';
import { endMails, personOfLink } from '#app/features/wishes/end-mails.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { actOr, readOr } from '#app/http/database-away.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { DeadLink } from '#app/routes/links/dead-link.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/unsubscribe-wishes';

type Shown = { state: 'asks' | 'done' | 'unknown' | keyof typeof unanswered };

/** The pages when the database does not answer. */
const unanswered = {
  away: {
    title: 'We cannot look this up right now',
    lead: 'Our system is not available. Please open the link again in a few minutes, or write to us.',
  },
  'not-done': {
    title: 'Nothing was changed',
    lead: 'Our system is not available, so we could not end the emails. Please open the link again in a few minutes, or write to us.',
  },
  unconfirmed: {
    title: 'Not confirmed yet',
    lead: unconfirmedText(
      'that the emails end',
      'Please open the link again in a few minutes and press the button again. Doing it twice does no harm.',
    ),
  },
};

const shown = (found: boolean, state: 'asks' | 'done') =>
  found ? data<Shown>({ state }) : data<Shown>({ state: 'unknown' }, { status: 404 });

/** A mail program that follows the link ends nothing: only the button, or a post, does. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { db } = context.get(academyContext);
  return readOr<ReturnType<typeof shown>, Shown>({ state: 'away' }, async () =>
    shown((await personOfLink(db, params.token)) !== null, 'asks'),
  );
}

/** Ends the emails about wishes: taken from the button and from mail programs (P49, RFC 8058). */
export async function action({ context, params }: Route.ActionArgs) {
  const { db, clock } = context.get(academyContext);
  const lost = (mayBeDone: boolean): Shown => ({ state: mayBeDone ? 'unconfirmed' : 'not-done' });
  return actOr(lost, async () => shown(await endMails(db, params.token, clock.now()), 'done'));
}

export function headers() {
  return { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Emails about your wishes', 'End the emails about new dates.', noPage);

export default function UnsubscribeWishes({ loaderData, actionData }: Route.ComponentProps) {
  const { state } = actionData ?? loaderData;
  if (state === 'unknown') return <DeadLink />;
  if (state !== 'asks' && state !== 'done') return <PageHead {...unanswered[state]} />;
  if (state === 'done') {
    return (
      <PageHead
        title="We send no more of these emails"
        lead="Your list of wishes stays as it is. You can ask for the emails again there."
      >
        <Link to={href('/account/wishes')} reloadDocument className={button.straw}>
          To your wishes
        </Link>
      </PageHead>
    );
  }
  return (
    <PageHead
      title="Emails about your wishes"
      lead="We email you when a course on your list of wishes gets a new date, because you asked for it. One press ends it for all of your wishes."
    >
      <Form method="post">
        <button type="submit" className={button.straw}>
          Send me no more of these
        </button>
      </Form>
    </PageHead>
  );
}
