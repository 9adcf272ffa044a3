import { href, redirect } from 'react-router';

/** The courses that a player waits for are in the account (P98). */
export const loader = () => redirect(href('/account'), 301);
