import { data, href, redirect } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import type { Route } from './+types/mail-send-now';
import { takeSendingNow } from './mail-acts.server.ts';

export function loader({ context }: Route.LoaderArgs) {
  staffFor(context, 'mail:read');
  throw redirect(href('/staff/mail'));
}

/** Tries mails that wait at once: the one named, or all. */
export async function action({ context, request }: Route.ActionArgs) {
  const actor = staffFor(context, 'mail:send');
  const asked = { form: await readForm(request), actor };
  const result = await takeSendingNow(context.get(academyContext), asked);
  if (!result.ok) throw data(result.form.fault, { status: result.status });
  throw redirect(`${href('/staff/mail')}?now`, 303);
}
