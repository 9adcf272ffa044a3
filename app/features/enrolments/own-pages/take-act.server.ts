import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import type { Circumstances } from '#app/features/enrolments/circumstances.ts';
import { findLink } from '#app/features/enrolments/links.server.ts';
import type { SeatTrx } from '#app/features/sessions/seats.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import type { FieldErrors, FormState, FormValues } from '#app/ui/form-state.ts';
import { circumstancesOf, type LinkDesk } from './private-links.server.ts';

/** What was done, as the buyer's page says it. */
export type Done = 'cancelled' | 'moved' | 'kept' | 'named' | 'added' | 'corrected';

/** What an act came to. Refused, it has written nothing; `errors` are of fields, `fault` is of the whole. */
export type ActOutcome = { ok: true; done: Done } | { ok: false; errors: FieldErrors } | { ok: false; fault: string };

type Act = (
  trx: SeatTrx,
  sent: { enrolmentId: number; values: FormValues },
  circumstances: Circumstances,
) => Promise<ActOutcome>;

export type ActResult =
  | { ok: true; done: Done }
  | { ok: false; status: 400 | 409 | 503; form: FormState }
  | { ok: false; status: 404 };

/**
 * Takes a form of the buyer's private pages (P32) and does what it says in one transaction. Every refusal keeps what was
 * typed and says what to do. The acts answer a repeat with what was done (P25), so that sending again does no harm.
 */
export async function takeAct(
  desk: LinkDesk,
  { token, form }: { token: string; form: FormData | null },
  act: Act,
): Promise<ActResult> {
  const values = textsOf(form);
  const refuse = (status: 400 | 409 | 503, parts: Partial<FormState>): ActResult => ({
    ok: false,
    status,
    form: { values, errors: {}, fault: null, heading: 'Nothing was changed', token: '', ...parts },
  });
  if (!form) return refuse(400, { fault: 'What arrived here was not a whole form. Please send it once more.' });
  try {
    const outcome = await desk.db.transaction().execute(async (trx) => {
      const link = await findLink(trx, token);
      if (!link || link.attendeeId !== null) return null;
      return act(trx, { enrolmentId: link.enrolmentId, values }, circumstancesOf(desk));
    });
    if (outcome === null) return { ok: false, status: 404 };
    if (outcome.ok) return outcome;
    return 'errors' in outcome ? refuse(400, { errors: outcome.errors }) : refuse(409, { fault: outcome.fault });
  } catch (error) {
    if (!isConnectionFailure(error)) throw error;
    return refuse(503, { heading: 'Not confirmed yet', fault: away });
  }
}

const away =
  'Our database is away, so we could not confirm the change. What you wrote is still below. Please send it again in a few minutes: doing so twice does no harm.';

/** Somebody else changed the enrolment at the same moment. */
export const meanwhile =
  'Something else was changed in this enrolment at the same moment, so nothing was done. Please look at it again and send it once more.';
