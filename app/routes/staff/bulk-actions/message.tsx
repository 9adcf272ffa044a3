import type { ReactNode } from 'react';
import { data, href, Link } from 'react-router';
import { readCourseDates } from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { messageFields } from '#app/features/inbox/bulk-actions/fields.ts';
import { messagesTo } from '#app/features/inbox/bulk-actions/queries.server.ts';
import type { Audience, ChosenRecords } from '#app/features/inbox/bulk-actions/recipients.server.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatCount } from '#app/lib/money.ts';
import { formatMoment, shortDays } from '#app/lib/short-dates.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { chosenRowsIn, chosenRowsQuery } from '#app/routes/staff/lists/chosen-rows.ts';
import { TextArea, TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, SendButton, WhoMay } from '#app/ui/staff/act-form.tsx';
import { Choice } from '#app/ui/staff/choices.tsx';
import { Section } from '#app/ui/staff/page-head.tsx';
import { sendStaffFormAs } from '#app/ui/staff/send-staff-form.ts';
import { Back, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/message';
import { chosenIds, messageLists, tooMany } from './chosen-records.server.ts';
import { LeftOut } from './left-out.tsx';
import { type Preview, takeMessage } from './take-message.server.ts';
import { messageLabels } from './words.ts';

type ComposeProps = {
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
function Compose({ form, to, groups, preview, told, children }: ComposeProps) {
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

function Who({ form, groups }: Pick<ComposeProps, 'form' | 'groups'>) {
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

/** The list that an address names; answers 404 for another one. */
function listIn(name: string): ChosenRecords['of'] {
  if (name === 'enrolments' || name === 'course-dates' || name === 'waiting') return name;
  throw data('There is nothing here.', { status: 404 });
}

const ordinaryText = 'Hello {first name},\n\n\n\nRegards\nBowerbird Academy';

export async function loader({ context, params: { list }, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'mail:read');
  const academy = context.get(academyContext);
  const { db } = academy;
  const { today } = momentOf(academy);
  const of = listIn(list);
  const { back, words, groups } = messageLists[of];
  const chosen = chosenRowsIn(url.searchParams);
  return unlessDatabaseAway(async () => {
    const ids = await chosenIds(db, actor, { of, chosen }, today);
    const page = { back: back(chosen.list), to: `${url.pathname}?${chosenRowsQuery(chosen)}` };
    if (ids === 'too-many') return { ...page, line: tooMany, writing: null, dates: [], sent: [] };
    if (ids.length === 0) {
      return { ...page, line: `No ${words[0]} is ticked. Go back to the list.`, writing: null, dates: [], sent: [] };
    }
    const dates = of === 'course-dates' ? await readCourseDates(db, actor, ids, today) : [];
    const sent = of === 'course-dates' ? await messagesTo(db, actor, ids) : [];
    const [date] = dates.length === 1 && chosen.list === '' ? dates : [];
    return {
      ...page,
      // From the page of a course date.
      ...(date && { back: { to: href('/staff/course-dates/:slug', { slug: date.slug }), text: date.title } }),
      line: `To the people of ${ids.length === 1 ? `1 ${words[0]}` : `${formatCount(ids.length)} ${words[1]}`}.`,
      writing: { groups, form: blankStaffForm(0, { [groups[0][0]]: 'on', purpose: 'service', body: ordinaryText }) },
      dates: dates.map(({ slug, title, startDate, endDate, where }) => ({
        slug,
        text: `${title}, ${shortDays(startDate, endDate)}, ${where}`,
      })),
      sent: sent.map(({ number, subject, made_at, taken_back_at, made_by }) => ({
        number: String(number),
        subject,
        more: `${formatMoment(made_at)}, by ${made_by ?? 'somebody who left'}${taken_back_at ? ', taken back' : ''}`,
      })),
    };
  });
}

export async function action({ context, request, params: { list }, url }: Route.ActionArgs) {
  const actor = staffFor(context, 'mail:send');
  const asked = { form: await readForm(request), actor, of: listIn(list), chosen: chosenRowsIn(url.searchParams) };
  const taken = await takeMessage(context.get(academyContext), asked);
  if (taken.ok === 'shown') {
    const { form, preview, told } = taken;
    return { form, stale: false, preview, told };
  }
  return answerForm(taken, ({ number }) =>
    number === null ? href('/staff/bulk-actions') : href('/staff/bulk-actions/:number', { number: String(number) }),
  );
}

export const clientAction = sendStaffFormAs<typeof action>;

export const meta = () => staffMeta('Write to several people');

/** The form for a message to the people of chosen rows (P80). */
export default function MessageToSeveral({ loaderData, actionData }: Route.ComponentProps) {
  const { back, to, line, writing, dates, sent } = loaderData;
  return (
    <>
      <Back to={back.to}>{back.text}</Back>
      <h1 className="mb-1 text-2xl">Write to several people</h1>
      {writing === null ? (
        <Words>{line}</Words>
      ) : (
        <>
          <p className="mb-4 max-w-prose">{line}</p>
          <Dates dates={dates} />
          <Compose
            to={to}
            groups={writing.groups}
            form={actionData?.form ?? writing.form}
            preview={actionData && 'preview' in actionData ? actionData.preview : null}
            told={actionData && 'told' in actionData ? actionData.told : ''}
          >
            {sent.length > 0 && (
              <Section title={dates.length === 1 ? 'Messages to this course date' : 'Messages to these course dates'}>
                <ul>
                  {sent.map(({ number, subject, more }) => (
                    <li key={number} className="border-b border-line py-1.5">
                      <TextLink to={href('/staff/bulk-actions/:number', { number })}>{subject}</TextLink>
                      <span className="block text-sm text-mute">{more}</span>
                    </li>
                  ))}
                </ul>
              </Section>
            )}
          </Compose>
        </>
      )}
    </>
  );
}

/** The chosen course dates. */
function Dates({ dates }: { dates: readonly { slug: string; text: string }[] }) {
  if (dates.length === 0) return null;
  return (
    <details className="mb-5 max-w-prose border-y border-line" open={dates.length <= 5}>
      <summary className="min-h-9 cursor-pointer py-1.5 font-semibold">
        {dates.length === 1 ? 'The course date' : 'The course dates'}
      </summary>
      <ul className="tabular pb-3 pl-4">
        {dates.map(({ slug, text }) => (
          <li key={slug}>
            <Link to={href('/staff/course-dates/:slug', { slug })} className="hover:underline">
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}
