import { data, href, redirect } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import type { Route } from './+types/class-taps';
import { takeTaps } from './marking-forms.server.ts';

export function loader({ context }: Route.LoaderArgs) {
  staffFor(context, 'attendees:read');
  throw redirect(href('/staff/classes'));
}

/** Takes the taps that a phone kept while the network was gone (P59), as JSON in a form. */
export async function action({ context, request }: Route.ActionArgs): Promise<Response> {
  const actor = staffFor(context, 'attendance:mark');
  const result = await takeTaps(context.get(academyContext), { form: await readForm(request), actor });
  if (!result.ok) throw data(result.why, { status: result.status });
  return Response.json({ results: result.results });
}
