import type { StaffActor } from './actor.ts';
import { readActor } from './queries.server.ts';
import type { SignInServices } from './sign-in-context.ts';
import {
  type Audience,
  endSignIn,
  findSignIn,
  noSignInCookies,
  type SignIn,
  signInCookies,
  tokenIn,
} from './sign-ins.server.ts';

type Services = Pick<SignInServices, 'db' | 'clock' | 'cookies'>;

/** The sign-in a request was sent with, with its second step or before it; `cookies` is what the answer changes in the browser. */
export async function findSignedIn(
  { db, clock, cookies }: Services,
  audience: Audience,
  headers: Headers,
): Promise<{ signIn: SignIn | null; cookies: string[] }> {
  const token = tokenIn(headers, audience, cookies);
  if (token === '') return { signIn: null, cookies: [] };
  const found = await findSignIn(db, { token, audience, at: clock.now() });
  if (!found) return { signIn: null, cookies: noSignInCookies(audience, cookies) };
  return { signIn: found.signIn, cookies: found.used ? signInCookies(audience, token, cookies) : [] };
}

/** Which member of staff sent a request; null for nobody who is signed in and staff now. */
export async function findStaffSignedIn(
  services: Services,
  headers: Headers,
): Promise<{ actor: StaffActor | null; signIn: SignIn | null; cookies: string[] }> {
  const { signIn, cookies } = await findSignedIn(services, 'staff', headers);
  if (!signIn || signIn.pending) return { actor: null, signIn, cookies };
  const actor = await readActor(services.db, signIn.personId);
  return actor
    ? { actor, signIn, cookies }
    : { actor: null, signIn: null, cookies: await signOut(services, 'staff', headers) };
}

/** Ends the sign-in a request was sent with. */
export async function signOut({ db, cookies }: Services, audience: Audience, headers: Headers): Promise<string[]> {
  const token = tokenIn(headers, audience, cookies);
  if (token !== '') await endSignIn(db, token);
  return noSignInCookies(audience, cookies);
}
