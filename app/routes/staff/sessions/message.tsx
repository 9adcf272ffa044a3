import { data, href } from 'react-router';
import { readHistory } from '#app/audit/history.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { messageFields } from '#app/features/runs/fields.ts';
import { messagesTo } from '#app/features/runs/queries.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { actionInWords } from '#app/routes/staff/history.ts';
import { TextArea, TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, SendButton, WhoMay } from '#app/ui/staff/act-form.tsx';
import { Choice } from '#app/ui/staff/choices.tsx';
import { Section } from '#app/ui/staff/heads.tsx';
import { Back, TextLink } from '#app/ui/staff/parts.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/message';
import { type Preview, takeMessage } from './message-acts.server.ts';
import { messageLabels } from './message-labels.ts';
import { findSession } from './sessions.server.ts';

const usual = {
  attendees: 'on',
  purpose: 'service',
  body: 'Hello {first name},\n\n\n\nRegards\nBowerbird Academy',
};

export async function loader({ context, params: { slug } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'mail:read');
  const { db, clock } = context.get(academyContext);
  const found = await orAway(async () => {
    const session = await findSession(db, actor, slug, academyToday(clock));
    if (!session) return null;
    const { seen } = await readHistory(db, `training-session:${slug}`, actionInWords);
    return { session, form: blankStaffForm(seen, usual), sent: await messagesTo(db, actor, session.id) };
  });
  if (!found) throw data(`There is no course date ${slug}.`, { status: 404 });
  const { session, form, sent } = found;
  return {
    form,
    session: { slug, title: session.title, days: session.days, where: session.where },
    sent: sent.map(({ id, subject, due_at, stopped_at, ended_at, made_by }) => ({
      id: String(id),
      subject: subject ?? '',
      state: `${formatMoment(due_at)}, by ${made_by ?? 'somebody who left'}${stopped_at ? ', stopped' : ended_at ? ', sent' : ', not sent yet'}`,
    })),
  };
}

export async function action({ context, request, params: { slug } }: Route.ActionArgs) {
  const actor = staffFor(context, 'mail:send');
  const result = await takeMessage(context.get(academyContext), { form: await readForm(request), slug, actor });
  if (result.ok === 'shown') {
    const { form, preview, told } = result;
    return { form, stale: false, preview, told };
  }
  const to = (done: { runId: number | null }) =>
    done.runId === null
      ? href('/staff/sessions/:slug/message', { slug })
      : href('/staff/runs/:id', { id: String(done.runId) });
  return answerForm(result, to);
}

export const clientAction = sendStaffForm as unknown as (
  sent: Parameters<typeof sendStaffForm>[0],
) => ReturnType<typeof action>;

export const meta = () => staffMeta('Write to a course date');

