import { data } from 'react-router';
import { databaseTrouble } from '#app/db/connection-failure.server.ts';
import { watchingStores } from '#app/db/may-be-stored.server.ts';
import { nothingDone } from '#app/lib/nothing-done.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import type { FormState } from '#app/ui/form-state.ts';

/** The sentences in place of a page that is read, while the database is away or busy with others. */
export const notShown = {
  away: 'Our system is not available, so we could not show this page. Please try again in a few minutes.',
  busy: 'Many people are here at the moment, so we could not show this page. Please try again in a few seconds.',
};

/** The sentences for a form of which nothing was looked at or done. */
export const notDone = {
  away: 'Our system is not available, so we could not do this. Nothing was sent, saved or changed. Please try again in a few minutes.',
  busy: 'Many people are here at the moment, so we could not do this. Nothing was sent, saved or changed. Please try again in a few seconds.',
};

/** For acts whose page shows the result. */
export const unconfirmed = unconfirmedText(
  'that this was done',
  'Please look again in a few minutes, before you repeat it.',
);

/** For acts that do nothing when they are repeated. */
export const twiceIsHarmless = 'Please send it again in a few minutes. Doing it twice does no harm.';

/** The 503 of a public page that needs the database while that is away; to be thrown. */
export const readLater = (message: string) => data(message, { status: 503, headers: { 'Retry-After': '30' } });

/**
 * Does work that needs the database; while that cannot do it, throws a 503 that says so, for the route's error
 * boundary.
 */
export async function unlessDatabaseAway<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    returnWhenAway(error);
    throw readLater(notShown.away);
  }
}

/**
 * Does an act that has no form to give back, or reads for one. While the database cannot do it, throws a 503 that says so: for sure when
 * nothing was stored, otherwise with `unconfirmed`.
 */
export function actOr503<T>(unconfirmed: string, work: () => Promise<T>): Promise<T> {
  return watchingStores(async (mayBeStored) => {
    try {
      return await work();
    } catch (error) {
      if (databaseTrouble(error) !== null && mayBeStored()) throw readLater(unconfirmed);
      throwNotDone(error);
    }
  });
}

/** Throws the 503 of an act that was not begun, while the database cannot do it; every other error on. */
export function throwNotDone(error: unknown): never {
  const trouble = databaseTrouble(error);
  throw trouble === null ? error : notDoneYet(trouble);
}

/** The 503 of an act of which nothing was done, to be thrown. In the browser its form stays, and says so. */
const notDoneYet = (trouble: 'away' | 'busy') =>
  data(notDone[trouble], { status: 503, statusText: nothingDone, headers: { 'Retry-After': '30' } });

/**
 * Returns when the database is away, for pages that say so in their own words. When it is only busy with others it
 * throws the 503 that says so; every other error it throws on.
 */
export function returnWhenAway(error: unknown): void {
  const trouble = databaseTrouble(error);
  if (trouble === 'busy') throw data(notShown.busy, { status: 503, headers: { 'Retry-After': '10' } });
  if (trouble === null) throw error;
}

/** The sentence for a form that was not stored because the database was busy; `kept` says where the typed text is. */
export const busyText = (kept: string) =>
  `Many people are here at the moment, so this was not saved yet. ${kept} Please send it again in a few seconds.`;

/** The same where the seats of a course date are wanted (P88). */
export const courseDateBusyText = (kept: string) =>
  `Many people are enrolling for this date at the moment, so this was not saved yet. ${kept} Please send it again in a few seconds.`;

/** The result of `work`, or `instead` as a 503 while the database is away, for pages that say so in their own words. */
export async function readOrInstead<T, Instead>(instead: Instead, work: () => Promise<T>) {
  try {
    return await work();
  } catch (error) {
    returnWhenAway(error);
    return data(instead, { status: 503, headers: { 'Retry-After': '60' } });
  }
}

/**
 * The result of an act, or as a 503 what its page shows instead: `instead` is told whether the act may have been done.
 */
export function actOrInstead<T, Instead>(instead: (mayBeDone: boolean) => Instead, act: () => Promise<T>) {
  return watchingStores(async (mayBeStored) => {
    try {
      return await act();
    } catch (error) {
      if (databaseTrouble(error) === null) throw error;
      return data(instead(mayBeStored()), { status: 503, headers: { 'Retry-After': '60' } });
    }
  });
}

/**
 * The words of a refused form while the database cannot store it. Nothing was stored, unless `mayBeStored`: then `away`
 * says that it may have been. Throws every other error on.
 */
export function formTrouble(
  error: unknown,
  {
    away,
    busy,
    notStored,
    notSaved = notDone.away,
  }: Record<'away' | 'busy', string> & Record<'notStored', FormState['heading']> & { notSaved?: string | undefined },
  mayBeStored: boolean,
): Pick<FormState, 'heading' | 'fault'> {
  const trouble = databaseTrouble(error);
  if (trouble === null) throw error;
  if (mayBeStored) return { heading: 'Not confirmed yet', fault: away };
  return { heading: notStored, fault: trouble === 'busy' ? busy : notSaved };
}
