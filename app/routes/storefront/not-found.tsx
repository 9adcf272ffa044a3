import { data } from 'react-router';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import type { Route } from './+types/not-found';
import { NotFound } from './frame/not-found.tsx';

/** Any path no other route knows; rendered rather than thrown, so that it is an ordinary page with status 404. */
export function loader() {
  return data(null, { status: 404 });
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Page not found', 'There is no page at this address.', noPage);

export default function NotFoundPage() {
  return <NotFound />;
}
