import { z } from 'zod';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Trx } from '#app/db/client.server.ts';
import { discountOf } from '#app/features/companies/offer.ts';
import { type NotSent, sendOffer } from '#app/features/companies/send-offer.server.ts';
import { declineForCustomer, deleteDraft } from '#app/features/companies/staff-acts.server.ts';
import { enrolmentEndsOf } from '#app/features/companies/staff-queries.server.ts';
import { changeOfferDraft, writeOfferDraft } from '#app/features/companies/write-draft.server.ts';
import { mostSeats } from '#app/features/course-dates/rules.ts';
import { findProduct } from '#app/features/enrolments/choices-for-staff.server.ts';
import { isAbnOrNull, longestName, payerFields } from '#app/features/enrolments/schema.ts';
import { agreedPrices, quoteOfPrices } from '#app/features/money/pricing.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import {
  type ActDone,
  common,
  type Refused,
  type StaffFormResult,
  takeStaffAct,
} from '#app/features/people/staff-act.server.ts';
import type { Academy, Moment } from '#app/http/academy.server.ts';
import { emailField, optionalTextWithin, requiredLine, textsOf } from '#app/http/form-texts.ts';
import { addDays, formatDay } from '#app/lib/dates.ts';
import { centsTyped, formatExact } from '#app/lib/exact-money.ts';
import { dayField, idOrNull } from '#app/routes/staff/course-dates/course-date-forms.ts';
import { choicesOf } from '#app/routes/staff/enrolments/place-by-hand.server.ts';

/** An offer is open for so many days at most. */
const longestDays = 90;

const wholeNumber = (what: string, least: number, most: number) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,4}$/, `Enter ${what} as a whole number from ${least} to ${most}.`)
    .transform(Number)
    .pipe(
      z
        .number()
        .min(least, `Enter ${what} from ${least} to ${most}.`)
        .max(most, `Enter ${what} from ${least} to ${most}.`),
    );

/** The form that makes or changes a draft; the fields of the courses are read apart. */
const offerForm = z.looseObject({
  ...common,
  act: z.enum(['draft', 'send']),
  name: requiredLine('the name', longestName),
  email: emailField,
  organisation: payerFields.organisation,
  abn: payerFields.abn.refine(isAbnOrNull, 'This is not an ABN: its check digits do not match.'),
  address: payerFields.address,
  people: wholeNumber('how many people', 1, mostSeats.organisation),
  discountPercent: wholeNumber('the discount', 0, 90),
  /** What one person pays; null for the price of today. */
  seatPrice: z
    .string()
    .default('')
    .transform((text) => (text.trim() === '' ? null : (centsTyped(text) ?? Number.NaN)))
    .pipe(z.number('Enter an amount in dollars such as 2,299.00, or leave it empty.').nullable()),
  lastDay: dayField('the last day'),
  hold: z.enum(['no', 'two-days', 'last-day'], 'Choose how long we hold the seats.'),
  words: optionalTextWithin(1000).transform((text) => text || null),
  organisationId: idOrNull,
  replaces: idOrNull,
  draft: idOrNull,
});

type Asked = { form: FormData | null; actor: StaffActor; termsId: number };

/** Makes a draft of an offer, or changes one, and sends it when the button says so (P111). The id is told then. */
export async function takeOffer(
  academy: Academy,
  { form, item, actor, termsId }: Asked & { item: string },
): Promise<StaffFormResult & { id?: number }> {
  let id: number | undefined;
  const typed = textsOf(form);
  const result = await takeStaffAct(academy, {
    form,
    schema: offerForm,
    subject: `making:${actor.person.id}`,
    actor,
    compares: false,
    async act(trx, values, moment): Promise<ActDone | Refused | { ok: false; reason: 'missing' }> {
      const product = await findProduct(trx, actor, item, moment.now);
      if (!product) return refused('We no longer offer this.');
      const choices = choicesOf(product, typed);
      if (!Array.isArray(choices)) return choices;
      const [soonest] = (
        await enrolmentEndsOf(
          trx,
          actor,
          choices.flatMap((one) => (one.way === 'date' ? [one.courseDateId] : [])),
        )
      ).toSorted();
      const day = dayFault(values.lastDay, soonest ?? null, moment);
      if (day) return { ok: false, reason: 'refused', errors: { lastDay: day } };
      const { seatPrice: seatCents } = values;
      const discountPercent = seatCents === null ? values.discountPercent : 0;
      if (discountPercent > 0 || seatCents !== null) requirePermission(actor, 'money:refund');
      const mostCents = quoteOfPrices(product.prices, 1).totalCents;
      if (seatCents !== null && seatCents > mostCents) {
        const seatPrice = `The most is today’s price, ${formatExact(mostCents)}.`;
        return { ok: false, reason: 'refused', errors: { seatPrice } };
      }
      const { act, draft } = values;
      const { name, email, organisation, abn, address, people, lastDay, hold, words } = values;
      const wish = {
        ...{ name, email, organisation, abn, address, people, discountPercent, lastDay, hold, words },
        ...{ organisationId: values.organisationId, seatCents },
        replaces: values.replaces,
        comboId: product.comboId,
        choices,
        prices: agreedPrices(product.prices, discountOf({ organisation, discountPercent, seatCents })),
        termsId,
        actor,
      };
      if (draft !== null && !(await changeOfferDraft(trx, draft, wish)))
        return refused('This quote was sent or deleted in the meantime. Make a new version on its page.');
      id = draft ?? (await writeOfferDraft(trx, wish, moment.now));
      if (act === 'send') {
        const notSent = await send(trx, { id, actor, termsId, secret: academy.forms.secret }, moment);
        if (notSent) return notSent;
      }
      const action = act === 'send' ? 'send-offer' : draft === null ? 'make-offer' : 'change-offer';
      await writeAuditEntry(trx, { at: moment.now, personId: actor.person.id, action, subject: `offer:${id}` });
      return { ok: true, did: null };
    },
  });
  return id === undefined ? result : { ...result, id };
}

