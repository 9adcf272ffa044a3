import { data, href } from 'react-router';
import { detailRows } from '#app/features/enquiries/details.ts';
import { findEnquiryForStaff } from '#app/features/enquiries/inbox.server.ts';
import { type EnquiryState, kindLabels, stateLabels } from '#app/features/enquiries/inbox.ts';
import type { EnquiryKind } from '#app/features/enquiries/schema.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import type { Consent } from '#app/outbox/marketing.server.ts';
import { TextArea } from '#app/ui/form-fields.tsx';
import { ActForm, SendButton } from '#app/ui/staff/act-form.tsx';
import { DetailPage } from '#app/ui/staff/detail.tsx';
import { Facts, History, Panel, TextLink } from '#app/ui/staff/parts.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/enquiry';
import { blankStaffForm } from './act.server.ts';
import { takeEnquiryAct } from './enquiry-acts.server.ts';
import { staffMeta } from './frame/staff-meta.ts';
import { StatePill } from './frame/state-pill.tsx';

export async function loader({ context, params: { reference } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enquiries:read');
  const enquiry = await orAway(() => findEnquiryForStaff(context.get(academyContext).db, actor, reference));
  if (!enquiry) throw data(`No enquiry has the reference ${reference}. It may have been deleted.`, { status: 404 });
  const lastAct = enquiry.acts.findLast(({ kind }) => kind !== 'note');
  return {
    reference,
    kind: kindLabels[enquiry.kind as EnquiryKind],
    state: enquiry.state,
    sentAt: formatMoment(enquiry.created_at),
    corrects: enquiry.corrects,
    corrections: enquiry.corrections.map((later) => ({ ...later, created_at: formatMoment(later.created_at) })),
    sender: showControlCharacters(`${enquiry.first_name} ${enquiry.last_name}`),
    message: showControlCharacters(enquiry.message ?? ''),
    email: showControlCharacters(enquiry.email),
    facts: [
      ['Phone', enquiry.phone ?? 'not given'],
      ['Wants news about courses', newsText(enquiry.marketing_consent, enquiry.consent)],
      ...detailRows(enquiry.details as Record<string, unknown>),
    ].map(([label = '', text = '']) => [label, showControlCharacters(text)] as const),
    acts: enquiry.acts.map(({ id, kind, body, state, created_at, by }) => ({
      id,
      did: kind === 'answer' ? 'answered by email' : kind === 'note' ? 'noted' : `set it to ${labelOf(state)}`,
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
  return ticked ? `${then}, but we no longer have the consent: gets no news.` : then;
}

const labelOf = (state: string | null) => (state ? stateLabels[state as EnquiryState] : '');

export async function action({ context, request, params: { reference } }: Route.ActionArgs) {
  const actor = staffFor(context, 'enquiries:answer');
  const result = await takeEnquiryAct(context.get(academyContext), { form: await readForm(request), reference, actor });
  return answerForm(result, href('/staff/enquiries/:reference', { reference }));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ params }) => staffMeta(params.reference ?? 'Enquiry');

const labels = { answer: 'Your answer', note: 'A note for staff' };

/** What all forms of the page take. */
const needs = 'enquiries:answer';

export default function Enquiry({ loaderData, actionData }: Route.ComponentProps) {
  const form = actionData?.form ?? loaderData.form;
  const { sender, reference, kind, sentAt, state, email, facts, acts } = loaderData;
  return (
    <DetailPage
      back={{ to: href('/staff/enquiries'), text: 'Inbox' }}
      title={sender}
      pill={<StatePill state={state} />}
      line={
        <>
          {kind} <span className="tabular">{reference}</span>, {sentAt}
        </>
      }
      form={form}
      labels={labels}
      needs={needs}
      what="answer this"
      about="About this enquiry"
      aside={
        <>
          <Facts facts={[['Email', email], ...facts]} tabular={false} />
          <ActForm act="state" form={form} needs={needs} className="flex flex-wrap gap-3">
            {steps[state].map(({ to, text }) => (
              <SendButton key={to} name="state" value={to}>
                {text}
              </SendButton>
            ))}
          </ActForm>
          <ActForm key={`note ${acts.length}`} act="note" form={form} needs={needs} submit="Keep note">
            <TextArea form={form} name="note" label={labels.note} hint="Never sent to the person." required />
          </ActForm>
        </>
      }
    >
      <Message enquiry={loaderData} />
      <History title="History" entries={acts} />
      {/* After an act is stored the forms are new ones, and empty. */}
      <ActForm
        key={`answer ${loaderData.form.values.seen}`}
        act="answer"
        form={form}
        needs={needs}
        stays={false}
        submit="Send answer"
        look="primary"
      >
        <TextArea form={form} name="answer" label={labels.answer} hint={`Sent by email to ${email}.`} required />
      </ActForm>
    </DetailPage>
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

type Data = Route.ComponentProps['loaderData'];

function Message({ enquiry: { message, corrects, corrections } }: { enquiry: Data }) {
  return (
    <Panel title="What was sent">
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
        {message === '' ? <span className="text-mute">No message.</span> : message}
      </p>
    </Panel>
  );
}

function EnquiryLink({ reference }: { reference: string }) {
  return (
    <span className="tabular">
      <TextLink to={href('/staff/enquiries/:reference', { reference })}>{reference}</TextLink>
    </span>
  );
}
