import { href } from 'react-router';
import type { Db, Trx } from '#app/db/client.server.ts';
import { demand, type StaffActor } from '#app/features/people/actor.ts';
import { mostItems } from '#app/features/runs/acts.ts';
import { type Message, type MessageCourse, messageTo } from '#app/features/runs/message.server.ts';
import { runOfForm, runsUnderWay } from '#app/features/runs/queries.server.ts';
import type { Audience, Recipient } from '#app/features/runs/recipients.server.ts';
import { type Academy, type Moment, momentOf } from '#app/http/academy.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { answerForm, type Refusal } from '#app/http/take-form.server.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { addDays, type Day, daysBetween } from '#app/lib/dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { blankStaffForm, keyOfForm, type Refused, readStaffForm, takeStaffAct } from '#app/routes/staff/act.server.ts';
import { type FormState, tokenField } from '#app/ui/form-state.ts';
import { type MessageForm, messageForm } from './message-form.ts';
import { leftOutWords } from './message-labels.ts';
import { type Other, otherInWords } from './others-under-way.tsx';
import { type Sample, sendTest } from './send-test.server.ts';

/** A possible recipient of a message, with its course. */
type Addressee = Recipient & { course: MessageCourse };
type Wanted = { to: readonly Audience[]; marketing: boolean; today: Day };

/** The recipients of a message, read for the preview and again in the transaction of the press. */
export type Addressees = {
  /** Kind and reference, as audit entries have it. */
  subject: string;
  action: string;
  /** Whether acts of colleagues on the subject since the page was read refuse the form. */
  compares: boolean;
  /** Everybody it could go to, and who is left out; null when the address names nothing. */
  who(db: Db, wanted: Wanted): Promise<Addressee[] | null>;
  /** A hash of the recipients that the page carries. */
  keyOf(gets: readonly Addressee[]): string;
  start(
    trx: Trx,
    asked: {
      actor: StaffActor;
      message: Message;
      to: readonly Audience[];
      dueAt: Date | null;
      form: string;
      expects: string;
    },
    moment: Moment,
  ): Promise<
    { ok: true; runId: number; count: number } | { ok: false; reason: 'nobody' | 'too-many' | 'changed' | 'missing' }
  >;
  /** The page that a test mail links to, and its subject; null when the address is unknown. */
  sample(db: Db): Promise<Sample | null>;
};

type Asked = { form: FormData | null; actor: StaffActor; addressees: Addressees };

/** The effects of a message: recipients, people left out with reasons, and previews for up to three recipients. */
export type Preview = {
  count: number;
  /** To how many addresses: fewer than there are emails where somebody is in several of the chosen dates. */
  addresses: number;
  /** The form carries it: other people at the press are refused. */
  expects: string;
  leftOut: { who: string; why: string }[];
  mails: { to: string; subject: string; text: string }[];
  /** Other messages to some of them that have not gone out yet. */
  others: Other[];
};

type Taken =
  | { ok: true; runId: number | null }
  | { ok: 'shown'; form: FormState; preview: Preview; told: string }
  | Refusal;

/**
 * Takes the form of a message to several people: previews it, sends it to the author as a test, or begins the run
 * (P80).
 */
export async function takeMessage(academy: Academy, { form, actor, addressees }: Asked): Promise<Taken> {
  if (textsOf(form).act === 'send') return send(academy, { form, actor, addressees });
  let shown: { preview: Preview; told: string } | null = null;
  const asked = { form, schema: messageForm, subject: addressees.subject, actor };
  const result = await readStaffForm(asked, async (data, { key }, refusedFor) => {
    demand(actor, 'mail:send');
    demand(actor, 'attendees:read');
    const wrong = faultOf(data, momentOf(academy));
    if (wrong) return refusedFor(wrong);
    const preview = await previewOf(academy, { actor, addressees }, data);
    if (!preview) return refusedFor({ ok: false, reason: 'missing' });
    const told =
      data.act === 'test' ? await sendTest(academy, addressees.sample, { message: messageOf(data), key, actor }) : '';
    shown = { preview, told };
    return { ok: true };
  });
  if (!result.ok) return result;
  const texts = textsOf(form);
  const blank = blankStaffForm(Number(texts.seen) || 0, texts);
  // The form stays the same one: sent before, and again after another look, it is one message.
  const typed = { ...blank, token: texts[tokenField] || blank.token };
  return shown === null
    ? { ok: true, runId: null }
    : { ok: 'shown', form: typed, ...(shown as { preview: Preview; told: string }) };
}

