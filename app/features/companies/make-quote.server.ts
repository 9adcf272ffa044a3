import { z } from 'zod';
import type { Trx } from '#app/db/client.server.ts';
import { endDraftHolds, readOpenHolds } from '#app/features/course-dates/draft-holds.server.ts';
import { seatTransaction } from '#app/features/course-dates/seat-gate.server.ts';
import { lockCourseDates } from '#app/features/course-dates/seats.server.ts';
import {
  type Choice,
  choiceFields,
  type ProductToChoose,
  readChoice,
  requestReason,
  seatsOf,
  wayField,
} from '#app/features/enrolments/enrolling/choice.ts';
import { fullText } from '#app/features/enrolments/enrolling/choose.server.ts';
import {
  draftToken,
  findDraft,
  lockDraft,
  saveEnrolmentDraft,
  storeDraft,
} from '#app/features/enrolments/enrolling/drafts.server.ts';
import { readCode, sendCode, tryCode } from '#app/features/enrolments/enrolling/email-codes.server.ts';
import { lostText, openDraft, readProductToChoose } from '#app/features/enrolments/enrolling/open-draft.server.ts';
import type { OpenDraft } from '#app/features/enrolments/enrolling/open-draft.ts';
import { refusedCode } from '#app/features/enrolments/enrolling/review-step.server.ts';
import { pricedItem, readSeenPrices } from '#app/features/enrolments/enrolling/seen-prices.server.ts';
import { stepPath } from '#app/features/enrolments/enrolling/steps.ts';
import { nobodyYet } from '#app/features/enrolments/order.ts';
import { chargedPrices, findManaged, readAgreed } from '#app/features/enrolments/organisation.server.ts';
import { isAbnOrNull, longestName, payerFields } from '#app/features/enrolments/schema.ts';
import { theBuyer } from '#app/features/people/actor.ts';
import { verifyAddress } from '#app/features/people/addresses.server.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { type Academy, type Moment, momentOf } from '#app/http/academy.server.ts';
import { courseDateBusyText } from '#app/http/database-away.server.ts';
import { type FormLimit, networkKey } from '#app/http/form-limit.server.ts';
import { emailField, firstFaults, requiredLine, textsOf } from '#app/http/form-texts.ts';
import { type SubmitResult, takeVisitorForm } from '#app/http/forms.server.ts';
import { blankForm, type FormWords, type Refusal, takeForm, Undone } from '#app/http/take-form.server.ts';
import { dayMs } from '#app/lib/durations.ts';
import { sixDigits } from '#app/lib/six-digits.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import type { FieldErrors, FormValues } from '#app/ui/form-state.ts';
import {
  type Asking,
  askingSchema,
  askToMail,
  mailRequest,
  readAsking,
  storeRequest,
  wordsOf,
} from './ask-employer.server.ts';
import { offerPath, pageToken, requestPath, requestToken } from './links.server.ts';
import { findRequest, readOffer } from './queries.server.ts';
import { asChoice, employerFields, quoteFields, quotePath, quoteRefused } from './quote-form.ts';
import { lastDayFrom } from './rules.ts';
import { type NotSent, sendOffer } from './send-offer.server.ts';
import { writeOfferDraft } from './write-draft.server.ts';

const person = z.object({
  buyerName: requiredLine('your name', longestName),
  organisation: requiredLine('your organisation, as it should appear on the quote', 120),
  email: emailField,
  abn: payerFields.abn.refine(isAbnOrNull, 'This is not a valid ABN. Check its eleven digits, or leave it empty.'),
});

type QuoteForm = z.infer<typeof person> & { choice: Choice; typed: FormValues; employer: FormValues | null };
type Sent = { form: FormData | null; address: string };

/**
 * Takes the form for a quote (P112), or the one that asks an employer (P113): begins the draft of a checkout with what was
 * typed, and mails a code to its address. What `takeVisitorForm` says of refusals holds. The reference is the path to go
 * on at.
 */
