import { data, href, redirect } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import type { Route } from './+types/mail-send-now';
import { takeReleasing, takeSendingNow } from './mail-acts.server.ts';

export function loader({ context }: Route.LoaderArgs) {
  staffFor(context, 'mail:read');
  throw redirect(href('/staff/mail'));
}

/** Tries mails that wait at once: the one named, or all; or lets go what is held since a restore. */
export async function action({ context, request }: Route.ActionArgs) {
  const sender = staffFor(context, 'mail:send');
  const form = await readForm(request);
  const isHeld = form?.get('act') === 'held';
  const actor = isHeld ? staffFor(context, 'staff:grant') : sender;
  const take = isHeld ? takeReleasing : takeSendingNow;
  const result = await take(context.get(academyContext), { form, actor });
  if (!result.ok) throw data(result.form.fault, { status: result.status });
  throw redirect(isHeld ? href('/staff') : `${href('/staff/mail')}?now`, 303);
}
