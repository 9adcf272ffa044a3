import type { ReactNode } from 'react';
import { messageFields } from '#app/features/inbox/bulk-actions/fields.ts';
import type { Audience } from '#app/features/inbox/bulk-actions/recipients.server.ts';
import { formatCount } from '#app/lib/money.ts';
import { TextArea, TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, SendButton, WhoMay } from '#app/ui/staff/act-form.tsx';
import { Choice } from '#app/ui/staff/choices.tsx';
import { Section } from '#app/ui/staff/page-head.tsx';
import { LeftOut } from './left-out.tsx';
import type { Preview } from './take-message.server.ts';
import { messageLabels } from './words.ts';

type Props = {
  form: FormState;
  /** The address of the page with the chosen rows. */
  to: string;
  /** The groups that can be ticked. */
  groups: readonly (readonly [Audience, string])[];
  preview: Preview | null;
  told: string;
  /** Below the preview. */
  children?: ReactNode;
};

/** The form for a message to several people: recipients, kind, subject and text with fields, and its preview. */
export function Compose({ form, to, groups, preview, told, children }: Props) {
  // A form that was refused, or whose answer was lost, still carries who gets it by the last look.
  const expects = preview?.expects ?? form.values.expects ?? '';
  return (
    <>
      <WhoMay needs="mail:send" what="write to several people" />
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
        to={to}
        needs="mail:send"
        className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[30rem_minmax(0,1fr)]"
        carries={{ expects }}
      >
        <div className="grid gap-4">
          <Who form={form} groups={groups} />
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
          <p className="text-sm text-mute">
            It goes out 60 seconds after you send it. Until then you can take it back.
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
                {`Send it to ${formatCount(preview.count)}`}
              </SendButton>
            )}
            {!preview && expects !== '' && (
              <SendButton name="act" value="send" look="primary">
                Send it
              </SendButton>
            )}
          </div>
        </div>
        <div className="grid min-w-0 gap-7">
          {preview && <Shown preview={preview} />}
          {children}
        </div>
      </ActForm>
    </>
  );
}

function Who({ form, groups }: Pick<Props, 'form' | 'groups'>) {
  const purposes = [
    ['service', 'About their course or enrolment. They need to know it, so no consent is needed.'],
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

function Shown({ preview }: { preview: Preview }) {
  const { count, leftOut, mails } = preview;
  return (
    <>
      <LeftOut people={leftOut} />
      <Section title={count === 1 ? '1 person gets it' : `${formatCount(count)} people get it`}>
        {mails.map(({ to, subject, text }) => (
          <article key={`${to} ${text}`} className="border-b border-line py-3">
            <p className="text-sm text-mute wrap-anywhere">{to}</p>
            <h3 className="font-semibold wrap-anywhere">{subject}</h3>
            <p className="mt-2 text-sm whitespace-pre-line wrap-anywhere">{text}</p>
          </article>
        ))}
      </Section>
    </>
  );
}