export async function submitQuote(
  academy: Academy,
  snapshot: Snapshot,
  sent: Sent,
  whom: 'me' | 'employer' = 'me',
): Promise<SubmitResult> {
  const { db, clock, forms } = academy;
  const { item = '' } = textsOf(sent.form);
  const product = await readProductToChoose(db, snapshot, item, { now: clock.now() });
  return takeVisitorForm<QuoteForm>(forms, sent, {
    name: whom === 'me' ? 'quote' : 'employer-request',
    fields: [...(whom === 'me' ? quoteFields : employerFields), ...(product ? choiceFields(product) : [])],
    parse: (values) => parseQuote(product, values, whom),
    async store(trx, { choice: _, typed, employer, ...payer }, { idempotencyKey, at }) {
      const token = draftToken(forms.secret, `quote:${idempotencyKey}`);
      const draft = await storeDraft(trx, token, at);
      const item = product && pricedItem(product);
      const seen = item && readSeenPrices(forms.secret, item, typed.seen ?? '', at);
      await saveEnrolmentDraft(
        trx,
        draft.id,
        {
          choice: product ? Object.fromEntries(choiceFields(product).map((field) => [field, typed[field] ?? ''])) : {},
          payer: {
            ...draft.payer,
            payer: 'organisation',
            buyerName: payer.buyerName,
            email: payer.email,
            organisation: payer.organisation,
            abn: payer.abn ?? '',
          },
          ...(employer && { employer }),
          ...(item && seen && { prices: { [item]: seen } }),
        },
        at,
      );
      const of = { draftId: draft.id, email: payer.email };
      // The same form sent twice brings one code.
      const holds = (await readCode(trx, { ...of, at }))?.holds;
      const asked = holds ? 'again' : await sendCode(trx, academy, { ...of, address: sent.address });
      return { reference: `${quotePath(token)}${asked === 'again' ? '' : `?code=${asked}`}`, repeat: false };
    },
    async findRepeat(trx, _, { idempotencyKey }) {
      const token = draftToken(forms.secret, `quote:${idempotencyKey}`);
      return (await findDraft(trx, token)) ? quotePath(token) : null;
    },
  });
}

function parseQuote(product: ProductToChoose | null, values: FormValues, whom: 'me' | 'employer') {
  if (!product)
    return { ok: false, errors: { item: 'We no longer offer what you chose. Please choose something else.' } } as const;
  // An employer is asked for one person.
  const typed = asChoice(product, whom === 'me' ? values : { ...values, attendees: '1' });
  const errors: FieldErrors = {};
  const read = readChoice(product, typed);
  if (!read.ok) Object.assign(errors, read.errors);
  else {
    const refused = quoteRefused(requestReason(product, read.choice), read.choice);
    if (refused) errors.attendees = refused;
    for (const { slug, dates } of product.courses) {
      const date = dates.find((one) => typed[wayField(slug)] === `course-date:${one.slug}`);
      if (date && date.seats < read.choice.attendees)
        errors[wayField(slug)] = fullText(date.days, date.seats, read.choice.attendees, date.kept);
    }
  }
  const parsed = whom === 'me' ? person.safeParse(values) : askingSchema.safeParse(values);
  if (!parsed.success) Object.assign(errors, firstFaults(parsed.error));
  if (!parsed.success || !read.ok || Object.keys(errors).length > 0) return { ok: false, errors } as const;
  const { buyerName, email, organisation, ...rest } = parsed.data;
  const { abn, employer } = 'abn' in rest ? { abn: rest.abn, employer: null } : { abn: null, employer: rest };
  return { ok: true, data: { buyerName, email, organisation, abn, employer, choice: read.choice, typed } } as const;
}

type QuoteMade = { ok: true; to: string } | Refusal;

/**
 * Makes the quote of a draft once its address is proved (P112), and leads to its page. The same draft with the same
 * choice is one quote, however often the button is pressed; with another choice it is a new version (P111). A draft that
 * asks an employer (P113) does so once, and leads to the page of whoever asks.
 */
