import { href, redirect } from 'react-router';
import { actPasskey } from '#app/features/people/sign-in-actions.server.ts';
import type { Route } from './+types/login-passkey';

export function loader() {
  throw redirect(href('/login'));
}

/** For the button that logs in by a passkey. */
export const action = (args: Route.ActionArgs) => actPasskey('player', args);
