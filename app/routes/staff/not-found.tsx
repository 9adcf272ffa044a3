import { data } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import type { Route } from './+types/not-found';

export function loader({ context }: Route.LoaderArgs) {
  staffFor(context, 'todo:read');
  throw data('There is no staff page at this address. Choose one from the navigation above.', { status: 404 });
}

/** With a component it is a page, whose error the frame shows. */
export default function NotFound() {
  return null;
}
