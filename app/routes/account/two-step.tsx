import { data, href, Link, redirect } from 'react-router';
import { changeAccount } from '#app/features/people/account-changes.server.ts';
import { changerOf } from '#app/features/people/change-acts.server.ts';
import { factorFault } from '#app/features/people/door-acts.server.ts';
import { RecoveryCodes, SetUpForm } from '#app/features/people/door-forms.tsx';
import { confirmTotp, hasFactor, readNewTotp } from '#app/features/people/factors.server.ts';
import { freshPlayerFor } from '#app/features/people/players.server.ts';
import { qrCode } from '#app/features/people/qr-code.server.ts';
import { mustSetUpFirst } from '#app/features/people/settings.server.ts';
import { signInContext } from '#app/features/people/sign-in-context.ts';
import { actOrAway, orAway } from '#app/http/database-away.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { blankForm } from '#app/http/take-form.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { button } from '#app/ui/button.ts';
import type { Route } from './+types/two-step';

export const meta = () => [{ title: 'Set up a second step | Bowerbird Academy' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const { person } = freshPlayerFor(context, url.pathname);
  const { db, academy } = context.get(signInContext);
  const key = await orAway(() => readNewTotp(db, person.id, academy().name));
  // Null too while the answer with the recovery codes is made.
  if (!key && !(await hasFactor(db, person.id))) throw redirect(href('/account/settings'));
  return key && { secret: key.secret, picture: qrCode(key.address) };
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const player = freshPlayerFor(context, url.pathname);
  const { code = '' } = textsOf(await readForm(request));
  const services = context.get(signInContext);
  const confirmed = await actOrAway(unconfirmed, () =>
    services.db.transaction().execute(async (trx) => {
      if (await mustSetUpFirst(trx, player.person.id)) throw redirect(href('/account/settings'), 303);
      return changeAccount(trx, services, changerOf(player, request.headers), 'factor', () =>
        confirmTotp(trx, services, { personId: player.person.id, code }),
      );
    }),
  );
  if (confirmed.ok) return { recoveryCodes: confirmed.recoveryCodes };
  return data({ form: { ...blankForm(), errors: { code: factorFault(confirmed.reason) } } }, { status: 409 });
}

const unconfirmed = unconfirmedText(
  'that your second step is set up',
  'Please look at your settings in a few minutes. If it is set up, make new recovery codes there: we could not show you these.',
);

/** Only the response to the form has the recovery codes, so the page's data is not read again after it. */
export const shouldRevalidate = () => false;

export default function TwoStep({ loaderData, actionData }: Route.ComponentProps) {
  if (actionData && 'recoveryCodes' in actionData) {
    return (
      <div className="max-w-prose">
        <h1 className="mb-6 text-4xl">Your recovery codes</h1>
        <RecoveryCodes codes={actionData.recoveryCodes} />
        <Link to={`${href('/account/settings')}?saved`} className={button.primary}>
          I have saved them
        </Link>
      </div>
    );
  }
  if (!loaderData) {
    return (
      <>
        <h1 className="mb-6 text-4xl">Your second step is set up</h1>
        <Link to={href('/account/settings')} className={button.primary}>
          To the settings
        </Link>
      </>
    );
  }
  return (
    <div className="max-w-100">
      <h1 className="mb-6 text-4xl">Set up a second step</h1>
      <SetUpForm form={actionData?.form} action={href('/account/settings/two-step')} {...loaderData}>
        Set up
      </SetUpForm>
    </div>
  );
}
