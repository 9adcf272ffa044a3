import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { countBegun } from '#app/features/catalogue/visits/reads.server.ts';
import { type KeptSeats, keptText } from '#app/features/course-dates/kept-seats.ts';
import { seatTransaction } from '#app/features/course-dates/seat-gate.server.ts';
import { readKeptSeats } from '#app/features/course-dates/seats.server.ts';
import { mostPeopleOf, readManagerAsBuyer } from '#app/features/enrolments/organisation.server.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { courseDateBusyText } from '#app/http/database-away.server.ts';
import { networkKey } from '#app/http/form-limit.server.ts';
import { firstCharacters, textsOf } from '#app/http/form-texts.ts';
import { readFormToken, signFormToken } from '#app/http/form-token.server.ts';
import { blankForm, type FormWords, takeForm, Undone } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { type FieldErrors, tokenField, trapField } from '#app/ui/form-state.ts';
import {
  type Choice,
  choiceFields,
  type ProductToChoose,
  readChoice,
  requestReason,
  seatsOf,
  wayField,
} from './choice.ts';
import { currentChoice, withCurrentSlugs } from './current-slugs.ts';
import {
  askDraftLimits,
  bytesOf,
  type Draft,
  draftToken,
  findDraft,
  findFull,
  holderOf,
  holdForDraft,
  type NotHeld,
  readOwnSeats,
  saveEnrolmentDraft,
  storeDraft,
  tooMuchText,
} from './drafts.server.ts';
import { knownBuyerOf, readProductToChoose } from './open-draft.server.ts';
import { pricedItem, pricesOfVisit, readSeenPrices, type SeenPrices } from './seen-prices.server.ts';
import type { StepResult } from './step-form.ts';
import { stepPath } from './steps.ts';

/** The hidden field with the prices that the page showed. */
const seenField = 'seen';

type Sent = {
  form: FormData | null;
  address: string;
  /** Of the draft that is changed; null begins one. */
  token: string | null;
  /** Who is logged in; null for everybody else. */
  personId: number | null;
};

/**
 * Takes the form of the first step: begins a draft or changes its choice, and holds the seats. The same form sent twice
 * is the same draft (P25). Every refusal keeps what was typed, and the seats held before.
 */
export function takeChoice(academy: Academy, snapshot: Snapshot, sent: Sent): Promise<StepResult> {
  const { forms, clock, db } = academy;
  const { form, address } = sent;
  const values = form ? currentChoice(textsOf(form), snapshot) : {};
  const at = clock.now();
  const fresh = blankForm('Not sent yet', values[tokenField] || signFormToken(forms.secret, at));
  return takeForm({ form, fresh, words, values }, async (_, refuse): Promise<StepResult> => {
    let { token } = sent;
    if (token === null) {
      if (values[trapField]) return refuse(403, trapped);
      const read = readFormToken(forms.secret, at, values[tokenField] ?? '');
      // A choice is quickly made, so two seconds are no sign of a program here.
      if (!read.ok && read.reason !== 'too-fast')
        return refuse(403, { fault: unknownForm, token: signFormToken(forms.secret, at) });
      token = draftToken(forms.secret, values[tokenField] ?? '');
    }
    const path = token;
    const found = await findDraft(db, path);
    const before = found && withCurrentSlugs(found, snapshot);
    if (sent.token !== null && !before) return refuse(404, 'This enrolment is no longer here. Please choose again.');
    if (before && before.enrolmentId !== null) return { ok: true, to: stepPath(path, 'done') };
    const own = before ? await readOwnSeats(db, before.id, at) : undefined;
    const product = await readProductToChoose(db, snapshot, values.item ?? '', {
      now: clock.now(),
      ...(own && { own }),
    });
    if (!product) return refuse(400, 'We no longer offer what you chose. Please choose something else.');
    const read = readChoice(product, values);
    if (!read.ok) return refuse(400, { errors: read.errors });
    const kept = Object.fromEntries(
      choiceFields(product).map((field) => [field, firstCharacters(values[field] ?? '', 200)]),
    );
    const buyer = await buyerOf(db, before, sent.personId);
    const known = buyer && (await knownBuyerOf(db, buyer));
    const reason = requestReason(product, read.choice, mostPeopleOf(known));
    // A single course without a date is waited for; a combo without any goes to staff.
    const [waited] = reason === 'no-date' && product.comboId === null ? product.courses : [];
    if (waited) {
      const query = new URLSearchParams({ course: waited.slug, seats: String(read.choice.attendees) });
      return { ok: true, to: `${href('/waiting-list')}?${query}` };
    }
    const wanted = reason === null ? seatsOf(read.choice) : [];
    const full = before ? null : await findFull(db, wanted, at);
    if (full) return refuse(409, faultsOf(full, product, read.choice, await keptNow(db, full)));
    const courseDates = [...wanted.map(({ courseDateId }) => courseDateId), ...(own?.keys() ?? [])];
    return await seatTransaction(db, courseDates, async (trx): Promise<StepResult> => {
      const bytes = buyer?.confirmedEmail ? 0 : bytesOf(kept) - (before ? bytesOf(before.choice) : 0);
      const begins = !before && !known?.creditSeats;
      const room = await askDraftLimits(trx, { limit: forms.limit, address, begins, bytes }, at);
      if (!room.ok) return refuse(429, tooMuchText(room.waitMs));
      const draft = before ?? (await storeDraft(trx, path, at));
      const holder = holderOf(known, networkKey(forms.limit, address));
      const held = await holdForDraft(trx, draft.id, { wanted, holder, at, today: academyToday(clock) });
      if (!held.ok) {
        const refused = refuse(409, faultsOf(held, product, read.choice, await keptNow(trx, held), own));
        // A draft that was only begun for this is not kept.
        if (before) return refused;
        throw new Undone(refused);
      }
      await saveEnrolmentDraft(
        trx,
        draft.id,
        {
          choice: kept,
          prices: pricesSeen(draft, product, { secret: forms.secret, seen: values[seenField], at }),
          ...(buyer !== before && buyer && { payer: buyer.payer, confirmedEmail: buyer.confirmedEmail }),
        },
        at,
      );
      await room.count();
      if (!before)
        await countBegun(
          trx,
          academyToday(clock),
          product.courses.map(({ slug }) => slug),
        );
      return {
        ok: true,
        to: stepPath(path, reason !== null ? 'request' : 'payer'),
      };
    });
  });
}

