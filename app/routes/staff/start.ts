import { href, redirect } from 'react-router';

/** The first page for staff is the inbox, until there is something to see across all lists. */
export function loader() {
  throw redirect(href('/staff/enquiries'));
}