export function makeQuote(
  academy: Academy,
  snapshot: Snapshot,
  { token, form, address }: Sent & { token: string },
): Promise<QuoteMade> {
  const { db, forms, clock } = academy;
  return takeForm({ form, fresh: blankForm(), words }, async (values, refuse): Promise<QuoteMade> => {
    const opened = await openDraft(academy, snapshot, token);
    if (!opened) return refuse(404, 'This quote is no longer here. Please start again from the course.');
    const { draft, product, choice, payer, prices } = opened;
    if (draft.enrolmentId !== null) return { ok: true, to: stepPath(token, 'done') };
    if (opened.lost) return refuse(409, `No quote was made: ${lostText(opened.lost)}`);
    if (!product || !choice || !payer || !prices) return { ok: true, to: stepPath(token, opened.reached) };
    const refused = quoteRefused(opened.request, choice);
    if (refused) return refuse(409, refused);
    const { email } = payer.buyer;
    if (values.intent === 'again') {
      const asked = await db
        .transaction()
        .execute((trx) => sendCode(trx, academy, { draftId: draft.id, email, address }));
      return { ok: true, to: `${quotePath(token)}?code=${asked}` };
    }
    // On its own: a code that was tried counts, whatever becomes of the rest.
    const fault = await db
      .transaction()
      .execute((trx) => tryQuoteCode(trx, academy, { draftId: draft.id, email, values }));
    if (fault) return refuse(400, { errors: { code: fault } });
    const seats = seatsOf(choice).map(({ courseDateId }) => courseDateId);
    const complete = { ...opened, product, choice, payer, prices };
    const asking = readAsking(draft);
    return seatTransaction(db, seats, async (trx): Promise<QuoteMade> => {
      const moment = momentOf(academy);
      const makes = { secret: forms.secret, network: networkKey(forms.limit, address) };
      const made = asking
        ? await askOnce(trx, complete, moment, { ...makes, asking, limit: forms.limit })
        : await quoteOnce(trx, complete, moment, makes);
      if (!made.ok) throw new Undone(refuse(409, refusalText(made, product, choice)));
      await verifyAddress(trx, email, clock.now());
      const request = asking && (await findRequest(trx, made.offerId));
      return request
        ? { ok: true, to: requestPath(requestToken(forms.secret, request.id)) }
        : { ok: true, to: offerPath(pageToken(forms.secret, made.offerId)) };
    });
  });
}

/** Why a code does not prove the address of a draft; null when it does, or the address was proved before. */
async function tryQuoteCode(
  trx: Trx,
  { forms, clock }: Academy,
  { draftId, email, values }: { draftId: number; email: string; values: FormValues },
): Promise<string | null> {
  if ((await lockDraft(trx, draftId)) === email) return null;
  const code = sixDigits(values.code ?? '');
  if (code === null) return 'Enter the six digits of the code from the email.';
  const at = clock.now();
  const result = await tryCode(trx, { draftId, email, code, secret: forms.secret, at });
  if (!result.ok) return refusedCode(result);
  await saveEnrolmentDraft(trx, draftId, { confirmedEmail: email }, at);
  return null;
}

type Complete = OpenDraft & { [key in 'product' | 'choice' | 'payer' | 'prices']: NonNullable<OpenDraft[key]> };

type Makes = { secret: string; network: string };

/** Asks an employer (P113), unless this draft has done so. Its limits are locked before the seats. */
async function askOnce(
  trx: Trx,
  complete: Complete,
  moment: Moment,
  { asking, limit, ...makes }: Makes & { asking: Asking; limit: FormLimit },
): Promise<{ ok: true; offerId: number } | NotMade> {
  const room = await askToMail(trx, limit, asking, moment.now);
  const last = await lastOfDraft(trx, complete.draft.id);
  if (last) return { ok: true, offerId: last.id };
  if (!room.ok) return { ok: false, reason: 'asked-before', waitMs: room.waitMs };
  const made = await quoteOnce(trx, complete, moment, { ...makes, asking });
  if (made.ok) await room.count();
  return made;
}