/**
 * What a page answers once its message was taken: the message as it would go out, or the refused form; otherwise it
 * leads to the run, or to `otherwise` where there is none.
 */
export function answerMessage(taken: Taken, otherwise: string) {
  if (taken.ok === 'shown') {
    const { form, preview, told } = taken;
    return { form, stale: false, preview, told };
  }
  return answerForm(taken, ({ runId }) =>
    runId === null ? otherwise : href('/staff/runs/:id', { id: String(runId) }),
  );
}

async function send(academy: Academy, { form, actor, addressees }: Asked): Promise<Taken> {
  let runId: number | null = null;
  const { subject, action, compares } = addressees;
  const result = await takeStaffAct(academy, {
    form,
    schema: messageForm,
    subject,
    actor,
    compares,
    async act(trx, data, moment, { key }) {
      const wrong = faultOf(data, moment);
      if (wrong) return wrong;
      const asked = {
        actor,
        message: messageOf(data),
        to: audiencesOf(data),
        dueAt: dueAtOf(data),
        form: key,
        expects: data.expects,
      };
      const started = await addressees.start(trx, asked, moment);
      if (!started.ok) {
        return started.reason === 'missing' ? { ok: false, reason: 'missing' } : refused(notStarted[started.reason]);
      }
      runId = started.runId;
      return { ok: true, did: { action, details: { run: runId, people: started.count } } };
    },
  });
  if (!result.ok) return result;
  // Pressed twice, it leads to the run of the first time.
  return { ok: true, runId: runId ?? (await runOfForm(academy.db, keyOfForm(form))) };
}

const refused = (fault: string): Refused => ({ ok: false, reason: 'refused', fault });
const notStarted = {
  nobody: 'Nobody of those you chose can get it.',
  'too-many': `More than ${mostItems} people would get it. Choose fewer.`,
  changed: 'Other people would get it now. Press "Look at it" to see who, then send it.',
};

const audiencesOf = ({ attendees, buyers, waiting }: MessageForm): Audience[] =>
  (['attendees', 'buyers', 'waiting'] as const).filter((one) => ({ attendees, buyers, waiting })[one]);

const dueAtOf = ({ day, time }: MessageForm): Date | null =>
  day === '' ? null : instantOf(day, time || '09:00', academyZone);

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

async function previewOf(
  academy: Academy,
  { actor, addressees }: Pick<Asked, 'actor' | 'addressees'>,
  data: MessageForm,
): Promise<Preview | null> {
  const message = messageOf(data);
  const moment = momentOf(academy);
  const { today } = moment;
  const all = await addressees.who(academy.db, { to: audiencesOf(data), marketing: message.marketing, today });
  if (!all) return null;
  const gets = all.filter(({ leftOut }) => leftOut === null);
  const others = await runsUnderWay(academy.db, actor, ['message', 'write'], gets);
  return {
    count: gets.length,
    addresses: new Set(gets.map(({ email }) => email?.toLowerCase())).size,
    expects: addressees.keyOf(gets),
    others: others.map(otherInWords),
    leftOut: all.flatMap(({ leftOut, ...one }) =>
      leftOut === null ? [] : [{ who: whoOf(one), why: leftOutWords[leftOut] ?? leftOut }],
    ),
    mails: samplesOf(gets).map((one) => {
      const { subject, text } = messageTo(
        one,
        { message, course: one.course, moment },
        { link: '(their private link)' },
      );
      return { to: whoOf(one), subject, text };
    }),
  };
}

/** One recipient of each course date while there is room, then the first of the others. */
function samplesOf(gets: readonly Addressee[]): Addressee[] {
  const firsts = [...Map.groupBy(gets, ({ course }) => course.slug).values()].flatMap(([first]) => first ?? []);
  return [...new Set([...firsts, ...gets])].slice(0, inPreview);
}

const messageOf = ({ subject, body, purpose }: MessageForm) => ({ subject, body, marketing: purpose === 'news' });

const whoOf = ({ name, email, reference }: Pick<Recipient, 'name' | 'email' | 'reference'>): string =>
  showControlCharacters([name ?? 'To be named', email, reference].filter(Boolean).join(', '));
