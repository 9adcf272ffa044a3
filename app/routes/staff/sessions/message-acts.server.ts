import { demand, type StaffActor } from '#app/features/people/actor.ts';
import { mostItems, startMessage } from '#app/features/runs/commands.server.ts';
import { messageSession, messageTo, whoGets } from '#app/features/runs/message.server.ts';
import type { Audience, Recipient } from '#app/features/runs/recipients.server.ts';
import { type Academy, type Moment, momentOf } from '#app/http/academy.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import type { Refusal } from '#app/http/take-form.server.ts';
import { addDays, daysBetween } from '#app/lib/dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { blankStaffForm, type Refused, readStaffForm, takeStaffAct } from '#app/routes/staff/act.server.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { type MessageForm, messageForm } from './message-forms.ts';
import { leftOutWords } from './message-labels.ts';

type Asked = { form: FormData | null; slug: string; actor: StaffActor };

/** What a message would do: who gets it, who does not and why, and how it reads for up to three of them. */
export type Preview = {
  count: number;
  leftOut: { who: string; why: string }[];
  mails: { to: string; subject: string; text: string }[];
};

type Taken =
  | { ok: true; runId: number | null }
  | { ok: 'shown'; form: FormState; preview: Preview; told: string }
  | Refusal;

/** Takes the form of a message to a course date: shows what it does, sends it to oneself, or has it sent (P80). */
export async function takeMessage(academy: Academy, { form, slug, actor }: Asked): Promise<Taken> {
  if (textsOf(form).act === 'send') return send(academy, { form, slug, actor });
  let shown: { preview: Preview; told: string } | null = null;
  const asked = { form, schema: messageForm, subject: `training-session:${slug}`, actor };
  const result = await readStaffForm(asked, async (data, _sent, refused) => {
    demand(actor, 'mail:send');
    demand(actor, 'attendees:read');
    const sessionId = await idOf(academy, slug);
    if (sessionId === null) return refused({ ok: false, reason: 'missing' });
    const wrong = faultOf(data, momentOf(academy));
    if (wrong) return refused(wrong);
    const preview = await previewOf(academy, sessionId, data);
    const told = data.act === 'test' ? await sendTest(academy, sessionId, data, actor) : '';
    shown = { preview, told };
    return { ok: true };
  });
  if (!result.ok) return result;
  const typed = blankStaffForm(Number(textsOf(form).seen) || 0, textsOf(form));
  return shown === null
    ? { ok: true, runId: null }
    : { ok: 'shown', form: typed, ...(shown as { preview: Preview; told: string }) };
}

async function idOf({ db }: Academy, slug: string): Promise<number | null> {
  const row = await db.selectFrom('training_sessions').select('id').where('slug', '=', slug).executeTakeFirst();
  return row?.id ?? null;
}

async function send(academy: Academy, { form, slug, actor }: Asked): Promise<Taken> {
  let runId: number | null = null;
  const result = await takeStaffAct(academy, {
    form,
    schema: messageForm,
    subject: `training-session:${slug}`,
    actor,
    async act(trx, data, moment) {
      const row = await trx.selectFrom('training_sessions').select('id').where('slug', '=', slug).executeTakeFirst();
      if (!row) return { ok: false, reason: 'missing' };
      const wrong = faultOf(data, moment);
      if (wrong) return wrong;
      const message = { subject: data.subject, body: data.body, marketing: data.purpose === 'news' };
      const asked = { sessionId: row.id, message, to: audiencesOf(data), dueAt: dueAtOf(data), actor };
      const started = await startMessage(trx, asked, moment);
      if (!started.ok) return refused(started.reason === 'nobody' ? nobody : tooMany);
      if (String(started.count) !== data.expects) return refused(othersNow(started.count));
      runId = started.runId;
      return { ok: true, did: { action: 'write-to-session', details: { run: runId, people: started.count } } };
    },
  });
  return result.ok ? { ok: true, runId } : result;
}

