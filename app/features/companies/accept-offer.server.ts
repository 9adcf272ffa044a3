import { z } from 'zod';
import type { Trx } from '#app/db/client.server.ts';
import { offerAccepted } from '#app/emails/offers.ts';
import { seatTransaction } from '#app/features/course-dates/seat-gate.server.ts';
import { type LockedCourseDate, lockCourseDates } from '#app/features/course-dates/seats.server.ts';
import {
  type CodeAsked,
  sendCode,
  tryCode,
  wasCodeUsed,
} from '#app/features/enrolments/enrolling/email-codes.server.ts';
import { refusedCode } from '#app/features/enrolments/enrolling/review-step.server.ts';
import { unpaidInWords } from '#app/features/enrolments/limits.server.ts';
import { findLink } from '#app/features/enrolments/links.server.ts';
import { nobodyYet } from '#app/features/enrolments/order.ts';
import { enrolmentPath } from '#app/features/enrolments/paths.ts';
import { type NotPlaced, placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { longestName, payerFields } from '#app/features/enrolments/schema.ts';
import { shownDate } from '#app/features/enrolments/words.ts';
import { readProduct } from '#app/features/money/price-ledger.server.ts';
import { agreedPrices, lowerPrices } from '#app/features/money/pricing.ts';
import { theBuyer } from '#app/features/people/actor.ts';
import { verifyAddress } from '#app/features/people/addresses.server.ts';
import { type Academy, type Moment, momentOf } from '#app/http/academy.server.ts';
import { courseDateBusyText } from '#app/http/database-away.server.ts';
import { askLimits, networkKeyOfVisitor, waitText } from '#app/http/form-limit.server.ts';
import { emailField, firstFaults, optionalTextWithin, requiredLine } from '#app/http/form-texts.ts';
import { blankForm, type FormWords, type Refusal, takeForm } from '#app/http/take-form.server.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { formatMoney } from '#app/lib/money.ts';
import { sixDigits } from '#app/lib/six-digits.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { FieldErrors, FormValues } from '#app/ui/form-state.ts';
import { tellOfAnswer } from './employer-answers.server.ts';
import { acceptedToken } from './links.server.ts';
import { discountOf, type Offer } from './offer.ts';
import { acceptAs, offeredTo } from './organisations.server.ts';
import { datesOfLines, findOffer, readOffer } from './queries.server.ts';
import { mayBe, stateOn } from './rules.ts';
import { endOffer, lockOffers } from './send-offer.server.ts';

type Sent = { token: string; form: FormData | null; address: string };
type Answered = { ok: true; to: string } | Refusal;

const person = z.object({
  name: requiredLine('your name', longestName),
  email: emailField,
  purchaseOrder: payerFields.purchaseOrder,
});

/**
 * Mails the code by which whoever accepts proves their address (P111). Nothing of the form is stored: it goes back as it
 * was typed, with what became of the code.
 */
export function askForAcceptCode(
  academy: Academy,
  { token, form, address }: Sent,
): Promise<{ ok: true; values: FormValues; email: string; asked: CodeAsked } | Refusal> {
  return takeForm({ form, fresh: blankForm(), words }, async (values, refuse) => {
    const offer = await findOffer(academy.db, token);
    if (!offer) return refuse(404, gone);
    if (!mayBe(stateOn(offer, momentOf(academy).today), 'accept')) return refuse(409, ended);
    const email = emailField.safeParse(values.email ?? '');
    if (!email.success) return refuse(400, { errors: { email: email.error.issues[0]?.message ?? '' } });
    const of = { offerId: offer.id, email: email.data, address };
    const asked = await academy.db.transaction().execute((trx) => sendCode(trx, academy, of));
    return { ok: true, values: { ...values, code: '' }, email: email.data, asked } as const;
  });
}

/**
 * Accepts an offer (P111): whoever proved an address by its code becomes the buyer, on this day (P40), through the one
 * command that places enrolments. The total is the one that the page showed, or it refuses and says the difference. Of two
 * who accept at once one is placed; the same form sent twice leads to the same enrolment.
 */
export function acceptOffer(academy: Academy, { token, form, address }: Sent): Promise<Answered> {
  const { db, forms } = academy;
  return takeForm({ form, fresh: blankForm(), words }, async (values, refuse): Promise<Answered> => {
    const offer = await findOffer(db, token);
    if (!offer) return refuse(404, gone);
    const state = stateOn(offer, momentOf(academy).today);
    // One that was accepted may be so by this very form.
    if (state !== 'accepted' && !mayBe(state, 'accept')) return refuse(409, ended);
    const errors: FieldErrors = {};
    const parsed = person.safeParse(values);
    if (!parsed.success) Object.assign(errors, firstFaults(parsed.error));
    else if (parsed.data.purchaseOrder === null && (await needsPurchaseOrder(academy, offer)))
      errors.purchaseOrder = 'Enter the purchase order: your organisation asks for one.';
    if (values.accepted !== 'on')
      errors.accepted = 'Tick the box if you accept the terms; without them we cannot enrol you.';
    // On its own: a code that was tried counts, whatever becomes of the rest.
    const proof = parsed.success
      ? await db
          .transaction()
          .execute((trx) => prove(trx, academy, { offerId: offer.id, email: parsed.data.email, values }))
      : null;
    if (proof) errors.code = proof;
    if (!parsed.success || Object.keys(errors).length > 0) return refuse(400, { errors });
    const accepting = {
      ...parsed.data,
      shownCents: Number(values.total),
      network: networkKeyOfVisitor(forms.limit, address),
      secret: forms.secret,
    };
    const moment = momentOf(academy);
    const placed = await seatTransaction(db, datesOfLines(offer.lines), (trx) =>
      placeOffer(trx, offer.id, accepting, moment),
    );
    if (placed.ok) return { ok: true, to: enrolmentPath(placed.token) };
    return refuse(409, refusalText(placed, offer));
  });
}

async function needsPurchaseOrder({ db }: Academy, { organisationId }: Offer): Promise<boolean> {
  if (organisationId === null) return false;
  const query = db.selectFrom('organisations').select('needs_purchase_order').where('id', '=', organisationId);
  return (await query.executeTakeFirst())?.needs_purchase_order ?? false;
}

/** Why a code does not prove the address; null when it does, also when it did so a moment ago. */
async function prove(
  trx: Trx,
  { forms: { secret }, clock }: Academy,
  { offerId, email, values }: { offerId: number; email: string; values: FormValues },
): Promise<string | null> {
  const code = sixDigits(values.code ?? '');
  if (code === null)
    return 'Enter the six digits of the code that we email to this address. “Email me a code” sends one.';
  const of = { offerId, email, code, secret, at: clock.now() };
  await lockOffers(trx, [offerId]);
  if (await wasCodeUsed(trx, of)) return null;
  const result = await tryCode(trx, of);
  return result.ok ? null : refusedCode(result);
}

type Accepting = z.infer<typeof person> & { shownCents: number; network: string | null; secret: string };

type NotAccepted =
  | NotPlaced
  /** Somebody accepted it before, it was declined, replaced, or is over. */
  | { ok: false; reason: 'ended' }
  /** A date is not what it was when the offer was sent (P31). */
  | { ok: false; reason: 'date-changed'; title: string };

async function placeOffer(
  trx: Trx,
  offerId: number,
  accepting: Accepting,
  moment: Moment,
): Promise<{ ok: true; token: string } | NotAccepted> {
  const { now, today } = moment;
  const seen = await readOffer(trx, offerId);
  const courseDates = await lockCourseDates(trx, datesOfLines(seen?.lines ?? []), now);
  await lockOffers(trx, [offerId]);
  const offer = await readOffer(trx, offerId);
  if (!offer) return { ok: false, reason: 'ended' };
  const token = acceptedToken(accepting.secret, offer.id);
  if (offer.state === 'accepted' && (await isBuyer(trx, token, accepting.email))) return { ok: true, token };
  if (!mayBe(stateOn(offer, today), 'accept')) return { ok: false, reason: 'ended' };
  const changed = changedLine(offer, courseDates);
  if (changed) return { ok: false, reason: 'date-changed', title: changed };
  const courseIds = offer.lines.map(({ choice }) => choice.courseId);
  const product = await readProduct(trx, { comboId: offer.comboId, courseIds }, now);
  if (!product) return { ok: false, reason: 'not-offered' };
  const { name, email, purchaseOrder, shownCents, network } = accepting;
  const placed = await placeEnrolment(
    trx,
    {
      comboId: offer.comboId,
      choices: offer.lines.map(({ choice }) => choice),
      attendees: Array.from({ length: offer.people }, (_, at) => offer.attendees?.[at] ?? nobodyYet),
      buyer: { name, email, phone: null },
      payer:
        offer.organisation === null
          ? { kind: 'person', address: offer.address }
          : {
              kind: 'organisation',
              organisation: offer.organisation,
              abn: offer.abn,
              address: offer.address,
              purchaseOrder,
              accountsEmail: null,
            },
      organisationId: offeredTo(offer),
      termsId: offer.termsId,
      draftId: null,
      token,
      quoteHoldIds: offer.lines.flatMap(({ holdId }) => holdId ?? []),
      offeredByStaff: offer.madeBy !== null,
      prices: lowerPrices(
        offer.lines.map(({ price }) => price),
        agreedPrices(product.prices, discountOf(offer)),
      ),
      shownCents,
      actor: theBuyer,
      network,
    },
    moment,
  );
  if (!placed.ok) return placed;
  const { enrolmentId } = placed;
  const organisationId = await acceptAs(trx, offer, { email, enrolmentId, at: now });
  await trx
    .updateTable('offers')
    .set({ state: 'accepted', ended_at: now, enrolment_id: enrolmentId })
    .set({ organisation_id: organisationId ?? offer.organisationId, attendees: null })
    .where('id', '=', offer.id)
    .execute();
  // The code that was mailed there is right.
  await verifyAddress(trx, email, now);
  await tellAsker(trx, offer, { email, reference: placed.reference }, moment);
  return { ok: true, token };
}

async function isBuyer(trx: Trx, token: string, email: string): Promise<boolean> {
  const link = await findLink(trx, token);
  if (!link) return false;
  const query = trx.selectFrom('enrolments').select('mailbox').where('id', '=', link.enrolmentId);
  return (await query.executeTakeFirst())?.mailbox === mailboxOf(email);
}

/** The course of the first line whose date has other days, hours or another place than when the offer was sent. */
function changedLine({ lines }: Offer, courseDates: ReadonlyMap<number, LockedCourseDate>): string | null {
  const changed = lines.find(({ choice, shown }) => {
    const date = choice.way === 'date' ? courseDates.get(choice.courseDateId) : undefined;
    return date && date.state !== 'cancelled' && shown !== null && shownDate(date) !== shown;
  });
  return changed?.title ?? null;
}

/** Whoever asked for the quote reads that it was accepted, unless they did it. */
async function tellAsker(
  trx: Trx,
  offer: Offer,
  { email, reference }: { email: string; reference: string },
  { academy }: Moment,
): Promise<void> {
  if (offer.facts === null || mailboxOf(email) === mailboxOf(offer.email)) return;
  await queueMail(trx, {
    kind: 'offer-accepted',
    about: { kind: 'offer', id: offer.id },
    to: offer.email,
    replyTo: academy.email,
    ...offerAccepted({ number: offer.facts.number, title: offer.facts.title, reference, academy }),
  });
}

/** Declines an offer with words (P111), and gives its seats back. Declined already, it stays so. */
export function declineOffer(academy: Academy, { token, form, address }: Sent): Promise<{ ok: true } | Refusal> {
  const { db, forms } = academy;
  return takeForm<{ ok: true }>({ form, fresh: blankForm('Nothing was changed'), words }, async (values, refuse) => {
    const offer = await findOffer(db, token);
    if (!offer) return refuse(404, gone);
    const answer = optionalTextWithin(1000).safeParse(values.words ?? '');
    if (!answer.success) return refuse(400, { errors: { words: answer.error.issues[0]?.message ?? '' } });
    const { now, today } = momentOf(academy);
    return db.transaction().execute(async (trx) => {
      const room = await askLimits(trx, [{ limit: forms.limit, by: address }], now);
      if (!room.ok)
        return refuse(429, `Many forms came from your network. Please send it again in ${waitText(room.waitMs)}.`);
      const courseDates = await lockCourseDates(trx, datesOfLines(offer.lines), now);
      await lockOffers(trx, [offer.id]);
      const locked = await readOffer(trx, offer.id);
      if (locked?.state === 'declined') return { ok: true };
      if (!locked || !mayBe(stateOn(locked, today), 'decline'))
        return refuse(409, 'This quote has ended already. Nothing was changed.');
      const words = answer.data || null;
      await endOffer(trx, locked, { state: 'declined', courseDates, at: now, answer: words });
      await tellOfAnswer(trx, locked, { answer: 'declined', words }, momentOf(academy));
      await room.count();
      return { ok: true };
    });
  });
}

const ended =
  'Not placed: this quote has been answered or has ended in the meantime. Reload the page to see how it is now.';
const gone = 'This quote is no longer here. Please make a new one from the course.';
const words: FormWords = {
  unreadable: 'Part of the form was missing. Nothing was placed. Please send it again.',
  notSaved: 'Our system is not available, so nothing was changed. Please send it again in a few minutes.',
  away: unconfirmedText(
    'that this was taken',
    'Please send it again in a few minutes; we place it only once, however often you send it.',
  ),
  busy: courseDateBusyText('What you wrote is still below.'),
};

function refusalText(refused: NotAccepted, offer: Offer): string {
  const number = offer.facts?.number ?? 'this quote';
  switch (refused.reason) {
    case 'ended':
      return ended;
    case 'date-changed':
      return `Not placed: the date of ${refused.title} has changed since the quote was made. Make a new quote for it below.`;
    case 'course-date-full':
      return `Not placed: ${refused.left === 0 ? 'no seat is' : `only ${refused.left} ${refused.left === 1 ? 'seat is' : 'seats are'}`} left on this date. The nearest dates are below.`;
    case 'course-date-closed':
      return 'Not placed: enrolment for this date is closed. The nearest dates are below.';
    case 'below-minimum':
      return `Not placed: nobody is left on this date, which is held for ${refused.minimum} people or more. Call us and name ${number}: we make you a new quote.`;
    case 'course-date-cancelled':
      return 'Not placed: this date was cancelled. The nearest dates are below.';
    case 'price-changed':
      return `Not placed: the total is ${formatMoney(refused.nowCents)} now, ${formatMoney(Math.abs(refused.shownCents - refused.nowCents))} ${refused.nowCents < refused.shownCents ? 'less' : 'more'} than the ${formatMoney(refused.shownCents)} that the page showed. Please check it and press the button again.`;
    case 'too-many-unpaid':
      return `Not placed: ${unpaidInWords(refused)} Pay for those first, or call us and name ${number}: we place it for you.`;
    default:
      return `Not placed: we no longer offer this in this way. Call us and name ${number}, or make a new quote.`;
  }
}