function dayFault(lastDay: string, soonest: string | null, { today }: Moment): string | null {
  if (lastDay < today) return 'Choose a day from today on.';
  if (lastDay > addDays(today, longestDays)) return `Choose a day within ${longestDays} days.`;
  return soonest !== null && lastDay > soonest
    ? `Enrolment for the date ends on ${formatDay(soonest)}: choose that day or an earlier one.`
    : null;
}

const refused = (fault: string): Refused => ({ ok: false, reason: 'refused', fault });

type Sending = { id: number; actor: StaffActor; termsId: number; secret: string };

async function send(trx: Trx, { id, actor, termsId, secret }: Sending, moment: Moment): Promise<Refused | null> {
  const sent = await sendOffer(trx, { offerId: id, actor, termsId, secret }, moment);
  return sent.ok ? null : refused(whyNotSent(sent));
}

function whyNotSent(why: NotSent): string {
  switch (why.reason) {
    case 'course-date-full':
      return `Only ${why.left} seats are left on the date chosen.`;
    case 'course-date-closed':
      return 'The date chosen takes no more enrolments, or it is only for another organisation.';
    case 'below-minimum':
      return `The date chosen is for ${why.minimum} people or more: enter at least ${why.minimum}. Names can come later.`;
    case 'course-date-cancelled':
      return 'The date chosen was cancelled.';
    case 'not-guided':
    case 'no-such-monday':
      return 'Guided study cannot start then.';
    case 'agreement-first':
      return 'A job-guarantee programme begins with a written agreement, so it has no quote.';
    case 'last-day-over':
      return 'Its last day is over. Change the draft first.';
    case 'replaced-meanwhile':
      return 'The version before it has been answered or replaced in the meantime.';
    case 'not-a-draft':
      return 'It was sent already.';
    case 'not-offered':
      return 'We no longer offer this.';
  }
}

/** The small forms of an offer's own page. */
const pageForm = z.discriminatedUnion('act', [
  z.object({ ...common, act: z.literal('send') }),
  z.object({ ...common, act: z.literal('delete') }),
  z.object({ ...common, act: z.literal('decline'), answer: optionalTextWithin(1000) }),
]);

/** Sends, declines or deletes an offer on its page for staff. */
export function takeOfferAct(academy: Academy, { form, actor, termsId, id }: Asked & { id: number }) {
  const { secret } = academy.forms;
  return takeStaffAct(academy, {
    form,
    schema: pageForm,
    subject: `offer:${id}`,
    actor,
    async act(trx, values, moment): Promise<ActDone | Refused | { ok: false; reason: 'missing' }> {
      const one = { offerId: id, actor };
      switch (values.act) {
        case 'send': {
          const notSent = await send(trx, { id, actor, termsId, secret }, moment);
          return notSent ?? { ok: true, did: { action: 'send-offer' } };
        }
        case 'decline': {
          const done = await declineForCustomer(trx, { ...one, answer: values.answer || null }, moment);
          if (!done) return { ok: false, reason: 'missing' };
          return done.ok ? { ok: true, did: { action: 'decline-offer' } } : refused('It has been answered already.');
        }
        case 'delete': {
          const done = await deleteDraft(trx, one);
          if (!done) return { ok: false, reason: 'missing' };
          return done.ok ? { ok: true, did: { action: 'delete-offer' } } : refused('It was sent already, so it stays.');
        }
      }
    },
  });
}
