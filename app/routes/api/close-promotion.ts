import { href, redirect } from 'react-router';
import { closedByForm } from '#app/features/catalogue/promotions/closed-banner.ts';
import { baseUrlContext } from '#app/http/context.ts';
import { readForm } from '#app/http/forms.server.ts';
import { sameSitePath } from '#app/http/same-site-path.ts';
import type { Route } from './+types/close-promotion';

/** There is no page here; a visitor who opens the address by hand is led home. */
export function loader() {
  return redirect(href('/'));
}

/** Closes the banner where no script can, and leads back to the page it stood on. */
export async function action({ request, context }: Route.ActionArgs): Promise<Response> {
  const form = await readForm(request);
  const https = context.get(baseUrlContext).startsWith('https:');
  return redirect(sameSitePath(form?.get('to')), { status: 303, headers: { 'Set-Cookie': closedByForm({ https }) } });
}
