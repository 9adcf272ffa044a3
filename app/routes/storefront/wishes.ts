import { href, redirect } from 'react-router';

/** What one waits for is in the account (P98). */
export const loader = () => redirect(href('/account'), 301);
