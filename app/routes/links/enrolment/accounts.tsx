import { data, Form, href, Link, redirect, useNavigation } from 'react-router';
import { confirmAccountsAddress, readAccountsLink } from '#app/features/enrolments/accounts-address.server.ts';
import { accountsPath } from '#app/features/enrolments/paths.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { actOrInstead, readOrInstead } from '#app/http/database-away.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { DeadLink } from '#app/routes/links/dead-link.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/accounts';

/** Asks whether an address wants the invoices of an enrolment (P30). Reading changes nothing: mail scanners open links. */
export async function loader({ context, params: { token } }: Route.LoaderArgs) {
  return readOrInstead('away' as const, async () => {
    const found = await readAccountsLink(context.get(academyContext).db, token);
    return data(found, { status: found ? 200 : 404 });
  });
}

export async function action({ context, params: { token } }: Route.ActionArgs) {
  const academy = context.get(academyContext);
  return actOrInstead(notAgreed, async () => {
    const confirm = academy.db.transaction().execute((trx) => confirmAccountsAddress(trx, token, momentOf(academy)));
    if (await confirm) throw redirect(accountsPath(token), 303);
    return data(null, { status: 404 });
  });
}

const notAgreed = (mayBeDone: boolean) => (mayBeDone ? ('unconfirmed' as const) : ('not-done' as const));

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Invoices to this address', 'Agree to get copies of tax invoices by email.', noPage);

const unanswered = {
  unconfirmed: {
    title: 'Not confirmed yet',
    lead: unconfirmedText(
      'that you agreed',
      'Please open the link again in a few minutes: it shows whether you did. Doing it twice does no harm.',
    ),
  },
  'not-done': {
    title: 'Nothing was changed',
    lead: 'Our system is not available, so we could not take this. Please press the button again in a few minutes.',
  },
};

export default function Accounts({ loaderData, actionData }: Route.ComponentProps) {
  const sending = useNavigation().state === 'submitting';
  if (actionData) return <PageHead {...unanswered[actionData]} />;
  if (loaderData === 'away') {
    return (
      <PageHead
        title="We cannot look this up right now"
        lead="Our system is not available. Please open the link again in a few minutes."
      />
    );
  }
  if (!loaderData) return <DeadLink />;
  const { reference, state } = loaderData;
  if (state === 'confirmed') {
    return (
      <PageHead
        title="You get the invoices"
        lead={`We send the tax invoices and adjustment notes of enrolment ${reference} to your address, including earlier ones, and those of other enrolments for which the same buyer names it. If we should send them elsewhere, tell the buyer or us.`}
      />
    );
  }
  if (state === 'not-named') {
    return (
      <PageHead
        title="We no longer send invoices here"
        lead={`The buyer of enrolment ${reference} has named another address for the invoices. We send none to you.`}
      />
    );
  }
  return (
    <>
      <PageHead
        title="May we send invoices to you?"
        lead={`The buyer of enrolment ${reference} named your address for copies of the tax invoices. We send none before you agree.`}
      />
      <Form method="post" className="page grid max-w-2xl gap-6 py-12 lg:py-16">
        <p className="max-w-prose">
          If you agree, we email you the tax invoices and adjustment notes of this enrolment, earlier and later ones,
          and those of other enrolments for which the same buyer names this address. If you do not know why you got
          this, close this page, or{' '}
          <Link to={href('/contact')} className="font-bold text-link underline underline-offset-4">
            write to us
          </Link>
          .
        </p>
        <div>
          <button type="submit" disabled={sending} className={button.primary}>
            Send me the invoices
          </button>
        </div>
      </Form>
    </>
  );
}
