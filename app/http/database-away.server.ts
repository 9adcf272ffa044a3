import { data } from 'react-router';
import { databaseTrouble } from '#app/db/connection-failure.server.ts';
import type { FormState } from '#app/ui/form-state.ts';

/** The sentence for staff while the database is away. */
export const databaseAway =
  'Our system is not available, so we could not do this. Nothing was sent, saved or lost. Try again in a few minutes.';

/** The sentence in place of a page while the database is busy with others. */
export const databaseBusy =
  'Many people are here at the moment, so we could not show this page. Nothing was changed or lost. Please try again in a few seconds.';

/** The 503 of a public page that needs the database while that is away; to be thrown. */
export const readLater = (message: string) => data(message, { status: 503, headers: { 'Retry-After': '30' } });

/**
 * Does work that needs the database; while that cannot do it, throws a 503 that says so, for the route's error
 * boundary.
 */
export async function orAway<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    passUnlessAway(error);
    throw readLater(databaseAway);
  }
}

/**
 * Returns when the database is away, for pages that say so in their own words. When it is only busy with others it
 * throws the 503 that says so; every other error it throws on.
 */
export function passUnlessAway(error: unknown): void {
  const trouble = databaseTrouble(error);
  if (trouble === 'busy') throw data(databaseBusy, { status: 503, headers: { 'Retry-After': '10' } });
  if (trouble === null) throw error;
}

/** The sentence for a form that was not stored because the database was busy; `kept` says where the typed text is. */
export const busyText = (kept: string) =>
  `Many people are here at the moment, so this was not saved yet. ${kept} Please send it again in a few seconds.`;

/** The same where the seats of a training session are wanted (P88). */
export const sessionBusyText = (kept: string) =>
  `Many people are enrolling for this date at the moment, so this was not saved yet. ${kept} Please send it again in a few seconds.`;

/** The result of `work`, or `instead` as a 503 while the database is away, for pages that say so in their own words. */
export async function readOr<T, Instead>(instead: Instead, work: () => Promise<T>) {
  try {
    return await work();
  } catch (error) {
    passUnlessAway(error);
    return data(instead, { status: 503, headers: { 'Retry-After': '60' } });
  }
}

/**
 * The words of a refused form while the database cannot store it: `away`, when the form may have been stored, or
 * `busy`, when it was not. Throws every other error on.
 */
export function troubleOf(
  error: unknown,
  {
    away,
    busy,
    notStored,
    awayHeading = 'Not confirmed yet',
  }: Record<'away' | 'busy', string> &
    Record<'notStored', FormState['heading']> & { awayHeading?: FormState['heading'] },
): Pick<FormState, 'heading' | 'fault'> {
  switch (databaseTrouble(error)) {
    case 'busy':
      return { heading: notStored, fault: busy };
    case 'away':
      return { heading: awayHeading, fault: away };
    case null:
      throw error;
  }
}