/** Staff write to the people of a course date (P80). */
export default function Message({ loaderData, actionData }: Route.ComponentProps) {
  const { session, sent } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const preview = actionData && 'preview' in actionData ? actionData.preview : null;
  const told = actionData && 'told' in actionData ? actionData.told : '';
  return (
    <>
      <Back to={href('/staff/sessions/:slug', { slug: session.slug })}>{session.title}</Back>
      <h1 className="text-2xl">Write to this course date</h1>
      <p className="tabular mt-1 mb-4">
        {session.title}, {session.days}, {session.where}
      </p>
      <WhoMay needs="mail:send" what="write to the people of a course date" />
      <ErrorSummary form={form} labels={messageLabels} formId="message-form" />
      {told && (
        <p role="status" className="mb-4 font-semibold">
          {told}
        </p>
      )}
      <ActForm
        act={null}
        id="message-form"
        form={form}
        needs="mail:send"
        className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[30rem_minmax(0,1fr)]"
        carries={{ expects: preview?.count ?? '' }}
      >
        <div className="grid gap-4">
          <Who form={form} />
          <TextField form={form} name="subject" label={messageLabels.subject} maxLength={120} required />
          <TextArea
            form={form}
            name="body"
            label={messageLabels.body}
            hint={`Up to 5,000 characters, no formatting. Fields: ${Object.entries(messageFields)
              .map(([name, words]) => `{${name}} is ${words}`)
              .join(
                '; ',
              )}. The email ends with the course, its days and a button to their page, which has the link to an online class.`}
            required
          />
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <TextField form={form} name="day" label={messageLabels.day} type="date" />
            <TextField form={form} name="time" label={messageLabels.time} type="time" />
          </div>
          <p className="text-sm text-mute">
            Leave both empty to send it now: it goes out after 60 seconds, and you can take it back until then. You can
            call off a later one until its time.
          </p>
          <div className="flex flex-wrap gap-3">
            <SendButton name="act" value="preview" look={preview ? 'quiet' : 'primary'}>
              {preview ? 'Look again' : 'Look at it'}
            </SendButton>
            <SendButton name="act" value="test">
              Send a test to me
            </SendButton>
            {preview && preview.count > 0 && (
              <SendButton name="act" value="send" look="primary">
                {`Send it to ${preview.count}`}
              </SendButton>
            )}
          </div>
        </div>
        <div className="grid min-w-0 gap-7">
          {preview && <Shown preview={preview} />}
          {sent.length > 0 && (
            <Section title="Messages to this course date">
              <ul>
                {sent.map(({ id, subject, state }) => (
                  <li key={id} className="border-b border-line py-1.5">
                    <TextLink to={href('/staff/runs/:id', { id })}>{subject}</TextLink>
                    <span className="block text-sm text-mute">{state}</span>
                  </li>
                ))}
              </ul>
            </Section>
          )}
        </div>
      </ActForm>
    </>
  );
}

type FormProps = { form: Route.ComponentProps['loaderData']['form'] };

function Who({ form }: FormProps) {
  const groups = [
    ['attendees', 'People who attend'],
    ['buyers', 'Buyers'],
    ['waiting', 'People on the waiting list'],
  ] as const;
  const purposes = [
    ['service', 'About this course date. People need it to attend, so no consent is needed.'],
    ['news', 'News or offers. Only people who agreed to them get it.'],
  ] as const;
  return (
    <>
      <fieldset className="grid gap-1">
        <legend className="mb-1.5 font-bold">{messageLabels.attendees}</legend>
        {groups.map(([name, words]) => (
          <Choice key={name} type="checkbox" id={name} name={name} defaultChecked={form.values[name] === 'on'}>
            {words}
          </Choice>
        ))}
        {form.errors.attendees && <p className="font-semibold text-fault">{form.errors.attendees}</p>}
      </fieldset>
      <fieldset className="grid gap-1">
        <legend className="mb-1.5 font-bold">{messageLabels.purpose}</legend>
        {purposes.map(([value, words]) => (
          <Choice key={value} type="radio" name="purpose" value={value} defaultChecked={form.values.purpose === value}>
            {words}
          </Choice>
        ))}
      </fieldset>
    </>
  );
}

function Shown({ preview: { count, leftOut, mails } }: { preview: Preview }) {
  return (
    <>
      <Section title={count === 1 ? '1 person gets it' : `${count} people get it`}>
        {mails.map(({ to, subject, text }) => (
          <article key={to} className="border-b border-line py-3">
            <p className="text-sm text-mute wrap-anywhere">{to}</p>
            <h3 className="font-semibold wrap-anywhere">{subject}</h3>
            <p className="mt-2 text-sm whitespace-pre-line wrap-anywhere">{text}</p>
          </article>
        ))}
      </Section>
      {leftOut.length > 0 && (
        <Section title={`${leftOut.length} left out`}>
          <ul>
            {leftOut.map(({ who, why }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: people without a name have no other identity here
              <li key={at} className="border-b border-line py-1.5 wrap-anywhere">
                {who}: {why}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}
