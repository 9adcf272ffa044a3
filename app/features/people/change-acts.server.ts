import type { Db } from '#app/db/client.server.ts';
import type { Refusal, Refuse } from '#app/http/take-form.server.ts';
import type { FormValues } from '#app/ui/form-state.ts';
import { type AccountChange, changeAccount } from './account-changes.server.ts';
import { browserWords } from './browser-words.ts';
import { makeRecoveryCodes, prepareTotp, removeFactor } from './factors.server.ts';
import { addAddress, askForAddress, makeMain, removeAddress } from './more-addresses.server.ts';
import { hashPassword, passwordFault } from './passwords.server.ts';
import type { Player } from './players.server.ts';
import { mustSetUpFirst } from './settings.server.ts';
import type { SignInServices } from './sign-in-context.ts';

type Done = { ok: true; recoveryCodes?: string[]; to?: 'two-step' | 'asked' };
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
export const changerOf = ({ person, signIn }: Player, headers: Headers) => ({
  personId: person.id,
  signInId: signIn.id,
  browser: browserWords(headers.get('User-Agent')),
});

/** Does one change in a transaction of its own; `work` says whether it changed anything. */
async function change(
  { services, player, headers, refuse }: Changing,
  what: AccountChange,
  work: (trx: Db) => Promise<Done | Refusal>,
): Promise<Done | Refusal> {
  return services.db.transaction().execute(async (trx) => {
    if (await mustSetUpFirst(trx, player.person.id)) return refuse(409, staffFirst);
    return changeAccount(trx, services, changerOf(player, headers), what, () => work(trx));
  });
}

export const staffFirst =
  'You are staff. Sign in to the staff pages first and set up your second step there. Then you can change this.';
const gone = 'This was changed in the meantime, so nothing was changed now.';

/** Sets the password, or changes it. */
export async function setPassword(changing: Changing): Promise<Done | Refusal> {
  const { player, values, refuse } = changing;
  const { name, email } = player.person;
  const password = values.password ?? '';
  const fault = await passwordFault(password, name === null ? [email] : [email, name]);
  // A password is not shown again.
  if (fault) return refuse(400, { values: {}, errors: { password: fault } });
  const hash = await hashPassword(password);
  if (hash === null) return refuse(503, { values: {}, fault: 'Many people are here at the moment. Please try again.' });
  return change(changing, 'password', async (trx) => {
    const set = { hash, set_at: changing.services.clock.now() };
    await trx
      .insertInto('passwords')
      .values({ person_id: player.person.id, ...set })
      .onConflict((conflict) => conflict.column('person_id').doUpdateSet(set))
      .execute();
    return { ok: true };
  });
}

export const removePassword = (changing: Changing): Promise<Done | Refusal> =>
  change(changing, 'no-password', async (trx) => {
    const gonePassword = trx.deleteFrom('passwords').where('person_id', '=', changing.player.person.id);
    const { numDeletedRows } = await gonePassword.executeTakeFirstOrThrow();
    return numDeletedRows === 1n ? { ok: true } : changing.refuse(409, gone);
  });

/** Makes the key of an app, which the next page shows. It counts only once its first code was typed. */
export async function beginFactor({ services, player, refuse }: Changing): Promise<Done | Refusal> {
  return services.db.transaction().execute(async (trx) => {
    if (await mustSetUpFirst(trx, player.person.id)) return refuse(409, staffFirst);
    await prepareTotp(trx, player.person.id, services.clock.now());
    return { ok: true, to: 'two-step' };
  });
}

export const endFactor = (changing: Changing): Promise<Done | Refusal> =>
  change(changing, 'no-factor', async (trx) => {
    const { person } = changing.player;
    const roles = trx.selectFrom('staff_roles').select('role').where('person_id', '=', person.id);
    if (await roles.executeTakeFirst()) return changing.refuse(409, 'Staff need a second step, so it stays.');
    await removeFactor(trx, person.id);
    return { ok: true };
  });

/** Replaces the recovery codes by ten new ones. */
export const renewCodes = (changing: Changing): Promise<Done | Refusal> =>
  change(changing, 'recovery-codes', async (trx) => ({
    ok: true,
    recoveryCodes: await makeRecoveryCodes(trx, changing.services.secret, changing.player.person.id),
  }));

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
    if (await mustSetUpFirst(trx, player.person.id)) return refuse(409, staffFirst);
    const { email = '' } = values;
    const asked = await askForAddress(trx, services, { personId: player.person.id, email, from });
    if (asked.ok) return { ok: true, to: 'asked' };
    const fault =
      asked.reason === 'too-many'
        ? 'We sent many emails there, so we sent no more. Please try again tomorrow.'
        : 'Enter an email address such as name@example.com.';
    return refuse(asked.reason === 'too-many' ? 429 : 400, { values: { email }, errors: { email: fault } });
  });
}

/** Adds the address that a link was mailed to, which the player opened in the browser where they are logged in. */
export const actAddress = (
  { services, player, headers }: Pick<Changing, 'services' | 'player' | 'headers'>,
  token: string,
): Promise<{ ok: true } | { ok: false; reason: 'none' | 'taken' | 'second-step' | 'leaving' | 'staff' }> =>
  services.db.transaction().execute(async (trx) => {
    const personId = player.person.id;
    if (await mustSetUpFirst(trx, personId)) return { ok: false, reason: 'staff' };
    return changeAccount(trx, services, changerOf(player, headers), 'address', () =>
      addAddress(trx, services, { personId, token }),
    );
  });

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
