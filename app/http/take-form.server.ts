import { data, redirect } from 'react-router';
import { watchingStores } from '#app/db/may-be-stored.server.ts';
import type { FormState, FormValues } from '#app/ui/form-state.ts';
import { formTrouble } from './database-away.server.ts';
import { textsOf } from './form-texts.ts';

/** A refused form: the data for its page, with the typed text. */
export type Refusal = { ok: false; status: 400 | 403 | 404 | 409 | 429 | 500 | 502 | 503; form: FormState };

/** Refuses a form; a text is what went wrong with the whole of it. */
export type Refuse = (status: Refusal['status'], why: string | Partial<FormState>) => Refusal;

/** The sentences for a broken form, and while the database is away or busy with others (P88). */
export type FormWords = {
  unreadable: string;
  /** The database went away, or got busy, when the form may have been stored already. */
  away: string;
  busy: string;
  /** The database is away, and nothing was stored. */
  notSaved?: string;
};

type Sent = {
  /** Null when the body was no whole form. */
  form: FormData | null;
  /** The form to give back with a refusal. Its own values come before the typed ones. */
  fresh: FormState;
  words: FormWords;
  /** The typed values, if they differ from the fields. */
  values?: FormValues;
  /** Turns an error of `take` into a refusal. By default a database that is away or busy is a 503; others are bugs. */
  failed?: (error: unknown, refuse: Refuse, mayBeStored: boolean) => Refusal;
};

/**
 * Takes a form of any page: reads its texts, calls `take` with them, and returns the typed texts with every refusal. If
 * `take` throws `Undone` inside a transaction, the transaction stores nothing. A database that is away or busy is a 503
 * in the given words; any other error is a bug and thrown on.
 */
export async function takeForm<Done extends { ok: true }>(
  { form, fresh, words, values = textsOf(form), failed }: Sent,
  take: (values: FormValues, refuse: Refuse) => Promise<Done | Refusal>,
): Promise<Done | Refusal> {
  const refuse: Refuse = (status, why) => {
    const parts = typeof why === 'string' ? { fault: why } : why;
    return { ok: false, status, form: { ...fresh, values: { ...values, ...fresh.values }, ...parts } };
  };
  if (!form) return refuse(400, words.unreadable);
  return watchingStores(async (mayBeStored) => {
    try {
      return await take(values, refuse);
    } catch (error) {
      if (error instanceof Undone) return error.refusal;
      if (failed) return failed(error, refuse, mayBeStored());
      return refuse(503, formTrouble(error, { ...words, notStored: fresh.heading }, mayBeStored()));
    }
  });
}

/** Undoes the transaction in which it is thrown; the form is refused. */
export class Undone extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super('the form is refused');
    this.refusal = refusal;
  }
}

/** A form before it is sent: nothing is typed, and nothing is wrong. */
export const blankForm = (heading: FormState['heading'] = 'Not sent yet', token = ''): FormState => ({
  values: {},
  errors: {},
  fault: null,
  heading,
  token,
});

/** Leads on once a form was taken; otherwise gives it back. */
export function answerForm<Done extends { ok: true }>(result: Done | Refusal, to: string | ((done: Done) => string)) {
  if (result.ok) throw redirect(typeof to === 'string' ? to : to(result), 303);
  return giveBack(result);
}

/** The response with a refused form. A 409 means that the page is out of date. */
export const giveBack = ({ form, status }: Refusal) => data({ form, stale: status === 409 }, { status });
