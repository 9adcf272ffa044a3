import type { Db, Trx } from '#app/db/client.server.ts';
import { recordBuyersAct } from '#app/features/companies/acts.server.ts';
import { seatTransaction } from '#app/features/course-dates/seat-gate.server.ts';
import type { TooManyMails } from '#app/features/enrolments/limits.server.ts';
import { findLink, verifyBuyer } from '#app/features/enrolments/links.server.ts';
import { courseDatesOf } from '#app/features/enrolments/lock-enrolment.server.ts';
import { type Academy, type Moment, momentOf } from '#app/http/academy.server.ts';
import { courseDateBusyText, twiceIsHarmless } from '#app/http/database-away.server.ts';
import { blankForm, type FormWords, type Refusal, takeForm, Undone } from '#app/http/take-form.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import type { FieldErrors, FormValues } from '#app/ui/form-state.ts';

/** The change that was made, for the confirmation on the buyer's page. */
export type Done = 'cancelled' | 'moved' | 'kept' | 'named' | 'added' | 'corrected' | 'given' | 'asked' | 'kept-free';

/** The result of an act. What a refused act wrote is undone; `errors` belong to fields, `fault` to the whole form. */
export type ActOutcome = { ok: true; done: Done } | { ok: false; errors: FieldErrors } | Faulty;
type Faulty = { ok: false; fault: string /** It was done too often for today. */; tooOften?: boolean };

type Act = (trx: Trx, sent: { enrolmentId: number; values: FormValues }, moment: Moment) => Promise<ActOutcome>;

/**
 * Takes a form of the buyer's private pages (P32) and does what it says in one transaction. Every refusal keeps what
 * was typed and says what to do. The acts answer a repeat with what was done (P25), so that sending again does no harm.
 */
export function takeBuyerAct(
  academy: Academy,
  { token, form }: { token: string; form: FormData | null },
  act: Act,
): Promise<{ ok: true; done: Done } | Refusal> {
  return takeForm({ form, fresh: blankForm('Nothing was changed'), words }, async (values, refuse) => {
    const outcome = await seatTransaction(academy.db, await courseDatesOfLink(academy.db, token), async (trx) => {
      const link = await findLink(trx, token);
      if (!link || link.attendeeId !== null) return null;
      const moment = momentOf(academy);
      const done = await act(trx, { enrolmentId: link.enrolmentId, values }, moment);
      if (!done.ok) {
        if ('errors' in done) throw new Undone(refuse(400, { errors: done.errors }));
        throw new Undone(refuse(done.tooOften ? 429 : 409, done.fault));
      }
      if (link.managerId === null) await verifyBuyer(trx, link.enrolmentId, moment.now);
      const { enrolmentId, managerId: personId } = link;
      await recordBuyersAct(trx, { enrolmentId, personId, act: done.done, at: moment.now });
      return done;
    });
    return outcome ?? refuse(404, {});
  });
}

const words: FormWords = {
  unreadable: 'Part of the form was missing. Please send it again.',
  notSaved:
    'Our system is not available, so nothing was changed. What you wrote is still below. Please send it again in a few minutes.',
  away: unconfirmedText('the change', `What you wrote is still below. ${twiceIsHarmless}`),
  busy: courseDateBusyText('What you wrote is still below.'),
};

/** Refuses a change that would send too much mail to others (P24), and says what the buyer can do. */
export function tooOften({ of, most }: TooManyMails, { academy }: Pick<Moment, 'academy'>): Faulty {
  const fault = `${limits[of](most)} Nothing was changed, and what you wrote is still below. Write to us at ${academy.email} or call ${academy.phone}: our staff can do it for you.${of === 'all-corrections' ? '' : ' Or send it again tomorrow.'}`;
  return { ok: false, fault, tooOften: true };
}

const limits: Record<TooManyMails['of'], (most: number) => string> = {
  changes: (most) => `At most ${most} changes of who attends can be made in an enrolment within a day.`,
  given: (most) => `You can give at most ${most} places a day to one email address.`,
  asked: (most) => `We ask an email address at most ${most} times a day whether it wants invoices.`,
  corrections: (most) => `Details on a tax invoice can be corrected here at most ${most} times a day.`,
  'all-corrections': (most) =>
    `Details on the tax invoices of an enrolment can be corrected here at most ${most} times.`,
};

/** The course dates that an act locks in any case. */
async function courseDatesOfLink(db: Db, token: string): Promise<number[]> {
  const link = await findLink(db, token);
  return link ? courseDatesOf(db, link.enrolmentId) : [];
}

/** Somebody else changed the enrolment at the same moment. */
export const meanwhile =
  'Something else in this enrolment changed just now, so nothing was done. Please look at it again and send it again.';
