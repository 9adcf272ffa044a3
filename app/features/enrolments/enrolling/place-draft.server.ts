import { seatTransaction } from '#app/features/course-dates/seat-gate.server.ts';
import { unpaidInWords, whatHelps } from '#app/features/enrolments/limits.server.ts';
import { type NotPlaced, placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { theBuyer } from '#app/features/people/actor.ts';
import { verifyAddress } from '#app/features/people/addresses.server.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { type Academy, momentOf } from '#app/http/academy.server.ts';
import { networkKeyOfVisitor } from '#app/http/form-limit.server.ts';
import { blankForm, type FormWords, type Refuse, takeForm } from '#app/http/take-form.server.ts';
import { formatMoney } from '#app/lib/money.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import type { FormValues } from '#app/ui/form-state.ts';
import { seatsOf } from './choice.ts';
import { fullText } from './choose.server.ts';
import { placedToken } from './drafts.server.ts';
import { lostText, openDraft } from './open-draft.server.ts';
import type { OpenDraft } from './open-draft.ts';
import { type NotSigned, signDraft } from './review-step.server.ts';
import type { StepResult } from './step-form.ts';
import { stepPath } from './steps.ts';

/** The value of a refused form that can go to staff as a request instead. */
const requestInstead = 'request';

/**
 * Places the enrolment of a draft, once (P25, P28, P31): the button of the last step, with the code of the buyer's
 * address and the terms beside it. A right code counts even if the enrolment is refused for another reason. Leads on to
 * the page of the placed enrolment.
 */
export function placeDraft(
  context: Academy,
  snapshot: Snapshot,
  {
    token,
    form,
    address,
  }: { token: string; form: FormData | null; address: string /** The network's that sent it. */ },
): Promise<StepResult> {
  const { db, forms } = context;
  return takeForm({ form, fresh: blankForm(), words }, async (values, refuse): Promise<StepResult> => {
    const opened = await openDraft(context, snapshot, token);
    if (!opened) return refuse(404, 'This enrolment is no longer here. Please start again from the course.');
    if (opened.draft.enrolmentId !== null) return { ok: true, to: stepPath(token, 'done') };
    const { product, choice, quote, termsId, attendees, payer, prices, draft, reached } = opened;
    // If another date has to be chosen first, nothing is bought and the page says why.
    if (opened.lost) return refuse(409, `Not placed: ${lostText(opened.lost)}`);
    if (!product || !choice || !quote || !attendees || !payer || reached !== 'review') {
      return { ok: true, to: stepPath(token, reached) };
    }
    const { email } = payer.buyer;
    // In a transaction of its own: a tried code counts, even if placing fails.
    const signed = await db
      .transaction()
      .execute((trx) => signDraft(trx, context, { draft, email, product, choice, quote, termsId, values }));
    if (!signed.ok) return refuse(...notSigned(signed, values));
    const order = {
      comboId: product.comboId,
      choices: choice.choices,
      attendees,
      buyer: payer.buyer,
      payer: payer.payer,
      termsId,
      draftId: draft.id,
      token: placedToken(forms.secret, token),
      prices,
      // The terms that were accepted are bound to it.
      shownCents: quote.totalCents,
      actor: theBuyer,
      network: networkKeyOfVisitor(forms.limit, address),
    };
    const moment = momentOf(context);
    const courseDates = seatsOf(choice).map(({ courseDateId }) => courseDateId);
    const placed = await seatTransaction(db, courseDates, async (trx) => {
      const result = await placeEnrolment(trx, order, moment);
      // The code that was mailed there is right.
      if (result.ok) await verifyAddress(trx, email, moment.now);
      return result;
    });
    if (placed.ok) return { ok: true, to: stepPath(token, 'done') };
    const toStaff = placed.reason === 'too-many-unpaid' || placed.reason === 'agreement-first';
    return refuse(409, {
      fault: refusalText(placed, opened),
      values: { ...values, [requestInstead]: toStaff ? 'yes' : '' },
    });
  });
}

/**
 * The answer to a button with a wrong code or without the terms. What was typed stays, what no longer holds does not.
 */
function notSigned({ status, errors, changed }: NotSigned, values: FormValues): Parameters<Refuse> {
  return [status, { errors, ...(changed && { fault: termsChanged, values: { ...values, accepted: '' } }) }];
}

const termsChanged =
  'The dates, the price or the terms have changed since this page was opened. The current ones are below. Please read them and tick the box again.';

const words: FormWords = {
  unreadable: 'Part of the form was missing. Nothing was placed. Please send it again.',
  notSaved:
    'Our system is not available, so you are not enrolled yet. Everything you wrote is saved. Please send it again in a few minutes.',
  away: unconfirmedText(
    'that this was placed',
    'Everything you wrote is saved. Please send it again in a few minutes; we place it only once, however often you send it.',
  ),
  busy: 'Many people are enrolling for this date at the moment, so you are not enrolled yet. Everything you wrote is saved, and your seats stay held for the time shown. Please press the button again in a few seconds.',
};

function refusalText(refused: NotPlaced, { product, choice }: OpenDraft): string {
  const dateOf = (courseDateId: number) =>
    product?.courses.flatMap(({ dates }) => dates).find((date) => date.courseDateId === courseDateId)?.days ??
    'The date';
  const keptOf = (courseDateId: number) =>
    product?.courses.flatMap(({ dates }) => dates).find((date) => date.courseDateId === courseDateId)?.kept;
  switch (refused.reason) {
    case 'course-date-full':
      return `Not placed: ${fullText(dateOf(refused.courseDateId), refused.left, choice?.attendees ?? 1, keptOf(refused.courseDateId))}`;
    case 'below-minimum':
      return `Not placed: ${dateOf(refused.courseDateId)} is held for ${refused.minimum} or more of your people. Enrol at least ${refused.minimum}: names can come later, and everything else is kept.`;
    case 'course-date-closed':
      return `Not placed: ${dateOf(refused.courseDateId)} can no longer be booked. Change the choice below; everything else is kept.`;
    case 'course-date-cancelled':
      return `Not placed: ${dateOf(refused.courseDateId)} was cancelled. Change the choice below; everything else is kept.`;
    case 'not-guided':
    case 'no-such-monday':
    case 'not-offered':
      return 'Not placed: we no longer offer what you chose in this way. Change the choice below; everything else is kept.';
    case 'price-changed':
      return `Not placed: the total is ${formatMoney(refused.nowCents)} now, not ${formatMoney(refused.shownCents)}. It is shown below. Please check it, tick the box again and press the button if you agree.`;
    case 'too-many-unpaid':
      return `Not placed: ${unpaidInWords(refused)} ${whatHelps(refused, 'Pay for those first, take', 'Take')} fewer people, or send it to staff as a request: everything is kept.`;
    case 'agreement-first':
      return 'Not placed: a job-guarantee programme begins with an agreement. Send us a request: everything is kept.';
  }
}
