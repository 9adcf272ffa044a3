import { data } from 'react-router';
import { isConnectionFailure } from '#app/db/connection-failure.server.ts';

/** What staff read while the database is away. */
export const databaseAway =
  'Our database is away, so this could not be done. Nothing was sent, stored or lost. Try again in a few minutes.';

/** The 503 of a public page that needs the database while that is away; to be thrown. */
export const readLater = (message: string) => data(message, { status: 503, headers: { 'Retry-After': '30' } });

/** Does work that needs the database; while that is away it throws a 503 that says so, for the route's error boundary. */
export async function orAway<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isConnectionFailure(error)) throw data(databaseAway, { status: 503 });
    throw error;
  }
}
