import type { Trx } from '#app/db/client.server.ts';
import { enrolmentDraftLink } from '#app/emails/enrolment-draft-link.ts';
import { verifyAddress } from '#app/features/people/addresses.server.ts';
import { extendDraftHolds } from '#app/features/seats/draft-holds.server.ts';
import { seatTransaction } from '#app/features/seats/seat-gate.server.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { sessionBusyText } from '#app/http/database-away.server.ts';
import { networkKey } from '#app/http/form-limit.server.ts';
import { emailField, firstCharacters } from '#app/http/form-texts.ts';
import { blankForm, type FormWords, type Refusal, type Refuse, takeForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { countWithin, mailboxKey } from '#app/outbox/mail-counts.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { FormValues } from '#app/ui/form-state.ts';
import { seatsOf } from './choice.ts';
import { askDraftLimits, bytesOf, tooMuchText } from './draft-limits.server.ts';
import { draftLink } from './draft-links.server.ts';
import { type Draft, draftDays, saveDraft } from './drafts.server.ts';
import { codeMinutes, sendCode, tryCode } from './email-codes.server.ts';
import { holdForDraft } from './holds.server.ts';
import { type OpenDraft, openDraft, termsKey } from './open-draft.server.ts';
import { attendeesFields, payerFields, readAttendees, readPayer } from './schema.ts';
import { type StepName, stepBefore, stepPath } from './steps.ts';

/** The steps whose forms are taken here; choosing and the button that places have commands of their own. */
export type FormStep = Exclude<StepName, 'choice'>;

/** `to` is the address to go on to. */
export type StepResult = { ok: true; to: string } | Refusal;

type Sent = {
  token: string;
  form: FormData | null;
  /** The network address that sent it. */
  address: string;
};

/**
 * Takes the form of a step. What was typed is stored in any case, also with errors and when one goes back; going on
 * holds the seats again when their time ran out. The buttons besides: `keep` extends the holds, `back` goes back, `link`
 * mails the private link, `again` mails another code.
 */
export function takeStep(
  academy: Academy,
  snapshot: Snapshot,
  step: FormStep,
  { token, form, address }: Sent,
): Promise<StepResult> {
  return takeForm({ form, fresh: blankForm(), words }, async (values, refuse): Promise<StepResult> => {
    const opened = await openDraft(academy, snapshot, token);
    if (!opened) return refuse(404, gone);
    if (opened.draft.enrolmentId !== null) return { ok: true, to: stepPath(token, 'done') };
    const kept = keptValues(step, values, opened);
    const intent = values.intent ?? 'next';
    return await seatTransaction(academy.db, wantsSeats(opened, intent), async (trx): Promise<StepResult> => {
      const at = academy.clock.now();
      const stored = { limit: academy.forms.limit, address, begins: false, bytes: growthOf(opened.draft, kept) };
      const room = await askDraftLimits(trx, stored, at);
      if (!room.ok) return refuse(429, tooMuchText(room.waitMs));
      // Seats come first: sessions are locked before all other rows (P27).
      const seats = await seatsFirst(trx, academy, { opened, intent, address });
      await saveDraft(trx, opened.draft.id, kept, at);
      await room.count();
      if (seats !== 'held') return { ok: true, to: `${stepPath(token, 'choice')}?seats=${seats}` };
      if (opened.lost && intent !== 'link') return { ok: true, to: `${stepPath(token, 'choice')}?seats=lost` };
      if (intent === 'keep') return { ok: true, to: stepPath(token, step) };
      if (intent === 'back') return { ok: true, to: stepPath(token, stepBefore(step)) };
      if (intent === 'link') return mailLink(trx, academy, { token, draftId: opened.draft.id, step, values });
      return await completeStep(trx, academy, { step, values, refuse, opened, address, token });
    });
  });
}

const words: FormWords = {
  unreadable: 'What arrived here was not a whole form. Nothing was stored. Please send it again.',
  away: 'We cannot take this right now: our database is away. What you wrote is still below. Please send it again in a few minutes; doing so twice does no harm.',
  busy: sessionBusyText('What you wrote is still below.'),
};
const gone =
  'This enrolment is not here any more: what is filled in is kept for seven days after the last change. Please begin again from the course.';

/** What of a form is stored: the fields of its step. A code is never stored as it was typed. */
function keptValues(
  step: FormStep,
  values: FormValues,
  { choice, draft }: OpenDraft,
): Partial<Pick<Draft, 'attendees' | 'payer'>> {
  const only = (fields: readonly string[]) =>
    Object.fromEntries(fields.map((field) => [field, firstCharacters(values[field] ?? '', 2000)]));
  // Names of people beyond the number chosen now stay, should the number rise again.
  if (step === 'attendees')
    return { attendees: { ...draft.attendees, ...only(attendeesFields(choice?.attendees ?? 1)) } };
  if (step === 'payer') return { payer: only(payerFields) };
  return {};
}

/** By how many bytes a draft grows; none where its address was confirmed. */
function growthOf({ confirmedEmail, ...before }: Draft, kept: Partial<Pick<Draft, 'attendees' | 'payer'>>): number {
  if (confirmedEmail !== null) return 0;
  const grown = (['attendees', 'payer'] as const).map((part) =>
    kept[part] ? bytesOf(kept[part]) - bytesOf(before[part]) : 0,
  );
  return grown.reduce((sum, bytes) => sum + bytes, 0);
}

/** The training sessions whose seats `seatsFirst` writes. */
function wantsSeats({ choice, hold }: OpenDraft, intent: string): number[] {
  const writes = intent === 'keep' || (hold.state === 'over' && intent !== 'back' && intent !== 'link');
  return choice && writes ? seatsOf(choice).map(({ sessionId }) => sessionId) : [];
}

/** Extends the holds or, when going on, holds the seats again that ran out. */
async function seatsFirst(
  trx: Trx,
  { forms, clock }: Academy,
  { opened, intent, address }: { opened: OpenDraft; intent: string; address: string },
): Promise<'held' | 'gone' | 'too-many'> {
  const { choice, hold, draft } = opened;
  if (!choice || hold.state === 'none' || intent === 'back' || intent === 'link') return 'held';
  const at = clock.now();
  if (hold.state === 'held' && intent !== 'keep') return 'held';
  if (hold.state === 'held') {
    await extendDraftHolds(trx, { draftId: draft.id, at });
    return 'held';
  }
  const wanted = { wanted: seatsOf(choice), visitor: networkKey(forms.limit, address), at, today: academyToday(clock) };
  const held = await holdForDraft(trx, draft.id, wanted);
  if (held.ok) return 'held';
  return held.reason === 'too-many-held' ? 'too-many' : 'gone';
}

type Completing = {
  step: FormStep;
  values: FormValues;
  refuse: Refuse;
  opened: OpenDraft;
  address: string;
  token: string;
};

async function completeStep(trx: Trx, academy: Academy, completing: Completing): Promise<StepResult> {
  const { step, values, refuse, opened, token } = completing;
  switch (step) {
    case 'attendees': {
      const read = readAttendees(values, opened.choice?.attendees ?? 1);
      return read.ok ? { ok: true, to: stepPath(token, 'payer') } : refuse(400, { errors: read.errors });
    }
    case 'payer': {
      const read = readPayer(values);
      return read.ok ? { ok: true, to: stepPath(token, 'terms') } : refuse(400, { errors: read.errors });
    }
    case 'terms':
      return acceptTerms(trx, academy, completing);
    case 'code':
      return confirmAddress(trx, academy, completing);
    case 'review':
      return { ok: true, to: stepPath(token, step) };
  }
}

/** Stores the acceptance and mails the code, unless the address is confirmed already. */
async function acceptTerms(
  trx: Trx,
  academy: Academy,
  { values, refuse, opened, address, token }: Completing,
): Promise<StepResult> {
  const { draft, choice, quote, payer, agreement } = opened;
  const at = academy.clock.now();
  if (!choice || !quote || !payer) return { ok: true, to: stepPath(token, opened.reached) };
  if (values.accepted !== 'on') {
    return refuse(400, {
      errors: { accepted: 'Tick the box if you accept the terms; without them we cannot enrol you.' },
    });
  }
  // The buyer accepted the terms on the page; dates or prices may have changed since.
  if (values.of !== termsKey({ choice, quote, agreement })) {
    return refuse(
      409,
      'The dates, the price or the terms have changed since this page was opened. What applies now stands below; please read it and tick the box again.',
    );
  }
  await saveDraft(trx, draft.id, { terms: { accepted: 'on', of: values.of } }, at);
  if (opened.confirmed) return { ok: true, to: stepPath(token, 'review') };
  const sent = await sendCodeFor(trx, academy, { opened, address });
  return { ok: true, to: `${stepPath(token, 'code')}${sent === 'limit' || sent === 'network' ? `?code=${sent}` : ''}` };
}

async function sendCodeFor(
  trx: Trx,
  { forms, clock, academy }: Academy,
  { opened: { draft, payer }, address }: { opened: OpenDraft; address: string },
): Promise<'again' | 'waiting' | 'limit' | 'network'> {
  const email = payer?.buyer.email;
  if (!email) return 'limit';
  const { secret, limit } = forms;
  const at = clock.now();
  const sent = await sendCode(trx, { draftId: draft.id, email, address, secret, limit, academy: academy(), at });
  if (!sent.ok) return sent.reason === 'too-many-of-network' ? 'network' : 'limit';
  return sent.waiting ? 'waiting' : 'again';
}

async function confirmAddress(
  trx: Trx,
  academy: Academy,
  { values, refuse: refuseWith, opened, address, token }: Completing,
): Promise<StepResult> {
  const { draft, payer } = opened;
  if (!payer) return { ok: true, to: stepPath(token, opened.reached) };
  if (opened.confirmed) return { ok: true, to: stepPath(token, opened.reached) };
  // A code is not shown again.
  const refuse = (status: 400 | 409, code: string) => refuseWith(status, { values: {}, errors: { code } });
  if (values.intent === 'again') {
    const sent = await sendCodeFor(trx, academy, { opened, address });
    return { ok: true, to: `${stepPath(token, 'code')}?code=${sent}` };
  }
  const code = (values.code ?? '').replaceAll(/[\s-]/g, '');
  if (!/^\d{6}$/.test(code)) {
    return refuse(400, 'Enter the six digits of the code from the e-mail.');
  }
  const { secret } = academy.forms;
  const at = academy.clock.now();
  const { email } = payer.buyer;
  const result = await tryCode(trx, { draftId: draft.id, email, code, secret, at });
  if (result.ok) {
    await saveDraft(trx, draft.id, { confirmedEmail: email }, at);
    await verifyAddress(trx, email, at);
    return { ok: true, to: stepPath(token, 'review') };
  }
  return refuse(
    409,
    result.reason === 'wrong'
      ? `This is not the code we sent. You can try ${result.triesLeft === 1 ? 'once' : `${result.triesLeft} times`} more.`
      : `No code holds any more: each can be tried five times within ${codeMinutes} minutes. Send another code below.`,
  );
}

/** How often one mailbox is sent links to drafts, whoever asks (P24). */
const linkLimits = [
  { most: 2, hours: 1 },
  { most: 5, hours: 24 },
];

/**
 * Mails the private link to an address that somebody typed. Beyond the limit nothing is sent, and the answer is the same:
 * it tells nobody whether the address got mail before.
 */
async function mailLink(
  trx: Trx,
  { clock, academy }: Academy,
  { token, draftId, step, values }: { token: string; draftId: number; step: FormStep; values: FormValues },
): Promise<StepResult> {
  const to = `${stepPath(token, step)}?link=`;
  const parsed = emailField.safeParse(values.linkEmail ?? '');
  if (!parsed.success) return { ok: true, to: `${to}no-address` };
  const key = await mailboxKey(trx, 'enrolment-draft-link', parsed.data);
  if (!(await countWithin(trx, key, linkLimits, clock.now()))) return { ok: true, to: `${to}sent` };
  const link = draftLink(draftId);
  await queueMail(trx, {
    kind: 'enrolment-draft-link',
    about: { kind: 'enrolment-draft', id: draftId },
    links: [link],
    to: parsed.data,
    replyTo: academy().email,
    ...enrolmentDraftLink({ link: placeholderOf(link), days: draftDays, academy: academy() }),
  });
  return { ok: true, to: `${to}sent` };
}
