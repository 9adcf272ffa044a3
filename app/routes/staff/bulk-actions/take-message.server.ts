import { href } from 'react-router';
import { z } from 'zod';
import type { Trx } from '#app/db/client.server.ts';
import { mostAtOnce } from '#app/features/inbox/bulk-actions/acts.ts';
import { templateFault } from '#app/features/inbox/bulk-actions/fields.ts';
import { type Message, messageTo } from '#app/features/inbox/bulk-actions/message.server.ts';
import { planKey, sendMessage } from '#app/features/inbox/bulk-actions/press.server.ts';
import {
  audiences,
  type ChosenRecords,
  type MessageCourse,
  type Recipient,
  recipientsOf,
} from '#app/features/inbox/bulk-actions/recipients.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { readEmail } from '#app/features/people/queries.server.ts';
import {
  blankStaffForm,
  common,
  type Refused,
  readStaffForm,
  takeStaffAct,
} from '#app/features/people/staff-act.server.ts';
import { type Academy, momentOf } from '#app/http/academy.server.ts';
import { requiredLine, requiredText, textsOf } from '#app/http/form-texts.ts';
import type { Refusal } from '#app/http/take-form.server.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { ChosenRows } from '#app/routes/staff/lists/chosen-rows.ts';
import { type FormState, tokenField } from '#app/ui/form-state.ts';
import { chosenIds } from './chosen-records.server.ts';
import type { LeftOutPerson } from './left-out.tsx';
import { notDone } from './words.ts';

/** What a message does: how many get it, who is left out and why, and how it reads for up to three of them. */
export type Preview = {
  count: number;
  /** The form carries it: when something else would be sent at the press, nothing is. */
  expects: string;
  leftOut: LeftOutPerson[];
  mails: { to: string; subject: string; text: string }[];
};

type Asked = { form: FormData | null; actor: StaffActor; of: ChosenRecords['of']; chosen: ChosenRows };

type Taken =
  /** Sent; null for a form that was sent before. */
  { ok: true; number: number | null } | { ok: 'shown'; form: FormState; preview: Preview; told: string } | Refusal;

/** Takes the form of a message to several people: previews it, sends it to its author as a test, or sends it (P80). */
export async function takeMessage(academy: Academy, asked: Asked): Promise<Taken> {
  const { form, actor, of } = asked;
  if (textsOf(form).act === 'send') return send(academy, asked);
  let shown: { preview: Preview; told: string } | null = null;
  const subject = `list:${of}`;
  const result = await readStaffForm(
    { form, schema: messageForm, subject, actor },
    async (data, { key }, refusedFor) => {
      requirePermission(actor, 'mail:send');
      requirePermission(actor, 'attendees:read');
      const plan = faultOf(data) ?? (await planOf(academy, asked, data));
      if (!Array.isArray(plan)) return refusedFor(plan);
      const told = data.act === 'test' ? await sendTest(academy, { plan, message: messageOf(data), key, actor }) : '';
      shown = { preview: previewOf(academy, plan, messageOf(data)), told };
      return { ok: true };
    },
  );
  if (!result.ok) return result;
  if (shown === null) throw new Error('a message without a preview');
  const texts = textsOf(form);
  const blank = blankStaffForm(0, texts);
  // The form stays the same one: sent before, and again after another look, it is one message.
  const typed = { ...blank, token: texts[tokenField] || blank.token };
  return { ok: 'shown', form: typed, ...(shown as { preview: Preview; told: string }) };
}

async function send(academy: Academy, { form, actor, of, chosen }: Asked): Promise<Taken> {
  let number: number | null = null;
  const result = await takeStaffAct(academy, {
    form,
    schema: messageForm,
    subject: `list:${of}`,
    actor,
    compares: false,
    async act(trx: Trx, data, moment) {
      const wrong = faultOf(data);
      if (wrong) return wrong;
      const ids = await chosenIds(trx, actor, { of, chosen }, moment.today);
      if (ids === 'too-many') return refused(notDone['too-many']);
      const to = audiences.filter((one) => data[one]);
      const asked = { records: { of, ids }, to, message: messageOf(data), actor, expects: data.expects };
      const sent = await sendMessage(trx, asked, moment);
      if (!sent.ok) return refused(notDone[sent.reason]);
      number = sent.number;
      return { ok: true, did: null };
    },
  });
  return result.ok ? { ok: true, number } : result;
}

