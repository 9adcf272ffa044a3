import { randomUUID } from 'node:crypto';
import { data, redirect } from 'react-router';
import type { z } from 'zod';
import { formatMoment } from '#app/lib/dates.ts';
import { NotPermitted } from '#app/lib/not-permitted.ts';
import { type FieldErrors, type FormState, tokenField } from '#app/ui/form-state.ts';
import { busyText, troubleOf } from './database-away.server.ts';
import { firstFaults, textsOf } from './form-texts.ts';

export type DeskResult = { ok: true } | { ok: false; status: 400 | 403 | 404 | 409 | 503; form: FormState };

/** Nothing was stored, because of one field or of how things stand; both in sentences. */
export type Refused = { ok: false; reason: 'refused'; fault?: string; errors?: FieldErrors };

/** What became of an act of staff: stored, its subject erased, or refused because somebody else did something first. */
export type ActResult<Done> =
  | { ok: true }
  | { ok: false; reason: 'missing' }
  | Refused
  /** `seen` counts in what was done meanwhile. */
  | ({ ok: false; reason: 'meanwhile'; by: string; at: Date; seen: number } & Done);

/** The forms of a page for staff. The value `seen` is the last thing done that stood on the page, 0 for none. */
export function freshDesk(seen: number): FormState {
  return { values: { seen: String(seen) }, errors: {}, fault: null, heading: 'Not sent yet', token: randomUUID() };
}

/** Leads on once an act is stored; otherwise shows its form again with what was typed. */
export function answerDesk(result: DeskResult, to: string) {
  if (result.ok) throw redirect(to, 303);
  return data({ form: result.form }, { status: result.status });
}

type Desk<Data, Done> = {
  form: FormData | null;
  schema: z.ZodType<Data>;
  /** What the page is about, such as `enquiry`. */
  subject: string;
  /** Stores what the form says, in a transaction of its own, once for each key (P25). */
  act(data: Data, at: { seen: number; idempotencyKey: string }): Promise<ActResult<Done>>;
  /** What somebody did meanwhile, such as `answered this`, and where the page shows it. */
  otherDid(done: Done): { did: string; where: string };
};

/**
 * Takes a form of a page for staff. Every refusal keeps what was typed and says what to do; of two members of staff who
 * answer at once, the second is told who was first.
 */
export async function takeDeskForm<Data extends { [tokenField]: string }, Done>({
  form,
  schema,
  subject,
  act,
  otherDid,
}: Desk<Data, Done>): Promise<DeskResult> {
  const typed = textsOf(form);
  // As an id: the database takes no number without end.
  const seen = Number(/^\d{1,15}$/.exec(typed.seen ?? '')?.[0] ?? 0);
  const refuse = (
    status: Extract<DeskResult, { ok: false }>['status'],
    changes: Partial<FormState>,
    nowSeen = seen,
  ): DeskResult => {
    const fresh = freshDesk(nowSeen);
    return { ok: false, status, form: { ...fresh, values: { ...typed, ...fresh.values }, ...changes } };
  };
  const parsed = schema.safeParse(typed);
  if (!parsed.success) {
    const errors = firstFaults(parsed.error);
    const visible = Object.keys(errors).every((field) => ![tokenField, 'act', 'seen', 'state'].includes(field));
    return refuse(400, visible ? { errors } : { fault: unreadable });
  }
  const idempotencyKey = parsed.data[tokenField];
  try {
    const result = await act(parsed.data, { seen, idempotencyKey });
    if (result.ok) return { ok: true };
    if (result.reason === 'refused') {
      const { fault = null, errors = {} } = result;
      return refuse(409, { fault: fault && `${fault} ${kept}`, errors });
    }
    if (result.reason === 'missing') return refuse(404, { fault: `This ${subject} was erased meanwhile. ${kept}` });
    const { did, where } = otherDid(result);
    const fault = `${result.by} ${did} meanwhile, on ${formatMoment(result.at)}; see ${where}. ${kept} Send it again if it is still wanted.`;
    return refuse(409, { fault }, result.seen);
  } catch (error) {
    if (error instanceof NotPermitted) return refuse(403, { fault: `${notPermitted} ${kept}` });
    return refuse(503, { ...troubleOf(error, { away, busy }), token: idempotencyKey });
  }
}

const unreadable = 'What arrived here was not a whole form. Nothing was stored. Please send it once more.';
const notPermitted = 'Your role does not include this. An owner of the academy can give you another role.';
const kept = 'Nothing was sent or stored, and what you wrote is still below.';
const busy = busyText('What you wrote is still below.');
const away =
  'We could not confirm that this was stored: our database is away. What you wrote is still below. Send it again in a few minutes; if it did arrive, the repeat is recognised and nothing is sent twice.';
