import { createContext, data, href, type MiddlewareFunction, type RouterContextProvider, redirect } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { throwNotDone, unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { ownPath } from './own-path.ts';
import { type SignInServices, signInContext } from './sign-in-context.ts';
import { signInPaths } from './sign-in-paths.ts';
import { type Audience, findSignedIn, isFresh, readSignIn, type SignIn, tokenIn } from './sign-ins.server.ts';

/** A player who is signed in. Name is null until the person says it. */
type SignedIn = {
  person: { id: number; name: string | null; email: string };
  signIn: SignIn;
  isStaff: boolean;
  /** From when on the account is deleted; null unless its owner closed it (P58). */
  closing: Date | null;
};

/** The player of a page of the account. */
export type Player = SignedIn & {
  /** The ids of their sign-ins in this browser: as a player and, for staff, as staff. */
  signIns: readonly number[];
  /**
   * Whether they signed in within the last ten minutes, which changes of the account ask for (P54). A player shows one
   * factor, and passkeys open the pages for staff: so staff have to have signed in there, with both.
   */
  fresh: boolean;
};

/** The player on every page behind `playersOnly`. */
const playerContext = createContext<Player>();

/** The signed-in player; null for everybody else, staff included (P52). The response sets `cookies`. */
export async function signedInPlayer(
  context: Readonly<RouterContextProvider>,
  request: Request,
): Promise<{ player: SignedIn | null; cookies: string[] }> {
  const services = context.get(signInContext);
  const { signIn, cookies } = await findSignedIn(services, 'player', request.headers);
  if (!signIn) return { player: null, cookies };
  const person = await services.db
    .selectFrom('people')
    .leftJoin('account_closures', (join) =>
      join.onRef('account_closures.person_id', '=', 'people.id').on('deleted_at', 'is', null),
    )
    .select(['id', 'name', 'email', 'delete_from'])
    .select(({ exists, selectFrom }) =>
      exists(selectFrom('staff_roles').select('role').whereRef('staff_roles.person_id', '=', 'people.id'))
        .$castTo<boolean>()
        .as('isStaff'),
    )
    .where('id', '=', signIn.personId)
    .executeTakeFirst();
  if (!person?.email) return { player: null, cookies };
  const { id, name, email, isStaff, delete_from: closing } = person;
  return { player: { person: { id, name, email }, signIn, isStaff, closing }, cookies };
}

async function withProof(player: SignedIn, services: SignInServices, headers: Headers): Promise<Player> {
  const { db, clock, cookies } = services;
  const at = clock.now();
  const { signIn, isStaff, person } = player;
  if (!isStaff) return { ...player, signIns: [signIn.id], fresh: isFresh(signIn, at) };
  const found = await readSignIn(db, { token: tokenIn(headers, 'staff', cookies), audience: 'staff', at });
  const asStaff = found?.signIn.personId === person.id && !found.signIn.pending ? found.signIn : null;
  return asStaff
    ? { ...player, signIns: [signIn.id, asStaff.id], fresh: isFresh(asStaff, at) }
    : { ...player, signIns: [signIn.id], fresh: false };
}

/** The player of a page behind `playersOnly`. Each loader and action of such a page begins with it. */
export const playerFor = (context: Readonly<RouterContextProvider>): Player => context.get(playerContext);

/** The sign-in that a change of the account asks a player for; null when that was within ten minutes (P54). */
export const proofDue = ({ fresh, isStaff }: Player): Audience | null => (fresh ? null : isStaff ? 'staff' : 'player');

/**
 * The same as `playerFor`, for players who may change the account; others sign in again and come back to `to` (P54).
 */
export function freshPlayerFor(context: Readonly<RouterContextProvider>, to: string): Player {
  const player = playerFor(context);
  const due = proofDue(player);
  if (due === null) return player;
  throw redirect(`${signInPaths[due].ask}?${new URLSearchParams({ again: '', to })}`, 303);
}

/** Lets only players through: sends others to log in, and from there to where they wanted to go. */
export const playersOnly: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  const reads = ['GET', 'HEAD'].includes(request.method);
  const find = async () => {
    const { player, cookies } = await signedInPlayer(context, request);
    return { player: player && (await withProof(player, context.get(signInContext), request.headers)), cookies };
  };
  // No field of the form was read yet.
  const { player, cookies } = await (reads ? unlessDatabaseAway(find) : find().catch(throwNotDone));
  const headers = cookies.map((cookie): [string, string] => ['Set-Cookie', cookie]);
  if (!player) {
    if (!reads && request.headers.get('Sec-Fetch-Dest') === 'empty') throw data(signedOut, { status: 401 });
    const to = new URLSearchParams({ to: ownPath('player', url.pathname + url.search) });
    throw redirect(`${href('/login')}?${to}`, { status: reads ? 302 : 303, headers });
  }
  const leaving = href('/account/leave');
  // A player who closed the account sees nothing else of it, and can keep it.
  if (player.closing && url.pathname !== leaving) throw redirect(leaving, { status: 303, headers });
  context.set(playerContext, player);
  const response = await next();
  for (const [name, value] of headers) response.headers.append(name, value);
  return response;
};

const signedOut =
  'You are no longer logged in. Nothing was sent or saved. Log in in another window, then send this again.';

/** Sets which treasure lies in the middle of a player's bower (P63). */
export async function setAvenue(trx: Db, personId: number, slug: string): Promise<void> {
  await trx.updateTable('players').set({ avenue: slug }).where('person_id', '=', personId).execute();
}