const refused = (fault: string): Refused => ({ ok: false, reason: 'refused', fault });

const faultOf = (data: MessageForm): Refused | null =>
  audiences.some((one) => data[one])
    ? null
    : { ok: false, reason: 'refused', errors: { attendees: 'Choose who gets it.' } };

const messageOf = ({ subject, body, purpose }: MessageForm): Message => ({
  subject,
  body,
  marketing: purpose === 'news',
});

async function planOf(
  academy: Academy,
  { actor, of, chosen }: Asked,
  data: MessageForm,
): Promise<Recipient[] | Refused> {
  const { today } = momentOf(academy);
  const ids = await chosenIds(academy.db, actor, { of, chosen }, today);
  if (ids === 'too-many') return refused(notDone['too-many']);
  const to = audiences.filter((one) => data[one]);
  const plan = await recipientsOf(academy.db, { of, ids }, { to, marketing: data.purpose === 'news', today });
  return plan.filter(({ leftOut }) => leftOut === null).length > mostAtOnce ? refused(notDone['too-many']) : plan;
}

const inPreview = 3;

function previewOf(academy: Academy, plan: readonly Recipient[], message: Message): Preview {
  const moment = momentOf(academy);
  const gets = plan.filter(({ leftOut }) => leftOut === null);
  return {
    count: gets.length,
    expects: planKey(plan),
    leftOut: plan.flatMap(({ leftOut: why, ...one }) => (why === null ? [] : [{ who: whoOf(one), why }])),
    mails: samplesOf(gets).map((one) => {
      const written = { message, course: one.course, moment };
      const { subject, text } = messageTo(one, written, { link: '(their private link)' });
      return { to: whoOf(one), subject, text };
    }),
  };
}

/** One recipient of each course date while there is room, then the first of the others. */
function samplesOf(gets: readonly Recipient[]): Recipient[] {
  const firsts = [...Map.groupBy(gets, ({ course }) => course.date?.id).values()].flatMap(([first]) => first ?? []);
  return [...new Set([...firsts, ...gets])].slice(0, inPreview);
}

const whoOf = ({ name, email, reference }: Pick<Recipient, 'name' | 'email' | 'reference'>): string =>
  showControlCharacters([name ?? 'To be named', email, reference].filter(Boolean).join(', '));

const anyCourse: MessageCourse = { title: 'their course', when: 'its days and times', where: 'its room', date: null };

/**
 * Mails a message to its author as it reads for the first who gets it, with the author's own name and without anybody's
 * private link. Returns what to tell them.
 */
async function sendTest(
  academy: Academy,
  { plan, message, key, actor }: { plan: readonly Recipient[]; message: Message; key: string; actor: StaffActor },
): Promise<string> {
  const moment = momentOf(academy);
  const to = await readEmail(academy.db, actor.person.id);
  if (!to) return 'Your account has no email address, so no test was sent.';
  const course = plan.find(({ leftOut }) => leftOut === null)?.course ?? anyCourse;
  const path =
    course.date === null
      ? href('/courses')
      : href('/training-calendar/:courseDateId', { courseDateId: course.date.slug });
  const mail = messageTo(
    { called: actor.person.name, reference: 'BB-TEST00', audience: 'attendees' },
    { message, course, moment },
    { link: moment.academy.url + path },
  );
  const queued = await academy.db.transaction().execute((trx) =>
    queueMail(trx, {
      kind: 'course-date-message-test',
      about: 'nothing',
      to,
      replyTo: moment.academy.email,
      dedupeKey: `message-test:${key}`,
      ...mail,
      subject: `Test: ${mail.subject}`,
    }),
  );
  return queued === null ? `We sent this test to ${to} already.` : `We sent a test to ${to}.`;
}

const template = (text: string, context: z.RefinementCtx) => {
  const message = templateFault(text);
  if (message) context.addIssue({ code: 'custom', message });
};
const box = z
  .string()
  .optional()
  .transform((value) => value === 'on');

/** A message to several people; `expects` names who gets it by the preview that was shown. */
const messageForm = z.object({
  ...common,
  attendees: box,
  buyers: box,
  waiting: box,
  purpose: z.enum(['service', 'news'], 'Say whether it is about their course, or news and offers.'),
  subject: requiredLine('a subject', 120).superRefine(template),
  body: requiredText('what you want to say').superRefine(template),
  expects: z.string().default(''),
});
type MessageForm = z.output<typeof messageForm>;
