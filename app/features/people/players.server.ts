import { createContext, data, href, type MiddlewareFunction, type RouterContextProvider, redirect } from 'react-router';
import { orAway, throwNotDone } from '#app/http/database-away.server.ts';
import { nextOf } from './door-acts.server.ts';
import { ownPath } from './own-path.ts';
import { signInContext } from './sign-in-context.ts';
import { isFresh, type SignIn } from './sign-ins.server.ts';
import { findSignedIn } from './signed-in.server.ts';

/** A player who is signed in. Name is null until the person says it. */
export type Player = {
  kind: 'player';
  person: { id: number; name: string | null; email: string };
  signIn: SignIn;
  /** Whether they signed in within the last ten minutes, which changes of the account ask for (P54). */
  fresh: boolean;
  /** From when on the account is deleted; null unless its owner closed it (P58). */
  closing: Date | null;
};

/** The player on every page behind `playersOnly`. */
const playerContext = createContext<Player>();

/** The signed-in player; null for everybody else, staff included (P52). The response sets `cookies`. */
export async function signedInPlayer(
  context: Readonly<RouterContextProvider>,
  request: Request,
): Promise<{ player: Player | null; signIn: SignIn | null; cookies: string[] }> {
  const services = context.get(signInContext);
  const { signIn, cookies } = await findSignedIn(services, 'player', request.headers);
  if (!signIn || signIn.awaits) return { player: null, signIn, cookies };
  const person = await services.db
    .selectFrom('people')
    .leftJoin('account_closures', (join) =>
      join.onRef('account_closures.person_id', '=', 'people.id').on('deleted_at', 'is', null),
    )
    .select(['id', 'name', 'email', 'delete_from'])
    .where('id', '=', signIn.personId)
    .executeTakeFirst();
  if (!person?.email) return { player: null, signIn: null, cookies };
  const fresh = isFresh(signIn, services.clock.now());
  const { id, name, email, delete_from: closing } = person;
  return { player: { kind: 'player', person: { id, name, email }, signIn, fresh, closing }, signIn, cookies };
}

/** The player of a page behind `playersOnly`. Each loader and action of such a page begins with it. */
export const playerFor = (context: Readonly<RouterContextProvider>): Player => context.get(playerContext);

/**
 * As `playerFor`, for players who signed in within the last ten minutes; others sign in anew and come back to `to`
 * (P54).
 */
export function freshPlayerFor(context: Readonly<RouterContextProvider>, to: string): Player {
  const player = playerFor(context);
  if (player.fresh) return player;
  throw redirect(`${href('/login')}?${new URLSearchParams({ again: '', to: ownPath('player', to) })}`, 303);
}

/** Lets only players through: sends others to log in, and from there to where they wanted to go. */
export const playersOnly: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  const reads = ['GET', 'HEAD'].includes(request.method);
  const find = () => signedInPlayer(context, request);
  // Nothing of a form was looked at yet.
  const { player, signIn, cookies } = await (reads ? orAway(find) : find().catch(throwNotDone));
  const headers = cookies.map((cookie): [string, string] => ['Set-Cookie', cookie]);
  if (!player) {
    if (signIn?.awaits) throw redirect(nextOf(signIn), { headers });
    if (!reads && request.headers.get('Sec-Fetch-Dest') === 'empty') throw data(signedOut, { status: 401 });
    const to = new URLSearchParams({ to: ownPath('player', url.pathname + url.search) });
    throw redirect(`${href('/login')}?${to}`, { status: reads ? 302 : 303, headers });
  }
  const leaving = href('/account/leave');
  // A player who closed the account sees nothing else of it, and may keep it.
  if (player.closing && url.pathname !== leaving) throw redirect(leaving, { status: 303, headers });
  context.set(playerContext, player);
  const response = await next();
  for (const [name, value] of headers) response.headers.append(name, value);
  return response;
};

const signedOut =
  'You are no longer logged in. Nothing was sent or saved. Log in in another window, then send this again.';
