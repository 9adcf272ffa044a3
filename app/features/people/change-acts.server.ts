import type { Db } from '#app/db/client.server.ts';
import { waitText } from '#app/http/form-limit.server.ts';
import type { Refusal, Refuse } from '#app/http/take-form.server.ts';
import type { FormValues } from '#app/ui/form-state.ts';
import { type AccountChange, type Changer, changeAccount } from './account-changes.server.ts';
import { browserWords } from './browser-words.ts';
import { makeRecoveryCodes } from './factors.server.ts';
import { addAddress, askForAddress, makeMain, removeAddress } from './more-addresses.server.ts';
import type { Player } from './players.server.ts';
import type { SignInServices } from './sign-in-context.ts';

type Done = { ok: true; recoveryCodes?: string[]; to?: 'asked' };
type Changing = {
  services: SignInServices;
  player: Player;
  headers: Headers;
  values: FormValues;
  refuse: Refuse;
  /** The network address. */
  from: string;
};

/** The person and browser behind a change, as it is stored and mailed. */
export const changerOf = ({ person, signIns }: Player, headers: Headers): Changer => ({
  personId: person.id,
  signIns,
  browser: browserWords(headers.get('User-Agent')),
});

/** Does one change in a transaction of its own; `work` says whether it changed anything. */
const change = (
  { services, player, headers }: Changing,
  what: AccountChange,
  work: (trx: Db) => Promise<Done | Refusal>,
): Promise<Done | Refusal> =>
  services.db
    .transaction()
    .execute((trx) => changeAccount(trx, services, changerOf(player, headers), what, () => work(trx)));

const gone = 'This was changed in the meantime, so nothing was changed now.';

/** Replaces the recovery codes of a member of staff by ten new ones. */
export async function renewCodes(changing: Changing): Promise<Done | Refusal> {
  const { services, player, refuse } = changing;
  if (!player.isStaff) return refuse(400, 'Only staff have recovery codes.');
  return change(changing, 'recovery-codes', async (trx) => ({
    ok: true,
    recoveryCodes: await makeRecoveryCodes(trx, services.secret, player.person.id),
  }));
}

export const removePasskey = (changing: Changing): Promise<Done | Refusal> =>
  change(changing, 'no-passkey', async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('passkeys')
      .where('id', '=', changing.values.passkey ?? '')
      .where('person_id', '=', changing.player.person.id)
      .executeTakeFirstOrThrow();
    return numDeletedRows === 1n ? { ok: true } : changing.refuse(409, gone);
  });

/** Mails a link to a further address. Nothing changes before it is used. */
export async function beginAddress({ services, player, values, from, refuse }: Changing): Promise<Done | Refusal> {
  return services.db.transaction().execute(async (trx) => {
    const { email = '' } = values;
    const asked = await askForAddress(trx, services, { personId: player.person.id, email, from });
    if (asked.ok) return { ok: true, to: 'asked' };
    const fault =
      asked.reason === 'too-many'
        ? `We sent nothing, because many emails were asked for from your network. Please try again in ${waitText(asked.waitMs)}.`
        : 'Enter an email address such as name@example.com.';
    return refuse(asked.reason === 'too-many' ? 429 : 400, { values: { email }, errors: { email: fault } });
  });
}

/** Adds the address that a link was mailed to, which the player opened in the browser where they are logged in. */
export const actAddress = (
  { services, player, headers }: Pick<Changing, 'services' | 'player' | 'headers'>,
  token: string,
): ReturnType<typeof addAddress> =>
  services.db
    .transaction()
    .execute((trx) =>
      changeAccount(trx, services, changerOf(player, headers), 'address', () =>
        addAddress(trx, services, { personId: player.person.id, token }),
      ),
    );

export const changeMain = (changing: Changing): Promise<Done | Refusal> =>
  change(changing, 'main-address', async (trx) => {
    const { values, player } = changing;
    const changed = await makeMain(trx, { personId: player.person.id, email: values.email ?? '' });
    return changed.ok ? { ok: true } : changing.refuse(409, keptAddress);
  });

export const dropAddress = (changing: Changing): Promise<Done | Refusal> =>
  change(changing, 'no-address', async (trx) => {
    const { values, player } = changing;
    const removed = await removeAddress(trx, { personId: player.person.id, email: values.email ?? '' });
    return removed.ok ? { ok: true } : changing.refuse(409, keptAddress);
  });

const keptAddress =
  'This address stays as it is: the main address cannot be removed, and that of staff is changed by an owner of the academy.';
