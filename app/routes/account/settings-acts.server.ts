import { href, redirect } from 'react-router';
import {
  beginAddress,
  changeMain,
  dropAddress,
  removePasskey,
  renewCodes,
} from '#app/features/people/account-changes.server.ts';
import type { Player } from '#app/features/people/players.server.ts';
import { endOwnSignIn } from '#app/features/people/settings.server.ts';
import { signInContext } from '#app/features/people/sign-in-context.ts';
import { endSignInsOf } from '#app/features/people/sign-ins.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { blankForm, giveBack, type Refusal, takeForm } from '#app/http/take-form.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import type { FormValues } from '#app/ui/form-state.ts';
import type { Route } from './+types/settings';

/** Each asks for a fresh login (P54). */
const changes = {
  'renew-codes': renewCodes,
  'remove-passkey': removePasskey,
  'add-address': beginAddress,
  'main-address': changeMain,
  'remove-address': dropAddress,
};

const words = {
  unreadable: 'Part of the form was missing, so nothing was changed. Please send it again.',
  notSaved: 'Our system is not available, so nothing was changed. Please try again in a few minutes.',
  away: unconfirmedText(
    'this change',
    'It may have been made, and your other browsers logged out. Please look at this page again in a few minutes. If you cannot see whether it was made, make it again: twice does no harm.',
  ),
  busy: 'Many people are here at the moment, so nothing was changed. Please try again in a few seconds.',
};

const logInAgain = 'Nothing was changed yet. Please log in again, then make the change within ten minutes.';

/** The old codes may be dead, and nobody has seen the new ones. */
const codesLost = unconfirmedText(
  'that your recovery codes were replaced',
  'If they were, the old ones no longer work, and this page cannot show the new ones any more. Please make new ones again in a few minutes.',
);

type Acted =
  | { ok: true; to: string; recoveryCodes?: string[] | undefined }
  | { ok: false; answer: ReturnType<typeof giveBack> };

/** Takes the forms of the settings. */
export async function actSettings(
  player: Player,
  { context, request }: Pick<Route.ActionArgs, 'context' | 'request'>,
): Promise<Acted> {
  const form = await readForm(request);
  const { act = '' } = textsOf(form);
  const services = context.get(signInContext);
  const fresh = blankForm('Nothing was changed');
  const settings = href('/account/settings');
  type Done = { ok: true; to: string; recoveryCodes?: string[] | undefined };
  const result = await takeForm<Done>(
    { form, fresh, words: act === 'renew-codes' ? { ...words, away: codesLost } : words, values: {} },
    async (_, refuse): Promise<Done | Refusal> => {
      const values = textsOf(form);
      if (act === 'end-sign-in') {
        await endOwnSignIn(services.db, player.person.id, Number.parseInt(values.signIn ?? '', 10) || 0);
        return { ok: true, to: `${settings}?ended=one` };
      }
      if (act === 'end-others') {
        await endSignInsOf(services.db, player.person.id, player.signIns);
        return { ok: true, to: `${settings}?ended=others` };
      }
      const change = Object.hasOwn(changes, act) ? changes[act as keyof typeof changes] : null;
      if (!change) return refuse(400, words.unreadable);
      if (!player.fresh) {
        const kept: FormValues = act === 'add-address' ? { email: values.email ?? '' } : {};
        return refuse(409, { values: kept, fault: logInAgain });
      }
      const from = context.get(clientAddressContext);
      const done = await change({ services, player, headers: request.headers, values, refuse, from });
      if (!done.ok) return done;
      return { ok: true, to: `${settings}?${done.to ?? 'saved'}`, recoveryCodes: done.recoveryCodes };
    },
  );
  return result.ok ? result : { ok: false, answer: giveBack(result) };
}

/** For loaders of pages behind the settings that need a fresh login. */
export const toSettings = () => redirect(href('/account/settings'));