const refused = (fault: string): Refused => ({ ok: false, reason: 'refused', fault });
const nobody = 'Nobody of those you chose can get it.';
const tooMany = `More than ${mostItems} people would get it. Choose fewer.`;
const othersNow = (count: number) =>
  `${count} ${count === 1 ? 'person gets' : 'people get'} it now. Press "Look at it" to see who, then send it.`;

const audiencesOf = ({ attendees, buyers, waiting }: MessageForm): Audience[] =>
  (['attendees', 'buyers', 'waiting'] as const).filter((one) => ({ attendees, buyers, waiting })[one]);

const dueAtOf = ({ day, time }: MessageForm): Date | null =>
  day === '' ? null : instantOf(day, time || '09:00', 'Australia/Brisbane');

const mostDaysAhead = 180;

function faultOf(data: MessageForm, { now, today }: Moment): Refused | null {
  const errors: Record<string, string> = {};
  if (audiencesOf(data).length === 0) errors.attendees = 'Choose who gets it.';
  const dueAt = dueAtOf(data);
  if (dueAt === null && data.time !== '') errors.day = 'Enter the day as well, or leave both empty to send it now.';
  if (dueAt !== null && dueAt <= now) errors.day = 'This time is over. Enter a later one, or leave both empty.';
  if (dueAt !== null && daysBetween(today, data.day) > mostDaysAhead) {
    errors.day = `Enter a day until ${addDays(today, mostDaysAhead)}.`;
  }
  return Object.keys(errors).length > 0 ? { ok: false, reason: 'refused', errors } : null;
}

const inPreview = 3;

async function previewOf(academy: Academy, sessionId: number, data: MessageForm): Promise<Preview> {
  const all = await whoGets(academy.db, sessionId, { to: audiencesOf(data), marketing: data.purpose === 'news' });
  const written = {
    message: messageOf(data),
    session: await messageSession(academy.db, sessionId),
    moment: momentOf(academy),
  };
  const gets = all.filter(({ leftOut }) => leftOut === null);
  return {
    count: gets.length,
    leftOut: all.flatMap(({ leftOut, ...one }) =>
      leftOut === null ? [] : [{ who: whoOf(one), why: leftOutWords[leftOut] ?? leftOut }],
    ),
    mails: gets.slice(0, inPreview).map((one) => {
      const { subject, text } = messageTo(one, written, { link: '(their private link)' });
      return { to: whoOf(one), subject, text };
    }),
  };
}

const messageOf = ({ subject, body, purpose }: MessageForm) => ({ subject, body, marketing: purpose === 'news' });

const whoOf = ({ name, email, reference }: Pick<Recipient, 'name' | 'email' | 'reference'>): string =>
  showControlCharacters([name ?? 'Not named yet', email, reference].filter(Boolean).join(', '));

/** Mails the message to whoever writes it, with their own name in it and without anybody's private link. */
async function sendTest(academy: Academy, sessionId: number, data: MessageForm, actor: StaffActor): Promise<string> {
  const moment = momentOf(academy);
  const row = await academy.db
    .selectFrom('people')
    .select('email')
    .where('id', '=', actor.person.id)
    .executeTakeFirst();
  if (!row?.email) return 'Your account has no email address, so no test was sent.';
  const to = row.email;
  const session = await messageSession(academy.db, sessionId);
  const kind = 'attendee' as const;
  const mail = messageTo(
    { called: actor.person.name, reference: 'BB-TEST00', kind },
    { message: messageOf(data), session, moment },
    { link: `${moment.academy.url}/training-calendar/${session.slug}` },
  );
  await academy.db.transaction().execute((trx) =>
    queueMail(trx, {
      kind: 'session-message-test',
      about: { kind: 'session', id: sessionId },
      to,
      replyTo: moment.academy.email,
      dedupeKey: `message-test:${data.form}`,
      ...mail,
      subject: `Test: ${mail.subject}`,
    }),
  );
  return `We sent a test to ${to}.`;
}
