import { href, redirect } from 'react-router';
import { actPasskey } from '#app/features/people/sign-in-actions.server.ts';
import type { Route } from './+types/sign-in-passkey';

export function loader() {
  throw redirect(href('/staff/sign-in'));
}

/** For the button that signs staff in by a passkey. */
export const action = (args: Route.ActionArgs) => actPasskey('staff', args);
