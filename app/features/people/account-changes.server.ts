import { sql } from 'kysely';
import { href, redirect } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { accountChanged, accountClosed } from '#app/emails/accounts.ts';
import { waitText } from '#app/http/form-limit.server.ts';
import type { Refusal, Refuse } from '#app/http/take-form.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { formatDay } from '#app/lib/dates.ts';
import { dayMs } from '#app/lib/durations.ts';
import { hashOfToken, makeToken } from '#app/lib/private-token.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { FormValues } from '#app/ui/form-state.ts';
import { browserWords } from './browser-words.ts';
import {
  makeRecoveryCodes,
  readSignInMethods,
  type SignInMethods,
  takeAddressesBack,
  takePasskeysBack,
} from './factors.server.ts';
import { addAddress, askForAddress, makeMain, removeAddress } from './more-addresses.server.ts';
import type { Player } from './players.server.ts';
import { endAsks, undoDays } from './sign-in-asks.server.ts';
import type { SignInServices } from './sign-in-context.ts';
import { endSignInsOf, lockPerson } from './sign-ins.server.ts';

/** The changes of how somebody signs in, in the words of the mail about them. */
const changes = {
  passkey: 'A passkey was added.',
  'no-passkey': 'A passkey was removed.',
  'recovery-codes': 'New recovery codes were made.',
  address: 'An email address was added.',
  'main-address': 'Another email address became the main one.',
  'no-address': 'An email address was removed.',
} as const;
/** `left`: the account was closed, which has a mail of its own. */
export type AccountChange = keyof typeof changes | 'left';

/** A change that was taken back, or can be: of how the person signs in, or that the account was closed. */
export type Undoing = 'change' | 'closing';
/** Whether an account is still closed by a change of `account_changes`: until it is kept. */
const stillClosed = sql<boolean>`exists (select from account_closures
  where account_closures.person_id = account_changes.person_id and deleted_at is null and asked_at <= made_at)`;
const undoingOf = (what: string): Undoing => (what === ('left' satisfies AccountChange) ? 'closing' : 'change');

/** The person, the ids of their sign-ins in the browser that asks, and its words. */
export type Changer = { personId: number; signIns: readonly number[]; browser: string };

/**
 * Does a change of how a person signs in, in the caller's transaction: keeps what was before for seven days, ends the
 * sign-ins of all other browsers and unused links, and mails every verified address of before and after, with a link that
 * takes the change back (P54). Staff get no such link: they proved two factors for the change, and a mailbox proves one.
 * Does none of that when `work` answers that it changed nothing.
 */
export async function changeAccount<T extends { ok: boolean }>(
  trx: Db,
  { clock, academy }: Pick<SignInServices, 'clock' | 'academy'>,
  { personId, signIns, browser }: Changer,
  what: AccountChange,
  work: () => Promise<T>,
): Promise<T> {
  await lockPerson(trx, personId);
  const left = await trx.selectFrom('sign_ins').select('id').where('id', 'in', signIns).execute();
  // A role granted since, for one, has ended some.
  if (left.length < signIns.length) throw redirect(href('/login'), 303);
  const at = clock.now();
  const before = await readSignInMethods(trx, personId);
  const done = await work();
  if (!done.ok) return done;
  const after = await readSignInMethods(trx, personId);
  const roles = trx.selectFrom('staff_roles').select('role').where('person_id', '=', personId);
  const token = (await roles.executeTakeFirst()) ? null : makeToken();
  if (token !== null) {
    await trx
      .insertInto('account_changes')
      .values({
        person_id: personId,
        what,
        link_hash: hashOfToken(token),
        before: JSON.stringify(before),
        after: JSON.stringify(after),
        made_at: at,
      })
      .execute();
  }
  await endSignInsOf(trx, personId, signIns);
  await endAsks(trx, personId);
  const told = [...before.addresses, ...after.addresses].filter(({ verified_at }) => verified_at !== null);
  const until = new Date(at.getTime() + undoDays * dayMs);
  const words = {
    when: formatMoment(at),
    browser,
    link: `${academy().url}${href('/login/undo')}?token=${token}`,
    day: formatDay(academyDay(until)),
    academy: academy(),
  };
  for (const to of new Set(told.map(({ email }) => email))) {
    await queueMail(trx, {
      kind: 'account-changed',
      about: { kind: 'person', id: personId },
      secret: true,
      to,
      replyTo: academy().email,
      staleAfter: until,
      ...(what === 'left'
        ? accountClosed(words)
        : accountChanged({ ...words, undo: token === null ? null : words, what: changes[what] })),
    });
  }
  return done;
}

const sinceWhen = ({ clock }: Pick<SignInServices, 'clock'>) => new Date(clock.now().getTime() - undoDays * dayMs);

/**
 * The change that the link of a mail takes back, `kept` when the account that it opens again is not closed any more; a
 * link that no longer works counts as one for a change of how the person signs in.
 */
export async function undoingBy(
  services: Pick<SignInServices, 'db' | 'clock'>,
  token: string,
): Promise<Undoing | 'kept'> {
  const found = await services.db
    .selectFrom('account_changes')
    .select(['what', stillClosed.as('closed')])
    .where('link_hash', '=', hashOfToken(token))
    .where('made_at', '>', sinceWhen(services))
    .executeTakeFirst();
  const undoing = undoingOf(found?.what ?? '');
  return undoing === 'closing' && !found?.closed ? 'kept' : undoing;
}

/**
 * Takes a change back by the link of its mail ("this was not me"), once, within seven days: what it added goes, what it
 * removed comes back, and later changes stay. Every sign-in and unused link ends (P54).
 */
export function undoChange(
  services: Pick<SignInServices, 'db' | 'clock'>,
  token: string,
): Promise<{ ok: true; undone: Undoing } | { ok: false }> {
  const since = sinceWhen(services);
  return services.db.transaction().execute(async (trx) => {
    const changes = trx.selectFrom('account_changes').where('link_hash', '=', hashOfToken(token));
    const found = await changes.select('person_id').executeTakeFirst();
    if (!found) return { ok: false };
    const personId = found.person_id;
    await lockPerson(trx, personId);
    const change = await changes
      .select(['id', 'what', 'before', 'after'])
      .where('made_at', '>', since)
      .where((eb) => eb.or([eb('what', '!=', 'left' satisfies AccountChange), stillClosed]))
      .executeTakeFirst();
    if (!change) return { ok: false };
    await trx.deleteFrom('account_changes').where('id', '=', change.id).execute();
    // Written by `changeAccount` only.
    const [before, after] = [change.before as SignInMethods, change.after as SignInMethods];
    await takePasskeysBack(trx, personId, before, after);
    await takeAddressesBack(trx, personId, before, after);
    await trx.deleteFrom('address_asks').where('person_id', '=', personId).execute();
    await trx
      .deleteFrom('account_closures')
      .where('person_id', '=', personId)
      .where('deleted_at', 'is', null)
      .execute();
    await endSignInsOf(trx, personId);
    await endAsks(trx, personId);
    return { ok: true, undone: undoingOf(change.what) };
  });
}

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
