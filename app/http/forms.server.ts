import type { Db } from '#app/db/client.server.ts';
import { databaseTrouble } from '#app/db/connection-failure.server.ts';
import type { Clock } from '#app/lib/clock.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { type FieldErrors, type FormState, type FormValues, tokenField, trapField } from '#app/ui/form-state.ts';
import { busyText, formTrouble } from './database-away.server.ts';
import { askLimits, type FormLimit, waitText } from './form-limit.server.ts';
import { cleanForm, textsOf } from './form-texts.ts';
import { readFormToken, signFormToken } from './form-token.server.ts';
import { blankForm, type Refusal, type Refuse, takeForm } from './take-form.server.ts';

/** The services of the process for all forms. */
export type Forms = {
  db: Db;
  /** Measures the age of a form. */
  clock: Clock;
  /** Signs the forms; the same for every process. */
  secret: string;
  limit: FormLimit;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
};

/**
 * The parts of a form that its feature defines: fields, schema and command. The last two write inside the given
 * transaction.
 */
export type FormCommand<Data> = {
  /** For the log. */
  name: string;
  /** The fields that are read; others are ignored. */
  fields: readonly string[];
  parse(values: FormValues): { ok: true; data: Data } | { ok: false; errors: FieldErrors };
  /**
   * Stores a form once, however often it is sent (P25). `repeat` says that nothing new was stored. `errors` says that
   * nothing can be stored now; `values` then replaces what was typed in some fields.
   */
  store(
    trx: Db,
    data: Data,
    sent: Sent,
  ): Promise<{ reference: string; repeat: boolean } | { errors: FieldErrors; values?: FormValues }>;
  /** The sentence when too many people want the same at the moment; by default one for any form. */
  busy?: string;
  /** Begins the transaction, where it has to wait for others first. */
  inTransaction?<T>(work: (trx: Db) => Promise<T>): Promise<T>;
  /** The reference under which the same is stored already, or null. */
  findRepeat(trx: Db, data: Data, sent: Sent): Promise<string | null>;
};
/** The result of a complete form; `waitMs` is how long the limit of its network lasts. */
type Taken = { reference: string } | { errors: FieldErrors; values?: FormValues } | { waitMs: number };
type Sent = { idempotencyKey: string; at: Date };

export type SubmitResult = { ok: true; reference: string } | Refusal;

/** A fresh form, with the values given. */
export function freshForm(forms: Forms, values: FormValues = {}): FormState {
  const token = signFormToken(forms.secret, forms.clock.now());
  return { ...blankForm('Not sent yet', token), values };
}

/**
 * The form data of a request, cleaned of what no field may hold (`cleanForm`); null when the body is not a form or is
 * incomplete. The only place where the body of a form is read.
 */
export async function readForm(request: Request): Promise<FormData | null> {
  const form = await request.formData().catch(() => null);
  return form && cleanForm(form);
}

/**
 * Takes a form of a visitor: checks that a person sent it (P24), that it is complete, counts it against the limit of
 * its address and stores it once (P25). Every refusal keeps what was typed and says what to do. An unreachable database
 * gives a 503, and so does a busy one. Any other error is a bug of ours and gives a 500; it is logged with its stack,
 * never with what was typed.
 */
export function takeVisitorForm<Data>(
  forms: Forms,
  { form, address }: { form: FormData | null; address: string },
  command: FormCommand<Data>,
): Promise<SubmitResult> {
  const typed = textsOf(form);
  const token = typed[tokenField] ?? '';
  const values = form ? Object.fromEntries(command.fields.map((field) => [field, typed[field] ?? ''])) : {};
  const failed = (error: unknown, refuse: Refuse, mayBeStored: boolean): Refusal => {
    if (databaseTrouble(error)) {
      forms.log.warn({ form: command.name, code: codeOf(error), mayBeStored }, 'form could not be stored');
      const said = { ...words, busy: command.busy ?? words.busy, notStored: 'Not sent yet' } as const;
      return refuse(503, { ...formTrouble(error, said, mayBeStored), token });
    }
    const fields = { form: command.name, type: nameOf(error), code: codeOf(error), stack: framesOf(error) };
    forms.log.error(fields, 'form failed');
    return mayBeStored
      ? refuse(500, { heading: 'Not confirmed yet', fault: words.unconfirmedByFault, token })
      : refuse(500, { heading: 'Not sent yet', fault: words.fault, token });
  };
  return takeForm(
    { form, fresh: freshForm(forms), words, values, failed },
    async (_, refuse): Promise<SubmitResult> => {
      if (typed[trapField]) return refuse(403, words.trap);
      const read = readFormToken(forms.secret, forms.clock.now(), token);
      if (!read.ok) return refuse(403, words[read.reason]);
      const parsed = command.parse(values);
      if (!parsed.ok) return refuse(400, { errors: parsed.errors, token });
      const sent = { idempotencyKey: read.idempotencyKey, at: forms.clock.now() };
      const inTransaction =
        command.inTransaction ?? (<T>(work: (trx: Db) => Promise<T>) => forms.db.transaction().execute(work));
      const result = await inTransaction(async (trx): Promise<Taken> => {
        const room = await askLimits(trx, [{ limit: forms.limit, by: address }], sent.at);
        if (!room.ok) {
          const reference = await command.findRepeat(trx, parsed.data, sent);
          return reference === null ? { waitMs: room.waitMs } : { reference };
        }
        const stored = await command.store(trx, parsed.data, sent);
        if ('reference' in stored && !stored.repeat) await room.count();
        return stored;
      });
      if ('errors' in result) {
        return refuse(409, { errors: result.errors, values: { ...values, ...result.values }, token });
      }
      if ('waitMs' in result) return refuse(429, { fault: tooMany(result.waitMs), token });
      return { ok: true, reference: result.reference };
    },
  );
}

const kept = 'Nothing was sent, and what you wrote is still below.';
const recognised = 'If it did arrive, the repeat is recognised and saved once.';

const words = {
  unreadable: 'Part of the form was missing. Nothing was sent. Please go back to what you wrote and send it again.',
  trap: `A hidden field was filled in; some password managers do that. ${kept} Please send it again, or email us.`,
  forged: `We could not recognise this form. ${kept} Please send it again.`,
  'too-fast': `We take a form from two seconds after its page was opened, and this one came sooner. ${kept} Please send it again.`,
  expired: `This page had been open for more than a day. ${kept} Please send it again.`,
  busy: busyText('What you wrote is still below.'),
  notSaved: `We cannot take this right now: our system is not available. ${kept} Please send it again in a few minutes, or call us.`,
  away: unconfirmedText(
    'that this was saved',
    `What you wrote is still below. Please send it again in a few minutes. ${recognised}`,
  ),
  fault: `Something went wrong on our side. ${kept} Please send it again; if that also fails, call us.`,
  unconfirmedByFault: `Something failed on our side while this was being saved. What you wrote is still below. Please send it again. ${recognised}`,
};

const tooMany = (waitMs: number) =>
  `Many messages came from your network in a short time. On a mobile network or in an office, you share it with other people. ${kept} Please send it again in ${waitText(waitMs)}, or call us.`;

const nameOf = (error: unknown) => (error instanceof Error ? error.name : typeof error);
const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code;

/** The stack without the message, which may quote typed text. */
function framesOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !error.stack) return undefined;
  const messageAt = error.stack.indexOf(error.message);
  return messageAt < 0 ? undefined : error.stack.slice(messageAt + error.message.length).trim();
}
