import { data } from 'react-router';

export function loader() {
  throw data('No page for staff is at this address. Choose one from the navigation above.', { status: 404 });
}

/** With a component it is a page, whose error the frame shows. */
export default function NotFound() {
  return null;
}
