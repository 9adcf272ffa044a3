import { data, Form, href, Link, useNavigation } from 'react-router';
import type { Act } from '#app/features/enquiries/act.server.ts';
import { detailRows } from '#app/features/enquiries/details.ts';
import { findEnquiryForStaff } from '#app/features/enquiries/inbox.server.ts';
import { type EnquiryState, kindLabels, stateLabels } from '#app/features/enquiries/inbox.ts';
import type { EnquiryKind } from '#app/features/enquiries/schema.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatMoment } from '#app/lib/dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import type { Consent } from '#app/outbox/marketing.server.ts';
import { button } from '#app/ui/button.ts';
import { TextArea } from '#app/ui/form-fields.tsx';
import { type FormState, tokenField } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/enquiry';
import { blankStaffForm } from './act.server.ts';
import { takeEnquiryAct } from './enquiry-acts.server.ts';
import { staffMeta } from './frame/staff-meta.ts';
import { StatePill } from './frame/state-pill.tsx';

export async function loader({ context, params: { reference } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enquiries:read');
  const enquiry = await orAway(() => findEnquiryForStaff(context.get(academyContext).db, actor, reference));
  if (!enquiry) throw data(`No enquiry has the reference ${reference}. It may have been erased.`, { status: 404 });
  const lastAct = enquiry.acts.findLast(({ kind }) => kind !== 'note');
  return {
    reference,
    kind: kindLabels[enquiry.kind as EnquiryKind],
    state: enquiry.state,
    sentAt: formatMoment(enquiry.created_at),
    corrects: enquiry.corrects,
    corrections: enquiry.corrections.map((later) => ({ ...later, created_at: formatMoment(later.created_at) })),
    sender: showControlCharacters(`${enquiry.first_name} ${enquiry.last_name}`),
    email: showControlCharacters(enquiry.email),
    message: showControlCharacters(enquiry.message ?? ''),
    facts: [
      { label: 'Telephone', text: showControlCharacters(enquiry.phone ?? 'not given') },
      { label: 'Wants news of courses', text: newsText(enquiry.marketing_consent, enquiry.consent) },
      ...detailRows(enquiry.details as Record<string, unknown>).map(([label, text]) => ({
        label,
        text: showControlCharacters(text),
      })),
    ],
    acts: enquiry.acts.map(({ id, kind, body, state, created_at, by }) => ({
      id,
      what: kind === 'answer' ? 'answered by e-mail' : kind === 'note' ? 'noted' : `set it to ${labelOf(state)}`,
      body: showControlCharacters(body ?? ''),
      at: formatMoment(created_at),
      by,
    })),
    form: blankStaffForm(lastAct?.id ?? 0),
  };
}

/** What the box said when this was sent, and what the address wants now. */
function newsText(ticked: boolean, consent: Consent): string {
  const then = ticked ? 'Yes' : 'No';
  if (consent.state === 'withdrawn') return `${then}. Withdrawn on ${formatMoment(consent.at)}: gets no news.`;
  if (consent.state === 'agreed') return `${then}. Agreed on ${formatMoment(consent.at)}: may get news.`;
  return ticked ? `${then}, but no consent is kept any more: gets no news.` : then;
}

const labelOf = (state: string | null) => (state ? stateLabels[state as EnquiryState] : '');

export async function action({ context, request, params: { reference } }: Route.ActionArgs) {
  const actor = staffFor(context, 'enquiries:answer');
  const result = await takeEnquiryAct(context.get(academyContext), { form: await readForm(request), reference, actor });
  return answerForm(result, href('/staff/enquiries/:reference', { reference }));
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = ({ params }) => staffMeta(params.reference ?? 'Enquiry');

const labels = { answer: 'Your answer', note: 'A note for staff' };

export default function Enquiry({ loaderData, actionData }: Route.ComponentProps) {
  const form = actionData?.form ?? loaderData.form;
  const { sender, reference, kind, sentAt, state } = loaderData;
  const formId = form.values.act === 'note' ? 'note-form' : 'answer-form';
  return (
    <>
      <p className="mb-3 text-sm">
        <Link to={href('/staff/enquiries')} className="font-bold text-link underline underline-offset-4">
          Inbox
        </Link>
      </p>
      <div className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="min-w-0 text-2xl">{sender}</h1>
        <StatePill state={state} />
        <p className="text-mute">
          {kind} <span className="tabular">{reference}</span>, {sentAt}
        </p>
      </div>
      <ErrorSummary form={form} labels={labels} formId={formId} />
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-8">
          <Message enquiry={loaderData} />
          <History acts={loaderData.acts} />
          {/* After an act is stored the forms are new ones, and empty. */}
          <AnswerForm key={`answer ${loaderData.form.values.seen}`} form={form} email={loaderData.email} />
        </div>
        <aside aria-label="About this enquiry" className="grid gap-8">
          <Facts enquiry={loaderData} />
          <StateForm form={form} state={state} />
          <NoteForm key={`note ${loaderData.acts.length}`} form={form} />
        </aside>
      </div>
    </>
  );
}

type Data = Route.ComponentProps['loaderData'];

function Message({ enquiry: { message, corrects, corrections } }: { enquiry: Data }) {
  return (
    <section aria-labelledby="message-title">
      <h2 id="message-title" className="mb-2 text-lg">
        What was sent
      </h2>
      {corrects && (
        <p className="mb-2 text-sm">
          This corrects <EnquiryLink reference={corrects} />.
        </p>
      )}
      {corrections.map((later) => (
        <p key={later.reference} className="mb-2 text-sm">
          Corrected by <EnquiryLink reference={later.reference} /> on {later.created_at}.
        </p>
      ))}
      <p className="whitespace-pre-wrap break-words rounded-control border border-line bg-card p-4">
        {message === '' ? <span className="text-mute">No message was written.</span> : message}
      </p>
    </section>
  );
}

function EnquiryLink({ reference }: { reference: string }) {
  return (
    <Link
      to={href('/staff/enquiries/:reference', { reference })}
      className="tabular font-bold text-link underline underline-offset-4"
    >
      {reference}
    </Link>
  );
}

function Facts({ enquiry: { email, facts } }: { enquiry: Data }) {
  return (
    <dl className="grid gap-2 rounded-control border border-line bg-card p-4 text-sm">
      {[{ label: 'E-mail', text: email }, ...facts].map(({ label, text }) => (
        <div key={label}>
          <dt className="text-mute">{label}</dt>
          <dd className="break-words font-semibold">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function History({ acts }: { acts: Data['acts'] }) {
  return (
    <section aria-labelledby="history-title">
      <h2 id="history-title" className="mb-2 text-lg">
        What happened
      </h2>
      {acts.length === 0 && <p className="text-mute">Nothing yet.</p>}
      <ol className="grid gap-3">
        {acts.map((act) => (
          <li key={act.id} className="border-l-3 border-edge pl-4">
            <p className="text-sm">
              <b>{act.by}</b> {act.what} <span className="tabular text-mute">{act.at}</span>
            </p>
            {act.body && <p className="mt-1 whitespace-pre-wrap break-words">{act.body}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What each of the forms carries: which it is, the key under which it is stored once, and what the page showed. */
function ActFields({ form, act }: { form: FormState; act: Act['kind'] }) {
  return (
    <>
      <input type="hidden" name="act" value={act} />
      <input type="hidden" name={tokenField} value={form.token} />
      <input type="hidden" name="seen" value={form.values.seen} />
    </>
  );
}

function AnswerForm({ form, email }: { form: FormState; email: string }) {
  const sending = useNavigation().state === 'submitting';
  return (
    <Form id="answer-form" method="post" noValidate className="grid gap-3">
      <ActFields form={form} act="answer" />
      <TextArea form={form} name="answer" label={labels.answer} hint={`Sent by e-mail to ${email}.`} required />
      <div>
        <button type="submit" disabled={sending} className={button.primary}>
          Send answer
        </button>
      </div>
    </Form>
  );
}

function NoteForm({ form }: { form: FormState }) {
  const sending = useNavigation().state === 'submitting';
  return (
    <Form id="note-form" method="post" noValidate preventScrollReset className="grid gap-3">
      <ActFields form={form} act="note" />
      <TextArea form={form} name="note" label={labels.note} hint="Never sent to the person." required />
      <div>
        <button type="submit" disabled={sending} className={button.quiet}>
          Keep note
        </button>
      </div>
    </Form>
  );
}

const steps: Record<EnquiryState, { to: EnquiryState; text: string }[]> = {
  new: [
    { to: 'answered', text: 'Answered by other means' },
    { to: 'closed', text: 'Close without an answer' },
  ],
  answered: [
    { to: 'closed', text: 'Close' },
    { to: 'new', text: 'Set to New' },
  ],
  closed: [{ to: 'new', text: 'Open again' }],
};

function StateForm({ form, state }: { form: FormState; state: EnquiryState }) {
  const sending = useNavigation().state === 'submitting';
  return (
    <Form method="post" preventScrollReset className="flex flex-wrap gap-3">
      <ActFields form={form} act="state" />
      {steps[state].map(({ to, text }) => (
        <button key={to} type="submit" name="state" value={to} disabled={sending} className={button.quiet}>
          {text}
        </button>
      ))}
    </Form>
  );
}