const words: FormWords = {
  unreadable: 'Part of the form was missing. Please choose again.',
  notSaved:
    'We cannot take this right now: our system is not available. What you chose is still below. Please send it again in a few minutes, or call us.',
  away: unconfirmedText(
    'that your choice was saved',
    'It is still below. Please send it again in a few minutes, or call us.',
  ),
  busy: courseDateBusyText('What you chose is still below.'),
};

type DraftBuyer = Pick<Draft, 'payer' | 'confirmedEmail'>;

/** Who buys as far as it is known: what was typed in the draft, else the manager who is logged in (P117). */
async function buyerOf(db: Db, before: Draft | null, personId: number | null): Promise<DraftBuyer | null> {
  if (personId === null || (before && Object.keys(before.payer).length > 0)) return before;
  const manager = await readManagerAsBuyer(db, personId);
  if (!manager) return before;
  const { email, name, legal_name: organisation, abn, address } = manager;
  return {
    payer: {
      ...{ payer: 'organisation', organisation, abn: abn ?? '', address: address ?? '' },
      ...{ buyerName: name ?? '', email },
    },
    confirmedEmail: email,
  };
}

/** The prices of the visit: those stored in it, else those the page showed with its signature, else today's. */
function pricesSeen(
  { prices }: Draft,
  product: ProductToChoose,
  { secret, seen, at }: { secret: string; seen: string | undefined; at: Date },
): Record<string, SeenPrices> {
  const item = pricedItem(product);
  const shown = pricesOfVisit(prices, product, at) ??
    readSeenPrices(secret, item, seen ?? '', at) ?? { prices: product.prices, at: at.toISOString() };
  return { ...prices, [item]: shown };
}

/** The seats that are kept of course dates that were refused, as they are at this moment. */
async function keptNow(db: Db, refusal: NotHeld): Promise<ReadonlyMap<number, KeptSeats>> {
  if (refusal.reason !== 'refused') return new Map();
  return readKeptSeats(
    db,
    refusal.refused.map(({ courseDateId }) => courseDateId),
  );
}

/** The sentences of a refusal beside the fields of the courses concerned. */
function faultsOf(
  refusal: NotHeld,
  product: ProductToChoose,
  choice: Choice,
  kept: ReadonlyMap<number, KeptSeats>,
  own: ReadonlyMap<number, number> = new Map(),
): { errors: FieldErrors } | { fault: string } {
  if (refusal.reason === 'too-many-held') {
    return {
      fault: `We can hold seats for ${refusal.of.most} people at once ${refusal.of.kind === 'network' ? 'from one network, and that many are held now' : 'for your organisation: that is the most unpaid seats we agreed'}. We kept your choice. Please finish another enrolment first, wait 15 minutes, or call us.`,
    };
  }
  if (refusal.reason === 'meanwhile')
    return { fault: 'This enrolment was changed in another window at the same moment. Please send it again.' };
  const errors = refusal.refused.flatMap(({ courseDateId, reason, left }) =>
    product.courses.flatMap(({ slug, dates }) => {
      const date = dates.find((one) => one.courseDateId === courseDateId);
      if (!date) return [];
      return [
        [
          wayField(slug),
          reason === 'closed'
            ? `${date.days} can no longer be booked. Choose another way.`
            : fullText(
                date.days,
                left,
                choice.attendees,
                keptText(kept.get(courseDateId) ?? null, own.get(courseDateId)),
              ),
        ],
      ];
    }),
  );
  return errors.length > 0
    ? { errors: Object.fromEntries(errors) }
    : { fault: 'A date you chose can no longer be booked. Please choose again.' };
}

/**
 * A sentence for a date that is full or has fewer seats left than requested; `kept` are the seats that may come free
 * again.
 */
export function fullText(days: string, left: number, asked: number, kept = ''): string {
  const what = left === 0 ? 'is full' : `has ${left} ${left === 1 ? 'seat' : 'seats'} left, and you asked for ${asked}`;
  return `${days} ${what}. ${kept && `${kept} `}Choose another date${left > 0 ? ', fewer people' : ''}, or the list for the next date.`;
}

const trapped =
  'A hidden field was filled in, as machines do. Nothing was saved. If a password manager did it, choose again, or call us.';
const unknownForm =
  'This form could not be recognised, or had been open for more than a day. What you chose is still below. Please send it again.';
