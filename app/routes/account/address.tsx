import { Form, href, Link, redirect } from 'react-router';
import { actAddress } from '#app/features/people/account-changes.server.ts';
import { freshPlayerFor, playerFor } from '#app/features/people/players.server.ts';
import { loadLink } from '#app/features/people/sign-in-actions.server.ts';
import { signInContext } from '#app/features/people/sign-in-context.ts';
import { SignInButton } from '#app/features/people/sign-in-forms.tsx';
import { actOr503 } from '#app/http/database-away.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { button } from '#app/ui/button.ts';
import type { Route } from './+types/address';

export const meta = () => [{ title: 'Add an address | Bowerbird Academy' }];

export function loader({ context, url }: Route.LoaderArgs) {
  playerFor(context);
  return loadLink({ url });
}

/** Adds the address that the link was mailed to. */
export async function action({ context, request }: Route.ActionArgs) {
  playerFor(context);
  const { token = '' } = textsOf(await readForm(request));
  // A player who has to log in again first comes back to the button.
  const player = freshPlayerFor(context, `${href('/account/address')}?${new URLSearchParams({ token })}`);
  const services = context.get(signInContext);
  const added = await actOr503(unconfirmed, () => actAddress({ services, player, headers: request.headers }, token));
  if (added.ok) throw redirect(`${href('/account/settings')}?saved`, 303);
  return { fault: added.reason };
}

const unconfirmed = unconfirmedText(
  'that the address was added',
  'Please look at your settings in a few minutes: they list your addresses. The link works once, so it may not work again.',
);

const faults = {
  none: 'The link works once, for an hour, in the account that asked for it.',
  taken:
    'This address belongs to an account with other addresses, or to a member of our staff. Log in there and remove it first, or contact us.',
  leaving:
    'The account with this address is about to be deleted. To keep it, log in there or open the link in our email about it. Then add the address again.',
};

export default function Address({ loaderData: { token }, actionData }: Route.ComponentProps) {
  return (
    <div className="max-w-100">
      <h1 className="mb-6 text-4xl">{actionData ? 'The address was not added' : 'Add this address'}</h1>
      {actionData || token === '' ? (
        <>
          <p role="alert" className="mb-6">
            {actionData ? faults[actionData.fault] : 'Please open the link in the email again.'}
          </p>
          <Link to={href('/account/settings')} className={button.primary}>
            To the settings
          </Link>
        </>
      ) : (
        <Form method="post" action={href('/account/address')}>
          <p className="mb-6">
            Everything you bought or attend with this address is then listed in your account, and you can log in with
            it.
          </p>
          <input type="hidden" name="token" value={token} />
          <SignInButton>Add the address</SignInButton>
        </Form>
      )}
    </div>
  );
}
