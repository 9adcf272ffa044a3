import { createContext, data, href, type MiddlewareFunction, redirect } from 'react-router';
import { doorContext } from './door.server.ts';
import type { Staff } from './staff.ts';
import { staffPath } from './staff-path.ts';

/** Who is signed in, on every page behind `staffOnly`. */
export const staffContext = createContext<Staff>();

/**
 * Lets only staff through: sends others to sign in, and from there to where they wanted to go. Whoever was signed out
 * while writing gets a 401, with which the form stays as it was.
 */
export const staffOnly: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  const { signIns, trueNow } = context.get(doorContext);
  const { staff, cookies } = await signIns.find(request.headers, trueNow());
  if (!staff) {
    if (!['GET', 'HEAD'].includes(request.method)) throw data(signedOut, { status: 401 });
    const wanted = new URLSearchParams({ to: staffPath(url.pathname + url.search) });
    throw redirect(`${href('/staff/sign-in')}?${wanted}`, { headers: cookies.map((cookie) => ['Set-Cookie', cookie]) });
  }
  context.set(staffContext, staff);
  const response = await next();
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
  return response;
};

const signedOut =
  'You are not signed in any more. Nothing was sent or stored. Sign in in another window, then send this again; if what you wrote is not on this page, go back in your browser, where it is still in the form.';
