import { z } from 'zod';
import type { Trx } from '#app/db/client.server.ts';
import { readBookingStart } from '#app/features/inbox/bookings/queries.server.ts';
import { actOnConversation } from '#app/features/inbox/conversations/act.server.ts';
import { visitorWroteAfter } from '#app/features/inbox/conversations/queries.server.ts';
import { actOnEnquiry } from '#app/features/inbox/enquiries/act.server.ts';
import { findItem, finishBooking, holdItem, type Item, snoozeItem } from '#app/features/inbox/holds.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { readActor } from '#app/features/people/queries.server.ts';
import {
  type ActDone,
  common,
  type Refused,
  type StaffFormResult,
  takeStaffAct,
} from '#app/features/people/staff-act.server.ts';
import type { Academy, Moment } from '#app/http/academy.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { type Snooze, snoozes, snoozeUntil } from './snooze.ts';

const item = z.string().regex(/^(enquiry|booking):BB-[2-9A-HJ-NP-Z]{6}$|^conversation:[1-9]\d{0,14}$/);
const personId = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
/** The holder that the page showed; empty for nobody. */
const was = z.union([z.literal('').transform(() => null), personId]);

const inboxForm = z.discriminatedUnion('act', [
  z.object({ ...common, act: z.literal('take'), item, was }),
  z.object({ ...common, act: z.literal('put-back'), item, was }),
  z.object({ ...common, act: z.literal('give'), item, was, to: personId }),
  z.object({
    ...common,
    act: z.literal('snooze'),
    item,
    until: z.enum(Object.keys(snoozes) as [Snooze, ...Snooze[]]),
    day: z.string().max(10).optional(),
  }),
  z.object({ ...common, act: z.literal('wake'), item }),
  z.object({ ...common, act: z.literal('done'), item }),
]);
type Values = z.output<typeof inboxForm>;

/** Takes one of the forms of the inbox (P81): take, give, put back, snooze, bring back, done. */
export function takeInboxAct(
  academy: Academy,
  { form, actor }: { form: FormData | null; actor: StaffActor },
): Promise<StaffFormResult> {
  const named = item.safeParse(textsOf(form).item);
  const subject = named.success ? named.data : 'enquiry:none';
  return takeStaffAct(academy, {
    form,
    schema: inboxForm,
    subject,
    actor,
    compares: false,
    words: { kept: 'Nothing was changed.' },
    async act(trx, values, moment, { seen }) {
      const found = await findItem(trx, subject);
      if (!found) return { ok: false, reason: 'missing' };
      return actOn(trx, found, { values, actor, moment, seen });
    },
  });
}

type Acting = { values: Values; actor: StaffActor; moment: Moment; seen: number };

async function actOn(trx: Trx, found: Item, { values, actor, moment, seen }: Acting): Promise<ActDone | Refused> {
  const { now } = moment;
  switch (values.act) {
    case 'take':
      return hold(trx, found, { was: values.was, to: actor.person.id, actor, now, action: values.act });
    case 'put-back':
      return hold(trx, found, { was: values.was, to: null, actor, now, action: values.act });
    case 'give': {
      const other = await readActor(trx, values.to);
      if (!other?.can.has('inbox:work')) return refused('This person does not work with the inbox.');
      return hold(trx, found, { was: values.was, to: values.to, actor, now, action: values.act });
    }
    case 'snooze': {
      const until = snoozeUntil(values.until, values.day ?? '', now);
      if (!until) return refused('Choose a day from tomorrow on, at most 60 days ahead.');
      if (found.kind === 'booking' && (await readBookingStart(trx, found.id)) <= until) {
        return refused('The booking begins before that.');
      }
      await snoozeItem(trx, found, { until, actor, now });
      return { ok: true, did: { action: 'snooze', details: { until: until.toISOString() } } };
    }
    case 'wake':
      await snoozeItem(trx, found, { until: null, actor, now });
      return { ok: true, did: { action: 'wake' } };
    case 'done':
      return finish(trx, found, { values, actor, moment, seen });
  }
}

type Holding = Parameters<typeof holdItem>[2] & { action: string };

async function hold(trx: Trx, found: Item, { action, ...holding }: Holding): Promise<ActDone | Refused> {
  const held = await holdItem(trx, found, holding);
  if (held.ok) return { ok: true, did: { action, details: holding.to === null ? {} : { to: holding.to } } };
  return refused(held.by ? `${held.by} has it in hand now.` : 'Nobody has it in hand any more.');
}

async function finish(
  trx: Trx,
  { kind, id }: Item,
  { values, actor, moment, seen }: Acting,
): Promise<ActDone | Refused> {
  const { now, academy } = moment;
  if (kind === 'booking') {
    await finishBooking(trx, { kind, id }, { actor, now });
    return { ok: true, did: { action: 'done' } };
  }
  if (kind === 'conversation') {
    if (await visitorWroteAfter(trx, id, seen)) return refused('The visitor has written again. Open the chat first.');
    const result = await actOnConversation(trx, { kind: 'closed' }, { conversationId: id, actor, at: now, seen });
    return result.ok ? { ok: true, did: null } : refused(meanwhileText(result));
  }
  const reference = values.item.replace('enquiry:', '');
  const closing = { kind: 'state', state: 'closed' } as const;
  const result = await actOnEnquiry(trx, closing, { reference, actor, at: now, seen, academy });
  return result.ok ? { ok: true, did: null } : refused(meanwhileText(result));
}

const meanwhileText = (result: { reason: 'missing' } | { reason: 'meanwhile'; by: string }): string =>
  result.reason === 'missing' ? 'It has been deleted.' : `${result.by} has answered or closed it in the meantime.`;

const refused = (fault: string): Refused => ({ ok: false, reason: 'refused', fault });
