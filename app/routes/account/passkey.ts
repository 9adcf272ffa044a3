import { href } from 'react-router';
import { databaseTrouble } from '#app/db/connection-failure.server.ts';
import { watchingStores } from '#app/db/may-be-stored.server.ts';
import { changeAccount, changerOf } from '#app/features/people/account-changes.server.ts';
import { addPasskey, offerPasskey } from '#app/features/people/passkeys.server.ts';
import { playerFor } from '#app/features/people/players.server.ts';
import { signInContext } from '#app/features/people/sign-in-context.ts';
import { notDone } from '#app/http/database-away.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import type { Route } from './+types/passkey';
import { toSettings } from './settings-acts.server.ts';

export function loader({ context }: Route.LoaderArgs) {
  playerFor(context);
  throw toSettings();
}

/** Sends the options for making a passkey and takes the passkey, for the button of the settings. */
export async function action({ context, request }: Route.ActionArgs) {
  const player = playerFor(context);
  const { step = '', response = '' } = textsOf(await readForm(request));
  const services = context.get(signInContext);
  if (!player.fresh) return Response.json({ fault: 'Please log in again first.' }, { status: 403 });
  const { person, signIn } = player;
  const of = { personId: person.id, signInId: signIn.id };
  const act = () =>
    services.db.transaction().execute(async (trx) => {
      if (step === 'options') return { options: await offerPasskey(trx, services, { ...of, email: person.email }) };
      const changer = changerOf(player, request.headers);
      const added = await changeAccount(trx, services, changer, 'passkey', () =>
        addPasskey(trx, services, { ...of, name: changer.browser, response }),
      );
      return added.ok ? { to: `${href('/account/settings')}?saved` } : { fault: 'The passkey could not be added.' };
    });
  return watchingStores(async (mayBeStored) => {
    try {
      const answer = await act();
      return Response.json(answer, { status: 'fault' in answer ? 409 : 200 });
    } catch (error) {
      const trouble = databaseTrouble(error);
      if (!trouble) throw error;
      return Response.json({ fault: mayBeStored() ? lost : notDone[trouble] }, { status: 503 });
    }
  });
}

const lost = unconfirmedText(
  'that the passkey was added',
  'Please look at this page again in a few minutes: it lists your passkeys.',
);
