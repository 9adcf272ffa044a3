import { createContext } from 'react-router';
import type { Db } from '../../db/client.server.ts';
import { readFormToken, signFormToken } from '../../http/form-token.server.ts';
import type { RateLimit } from '../../http/rate-limit.server.ts';
import type { Clock } from '../../lib/clock.ts';
import { academyToday } from '../../lib/clock.ts';
import { recordEnquiry } from './commands.server.ts';
import { findByIdempotencyKey } from './queries.server.ts';
import { type EnquiryKind, type FieldErrors, type FormValues, parseEnquiry } from './schema.ts';

/** What the forms need of the process. */
export type Enquiries = {
  db: Db;
  clock: Clock;
  /** The true time: a form's age is measured by it even where a setting fixes the day. */
  trueNow: () => Date;
  secret: string;
  limit: RateLimit;
  log: { warn(fields: object, message: string): void };
};
export const enquiriesContext = createContext<Enquiries>();
/** The address a request came from, as far as it can be trusted. */
export const clientAddressContext = createContext<string>();

/** Names of the two fields no person fills in; form-parts.tsx renders them. */
const tokenField = 'form';
const trapField = 'website';

export type FormState = {
  values: FormValues;
  errors: FieldErrors;
  /** What went wrong with the form as a whole: what happened, what was kept, what to do. */
  fault: string | null;
  token: string;
};

/** A fresh form, with the values given. */
export function freshForm(enquiries: Enquiries, values: FormValues = {}): FormState {
  return { values, errors: {}, fault: null, token: signFormToken(enquiries.secret, enquiries.trueNow()) };
}

export type SubmitResult =
  | { ok: true; reference: string }
  | { ok: false; status: 400 | 403 | 429 | 503; form: FormState };

const kept = 'Nothing was sent, and what you wrote is still below.';

/**
 * Takes a form of a kind: checks that a person sent it (P24), that it is complete, and stores it once (P25).
 * Every refusal keeps what was typed and says what to do; none throws but a fault of ours.
 */
export async function submitEnquiry(
  enquiries: Enquiries,
  request: {
    form: FormData;
    kind: EnquiryKind;
    address: string;
    isOffered: (item: string) => boolean;
    /** What the server adds to the details, such as the price of the moment. */
    describe?: (data: Record<string, unknown>) => Record<string, string | number>;
  },
): Promise<SubmitResult> {
  const { [tokenField]: token = '', [trapField]: trap = '', ...values } = textsOf(request.form);
  const refuse = (
    status: 400 | 403 | 429 | 503,
    fault: string | null,
    errors: FieldErrors = {},
    keepToken = false,
  ) => ({
    ok: false as const,
    status,
    form: { ...freshForm(enquiries, values), fault, errors, ...(keepToken ? { token } : {}) },
  });

  if (trap !== '') {
    const text = `A hidden field that people leave empty was filled in, as programs do. ${kept} If a password manager did it, send once more, or write to us by e-mail.`;
    return refuse(403, text);
  }
  const read = readFormToken(enquiries.secret, enquiries.trueNow(), token);
  if (!read.ok) return refuse(403, tokenFaults[read.reason]);

  const today = academyToday(enquiries.clock);
  const parsed = parseEnquiry(request.kind, values, { today, isOffered: request.isOffered });
  if (!parsed.ok) return refuse(400, null, parsed.errors, true);

  let counted = false;
  try {
    const first = await findByIdempotencyKey(enquiries.db, read.idempotencyKey);
    if (first) return { ok: true, reference: first };
    counted = enquiries.limit.take(request.address);
    if (!counted) {
      const text = `Many messages came from your network address in a short time. ${kept} Please wait ten minutes and send it again, or telephone us.`;
      return refuse(429, text, {}, true);
    }
    const { firstName, lastName, email, phone, message, consent, ...details } = parsed.data;
    const { reference } = await recordEnquiry(
      enquiries.db,
      {
        kind: request.kind,
        idempotencyKey: read.idempotencyKey,
        ...{ firstName, lastName, email, phone, message },
        consent: consent === 'on',
        details: { ...(details as Record<string, string | number>), ...request.describe?.(details) },
      },
      enquiries.clock.now(),
    );
    return { ok: true, reference };
  } catch (error) {
    // Our failure is not the visitor's attempt.
    if (counted) enquiries.limit.giveBack(request.address);
    // Only the code: the database's own words may hold what was typed.
    const code = (error as { code?: string }).code ?? 'unknown';
    enquiries.log.warn({ code, kind: request.kind }, 'enquiry could not be stored');
    const text = `We cannot take this right now: our database is away. ${kept} Please send it again in a few minutes, or telephone us.`;
    return refuse(503, text, {}, true);
  }
}

/** The form of a request; a body that is none counts as an empty one, which is refused like any unsigned form. */
export function readForm(request: Request): Promise<FormData> {
  return request.formData().catch(() => new FormData());
}

const tokenFaults = {
  forged: `This form could not be recognised. ${kept} Please send it once more.`,
  'too-fast': `That was sent within two seconds of opening the page, as programs do. ${kept} Please send it once more.`,
  expired: `This page had been open for more than a day. ${kept} Please send it once more.`,
};

const longestField = 6000;

function textsOf(form: FormData): FormValues {
  const entries = [...form].map(([name, value]) => [
    name,
    typeof value === 'string' ? value.slice(0, longestField) : '',
  ]);
  return Object.fromEntries(entries);
}
