import type { Trx } from '#app/db/client.server.ts';
import { enrolmentDraftLink } from '#app/emails/enrolments.ts';
import { extendDraftHolds } from '#app/features/course-dates/draft-holds.server.ts';
import { seatTransaction } from '#app/features/course-dates/seat-gate.server.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { courseDateBusyText, twiceIsHarmless } from '#app/http/database-away.server.ts';
import { networkKey } from '#app/http/form-limit.server.ts';
import { emailField, firstCharacters } from '#app/http/form-texts.ts';
import { blankForm, type FormWords, takeForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { askForMail } from '#app/outbox/asked-mail.server.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { FormValues } from '#app/ui/form-state.ts';
import { seatsOf } from './choice.ts';
import { draftLink } from './draft-links.server.ts';
import {
  askDraftLimits,
  bytesOf,
  draftDays,
  holderOf,
  holdForDraft,
  saveEnrolmentDraft,
  tooMuchText,
} from './drafts.server.ts';
import { openDraft } from './open-draft.server.ts';
import type { OpenDraft } from './open-draft.ts';
import type { StepResult } from './step-form.ts';
import { type FormStep, stepForms } from './step-forms.server.ts';
import { stepAfter, stepBefore, stepPath } from './steps.ts';

type Sent = {
  token: string;
  form: FormData | null;
  /** The network address that sent it. */
  address: string;
};

/**
 * Takes the form of a step. What was typed is stored in any case, also with errors and when one goes back; going on
 * holds the seats again when their time ran out. The buttons besides: `keep` extends the holds, `back` goes back,
 * `link` mails the private link; what else there is belongs to the step.
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
    const { draft } = opened;
    const kept = keptValues(step, values, opened);
    // A draft whose address was confirmed may grow.
    const bytes = draft.confirmedEmail === null ? bytesOf(kept) - bytesOf(draft[step]) : 0;
    const intent = values.intent ?? 'next';
    return await seatTransaction(academy.db, wantsSeats(opened, intent), async (trx): Promise<StepResult> => {
      const at = academy.clock.now();
      const room = await askDraftLimits(trx, { limit: academy.forms.limit, address, begins: false, bytes }, at);
      if (!room.ok) return refuse(429, tooMuchText(room.waitMs));
      // Seats come first: course dates are locked before all other rows (P27).
      const seats = await seatsFirst(trx, academy, { opened, intent, address });
      await saveEnrolmentDraft(trx, draft.id, { [step]: kept }, at);
      await room.count();
      if (seats !== 'held') return { ok: true, to: `${stepPath(token, 'choice')}?seats=${seats}` };
      if (opened.lost && intent !== 'link') return { ok: true, to: `${stepPath(token, 'choice')}?seats=lost` };
      if (intent === 'keep') return { ok: true, to: stepPath(token, step) };
      if (intent === 'back') return { ok: true, to: stepPath(token, stepBefore(step)) };
      if (intent === 'link') {
        const asked = { draftId: draft.id, typed: values.linkEmail ?? '', from: address };
        const sent = await mailDraftLink(trx, academy, asked);
        return { ok: true, to: `${stepPath(token, step)}?link=${sent}` };
      }
      const taken = await stepForms[step].take(trx, academy, { values, kept, refuse, opened, address, token });
      if (taken) return taken;
      const next = stepAfter(step);
      const entered = { draft: { ...draft, [step]: kept }, address };
      const query = next === 'choice' ? '' : await stepForms[next].enter?.(trx, academy, entered);
      return { ok: true, to: `${stepPath(token, next)}${query ?? ''}` };
    });
  });
}

const words: FormWords = {
  unreadable: 'Part of the form was missing. Nothing was saved. Please send it again.',
  notSaved:
    'We cannot take this right now: our system is not available. What you wrote is still below. Please send it again in a few minutes.',
  away: unconfirmedText('that this was saved', `What you wrote is still below. ${twiceIsHarmless}`),
  busy: courseDateBusyText('What you wrote is still below.'),
};
const gone =
  'This enrolment is no longer here: we keep what you fill in for seven days after the last change. Please start again from the course.';

/** The fields of a form that belong to its step. */
function keptValues(step: FormStep, values: FormValues, opened: OpenDraft): FormValues {
  const typed = stepForms[step].fields(opened).map((field) => [field, firstCharacters(values[field] ?? '', 2000)]);
  return { ...opened.draft[step], ...Object.fromEntries(typed) };
}

/** The course dates whose seats `seatsFirst` writes. */
function wantsSeats({ choice, hold }: OpenDraft, intent: string): number[] {
  const writes = intent === 'keep' || (hold.state === 'over' && intent !== 'back' && intent !== 'link');
  return choice && writes ? seatsOf(choice).map(({ courseDateId }) => courseDateId) : [];
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
  const wanted = {
    wanted: seatsOf(choice),
    holder: holderOf(opened.known, networkKey(forms.limit, address)),
    at,
    today: academyToday(clock),
  };
  const held = await holdForDraft(trx, draft.id, wanted);
  if (held.ok) return 'held';
  return held.reason === 'too-many-held' ? 'too-many' : 'gone';
}

/** Mails the private link of a draft to an address that somebody typed. */
async function mailDraftLink(
  trx: Trx,
  { clock, academy, forms }: Academy,
  { draftId, typed, from }: { draftId: number; typed: string; from: string },
): Promise<'sent' | 'no-address' | 'too-many'> {
  const parsed = emailField.safeParse(typed);
  if (!parsed.success) return 'no-address';
  const asked = { limit: forms.limit, kind: 'draft-link', to: parsed.data, from } as const;
  const room = await askForMail(trx, asked, clock.now());
  if (!room.ok) return 'too-many';
  await room.count();
  const link = draftLink(draftId);
  await queueMail(trx, {
    kind: 'enrolment-draft-link',
    about: { kind: 'enrolment-draft', id: draftId },
    links: [link],
    to: parsed.data,
    replyTo: academy().email,
    ...enrolmentDraftLink({ link: placeholderOf(link), days: draftDays, academy: academy() }),
  });
  return 'sent';
}
