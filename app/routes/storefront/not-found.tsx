import { data } from 'react-router';
import { NotFound } from './frame/not-found.tsx';

/** Any path no other route knows; rendered rather than thrown, so that it is an ordinary page with status 404. */
export function loader() {
  return data(null, { status: 404 });
}

export default function NotFoundPage() {
  return <NotFound />;
}