async function quoteOnce(
  trx: Trx,
  { draft, product, choice, payer, prices, termsId, attendees }: Complete,
  moment: Moment,
  { secret, network, asking }: Makes & { asking?: Asking },
): Promise<{ ok: true; offerId: number } | NotSent> {
  const { now, today } = moment;
  const before = await lastOfDraft(trx, draft.id);
  const held = await readOpenHolds(trx, draft.id, now);
  const dates = [...seatsOf(choice), ...held].map(({ courseDateId }) => courseDateId);
  const former = before?.lines.flatMap((line) => (line.choice.way === 'date' ? [line.choice.courseDateId] : [])) ?? [];
  const courseDates = await lockCourseDates(trx, [...new Set([...dates, ...former])], now);
  await lockDraft(trx, draft.id);
  const last = await lastOfDraft(trx, draft.id);
  const organisation = payer.payer.kind === 'organisation' ? payer.payer : null;
  const to = {
    name: asking?.approverName ?? payer.buyer.name,
    email: asking?.approverEmail ?? payer.buyer.email,
    organisation: organisation?.organisation ?? null,
    abn: organisation?.abn ?? null,
    address: payer.payer.address,
  };
  const same = (other: NonNullable<typeof last>) =>
    JSON.stringify([to, choice.attendees, choice.choices]) ===
    JSON.stringify([
      {
        name: other.name,
        email: other.email,
        organisation: other.organisation,
        abn: other.abn,
        address: other.address,
      },
      other.people,
      other.lines.map((line) => line.choice),
    ]);
  const attend = asking ? [{ ...nobodyYet, name: asking.buyerName, email: asking.email }] : attendees;
  if (last?.state === 'sent' && same(last)) {
    await trx
      .updateTable('offers')
      .set({ attendees: JSON.stringify(attend) })
      .where('id', '=', last.id)
      .execute();
    return { ok: true, offerId: last.id };
  }
  await endDraftHolds(trx, courseDates, 'released', { draftId: draft.id, at: now });
  const ends = choice.choices.flatMap((one) =>
    one.way === 'date' ? (courseDates.get(one.courseDateId)?.enrolmentEndsOn ?? []) : [],
  );
  const organisationId = await findManaged(trx, { email: to.email, payer: payer.payer });
  const agreed = organisationId === null ? null : await readAgreed(trx, organisationId);
  const charged = chargedPrices(prices, agreed);
  const offerId = await writeOfferDraft(
    trx,
    {
      ...to,
      organisationId,
      comboId: product.comboId,
      people: choice.attendees,
      choices: choice.choices,
      prices: charged,
      lastDay: lastDayFrom(today, ends),
      hold: 'two-days',
      termsId,
      actor: theBuyer,
      draftId: draft.id,
      replaces: last?.state === 'sent' ? last.id : null,
      attendees: attend,
      madeByEmail: payer.buyer.email,
      ...(asking && { words: wordsOf(asking) }),
    },
    now,
  );
  const requestId = asking && (await storeRequest(trx, { offerId, asking, secret, at: now }));
  const sending = { offerId, actor: theBuyer, network, prices: charged, termsId, secret };
  const sent = await sendOffer(
    trx,
    {
      ...sending,
      ...(asking && requestId && { tell: (_, mailing) => mailRequest(trx, mailing, { requestId, asking }, moment) }),
    },
    moment,
  );
  return sent.ok ? { ok: true, offerId } : sent;
}

async function lastOfDraft(trx: Trx, draftId: number) {
  const row = await trx
    .selectFrom('offers')
    .select('id')
    .where('draft_id', '=', draftId)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row ? readOffer(trx, row.id) : null;
}

const words: FormWords = {
  unreadable: 'Part of the form was missing. No quote was made. Please send it again.',
  notSaved:
    'Our system is not available, so nothing was saved and there is no quote yet. What you wrote is still here. Please send it again in a few minutes.',
  away: unconfirmedText('that your quote was made', 'Please send it again in a few minutes; we make it only once.'),
  busy: courseDateBusyText('Everything you wrote is kept.'),
};

type NotMade = NotSent | { ok: false; reason: 'asked-before'; waitMs: number };

function refusalText(refused: NotMade, product: ProductToChoose, choice: Choice): string {
  const date =
    'courseDateId' in refused
      ? product.courses.flatMap(({ dates }) => dates).find(({ courseDateId }) => courseDateId === refused.courseDateId)
      : undefined;
  const days = date?.days ?? 'The date';
  switch (refused.reason) {
    case 'asked-before':
      return `Nothing was sent: you have asked this person already, or others asked them today. You can ask them again in ${daysText(refused.waitMs)}; until then, talk to them, or get a quote and forward it.`;
    case 'course-date-full':
      return `No quote was made: ${fullText(days, refused.left, choice.attendees, date?.kept)}`;
    case 'course-date-closed':
    case 'last-day-over':
      return `No quote was made: ${days} can no longer be booked. Choose another date.`;
    case 'course-date-cancelled':
      return `No quote was made: ${days} was cancelled. Choose another date.`;
    default:
      return 'No quote was made: we no longer offer what you chose in this way. Please choose again.';
  }
}

const daysText = (waitMs: number) => (waitMs <= dayMs ? 'a day' : `${Math.ceil(waitMs / dayMs)} days`);
