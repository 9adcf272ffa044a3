import { href, redirect } from 'react-router';
import { signInContext } from '#app/features/people/sign-in-context.ts';
import { signOut } from '#app/features/people/sign-ins.server.ts';
import { actOr503, unconfirmed } from '#app/http/database-away.server.ts';
import type { Route } from './+types/sign-out';

export function loader() {
  throw redirect(href('/staff'));
}

export async function action({ context, request }: Route.ActionArgs) {
  const cookies = await actOr503(unconfirmed, () => signOut(context.get(signInContext), 'staff', request.headers));
  const headers = cookies.map((cookie): [string, string] => ['Set-Cookie', cookie]);
  throw redirect(href('/staff/sign-in'), { status: 303, headers });
}
