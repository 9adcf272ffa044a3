import { data, href } from 'react-router';
import type { Asker } from '#app/features/inbox/answer-fields.ts';
import { mostCharacters, mostFiles } from '#app/features/inbox/email/email.ts';
import { ownWordsOf } from '#app/features/inbox/email/own-words.ts';
import { countOpenBefore, readConversation, readEmailForStaff } from '#app/features/inbox/email/read.server.ts';
import { detailRows, subjectOf } from '#app/features/inbox/enquiries/details.ts';
import { findEnquiryForStaff } from '#app/features/inbox/enquiries/inbox.server.ts';
import { type EnquiryState, kindLabels, stateLabels } from '#app/features/inbox/enquiries/inbox.ts';
import { holderText } from '#app/features/inbox/holds.server.ts';
import { templatesFor } from '#app/features/inbox/templates.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { readNotes } from '#app/features/people/notes.server.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { actOr503, unconfirmed, unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import type { Consent } from '#app/outbox/marketing.server.ts';
import { TextArea } from '#app/ui/form-fields.tsx';
import { ActForm, OnlyWith, SendButton } from '#app/ui/staff/act-form.tsx';
import { Notes } from '#app/ui/staff/notes.tsx';
import { RecordPage } from '#app/ui/staff/record-page.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { TakeBack } from '#app/ui/staff/take-back.tsx';
import { Facts, History, TextLink } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/enquiry';
import { takeEnquiryAct } from './enquiry-acts.server.ts';
import { Conversation, Message, type OtherMessage, type ShownEmail } from './enquiry-message.tsx';
import { staffMeta } from './frame/staff-meta.ts';
import { StatePill } from './frame/state-pill.tsx';
import { asksForTemplate, fillAnswer } from './inbox/fill-answer.server.ts';
import { TemplatePicker } from './inbox/template-picker.tsx';
import { mailsToTakeBack } from './mails-to-take-back.server.ts';
import { isNoteForm, shownNotes, takeNoteAct } from './note-acts.server.ts';

type Email = NonNullable<Awaited<ReturnType<typeof readEmailForStaff>>>;

/** An email as its page shows it: what its sender wrote, and apart from that what it repeats. `from` is its address. */
function shownEmail(email: Email, { message, from }: { message: string; from: string }) {
  const { own, repeated } = ownWordsOf(message);
  const answered = email.answers_recipient;
  const shown: ShownEmail = {
    subject: showControlCharacters(email.subject),
    repeated: showControlCharacters(repeated),
    automatic: email.automatic,
    // Who asks for answers at another address may be anybody who writes from the first.
    isProved: email.sender === null && answered?.toLowerCase() === from.toLowerCase(),
    // A cut may leave half a character out.
    isCut: message.length >= mostCharacters - 1 || email.files.length >= mostFiles,
    files: email.files.map(({ name, bytes }, at) => ({
      number: at + 1,
      name: showControlCharacters(name),
      size: sizeOf(bytes),
    })),
  };
  const facts = [
    ['Sent from', email.sender === null ? '' : `${email.sender}, which asks for answers to the address above`],
    ['Went to as well', email.copies.join(', ')],
    ['Answers', email.answers_subject === null ? '' : `our email “${email.answers_subject}” to ${answered}`],
  ].map(([label = '', text = '']) => [label, showControlCharacters(text)] as const);
  return { own, shown, facts, about: email.about ? [aboutOf(email.about)] : [] };
}

/** What an answer answers besides the message, as a sentence after others. */
const alsoAnswered = (before: number): string =>
  before === 0
    ? ''
    : ` It also answers ${before === 1 ? 'the open message' : `the ${before} open messages`} before this one.`;

/** Leads to all that we have of a person, for who may see it. */
const personLink = (actor: StaffActor, personId: number | null) =>
  personId !== null && actor.can.has('people:read')
    ? [{ label: 'Person', text: 'All we have of them', to: href('/staff/people/:id', { id: String(personId) }) }]
    : [];

const aboutOf = ({ kind, reference }: NonNullable<Email['about']>) =>
  kind === 'enrolment'
    ? { label: 'Enrolment', text: reference, to: href('/staff/enrolments/:reference', { reference }) }
    : { label: 'Booking', text: reference, to: href('/staff/bookings/:reference', { reference }) };

/**
 * The other messages of a conversation, each without what it repeats. Anybody who names an email of ours is in its
 * conversation, under any name: what came from another address than `from` has its address with it.
 */
const shownConversation = ({ messages }: Awaited<ReturnType<typeof readConversation>>, from: string): OtherMessage[] =>
  messages.map(({ reference, first_name, last_name, email, message, state, created_at, answers }) => ({
    reference,
    otherAddress: email.toLowerCase() === from.toLowerCase() ? null : showControlCharacters(email),
    by: showControlCharacters(`${first_name} ${last_name}`.trim()),
    at: formatMoment(created_at),
    message: showControlCharacters(ownWordsOf(message ?? '').own),
    state,
    answers: answers.map(({ id, by, body, created_at: at }) => ({
      id,
      by: by ?? '',
      at: formatMoment(at),
      body: showControlCharacters(body ?? ''),
    })),
  }));

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export async function loader({ context, params: { reference } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enquiries:read');
  const { db, clock, academy } = context.get(academyContext);
  const found = await unlessDatabaseAway(async () => {
    const enquiry = await findEnquiryForStaff(db, actor, reference);
    if (!enquiry) return null;
    const about = { kind: 'enquiry', id: enquiry.id } as const;
    return {
      enquiry,
      holder: enquiry.state === 'closed' ? null : await holderText(db, actor, about),
      email: await readEmailForStaff(db, actor, enquiry.id),
      others: await readConversation(db, actor, enquiry.id),
      before: await countOpenBefore(db, actor, enquiry.id),
      notes: await readNotes(db, about, actor, clock.now()),
      waiting: await mailsToTakeBack(db, actor, about, clock.now()),
      templates: actor.can.has(needs)
        ? await templatesFor(db, askerOf(enquiry), { actor, website: academy().url })
        : [],
    };
  });
  if (!found) throw notFound(reference);
  const { enquiry, holder, email, others, before, notes, waiting, templates } = found;
  const message = enquiry.message ?? '';
  const written = email && shownEmail(email, { message, from: enquiry.email });
  const lastAct = enquiry.acts.findLast(({ kind }) => kind !== 'note');
  const takenBack = lastAct?.kind === 'taken-back' ? lastAct.body : null;
  return {
    reference,
    holder,
    notes: shownNotes(notes),
    waiting,
    templates,
    kind: kindLabels[enquiry.kind],
    state: enquiry.state,
    sentAt: formatMoment(enquiry.created_at),
    corrects: enquiry.corrects,
    corrections: enquiry.corrections.map((later) => ({ ...later, created_at: formatMoment(later.created_at) })),
    sender: showControlCharacters(`${enquiry.first_name} ${enquiry.last_name}`.trim()),
    message: showControlCharacters(written?.own ?? message),
    written: written?.shown ?? null,
    links: [...personLink(actor, enquiry.person_id), ...(written?.about ?? [])],
    others: shownConversation(others, enquiry.email),
    more: { older: others.older, newer: others.newer },
    also: alsoAnswered(before),
    email: showControlCharacters(enquiry.email),
    facts: written
      ? written.facts
      : [
          ['Phone', enquiry.phone ?? 'not given'],
          ['Wants news about courses', newsText(enquiry.marketing_consent, enquiry.consent)],
          ...detailRows(enquiry.details as Record<string, unknown>),
        ].map(([label = '', text = '']) => [label, showControlCharacters(text)] as const),
    acts: enquiry.acts.map(({ id, kind, body, state, created_at, by }) => ({
      id,
      did: didWords[kind] ?? `set it to ${state ? stateLabels[state] : ''}`,
      body: showControlCharacters(body ?? ''),
      at: formatMoment(created_at),
      by,
    })),
    form: blankStaffForm(lastAct?.id ?? 0, { answer: takenBack }),
  };
}

const notFound = (reference: string) =>
  data(`No enquiry has the reference ${reference}. It may have been deleted.`, { status: 404 });

const didWords: Record<string, string> = {
  answer: 'answered by email',
  note: 'noted',
  'taken-back': 'took this answer back before it went out',
};

type Enquiry = NonNullable<Awaited<ReturnType<typeof findEnquiryForStaff>>>;

/** An email without a name has the beginning of its address instead: nobody is called that. */
const askerOf = ({ kind, first_name, email, details }: Enquiry): Asker => ({
  name: kind === 'email' && email.startsWith(`${first_name}@`) ? null : first_name,
  course: subjectOf(details as Record<string, unknown>),
});

/** The consent at the time of sending, and the present consent of the address. */
function newsText(ticked: boolean, consent: Consent): string {
  const then = ticked ? 'Yes' : 'No';
  if (consent.state === 'withdrawn') return `${then}. Withdrawn on ${formatMoment(consent.at)}: gets no news.`;
  if (consent.state === 'agreed') return `${then}. Agreed on ${formatMoment(consent.at)}: may get news.`;
  return ticked ? `${then}, but we no longer have the consent: gets no news.` : then;
}

export async function action({ context, request, params: { reference } }: Route.ActionArgs) {
  const actor = staffFor(context, 'enquiries:answer');
  const form = await readForm(request);
  const academy = context.get(academyContext);
  if (asksForTemplate(form)) {
    const enquiry = await actOr503(unconfirmed, () => findEnquiryForStaff(academy.db, actor, reference));
    if (!enquiry) throw notFound(reference);
    return fillAnswer(academy, { form, actor, asker: askerOf(enquiry) });
  }
  const result = isNoteForm(form)
    ? await takeNoteAct(academy, { form, subject: `enquiry:${reference}`, actor })
    : await takeEnquiryAct(academy, { form, reference, actor });
  return answerForm(result, href('/staff/enquiries/:reference', { reference }));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ params }) => staffMeta(params.reference ?? 'Enquiry');

const labels = { answer: 'Your answer', note: 'Note', template: 'Template' };

/** The props of all forms of the page. */
const needs = 'enquiries:answer';

export default function Enquiry({ loaderData, actionData }: Route.ComponentProps) {
  const form = actionData?.form ?? loaderData.form;
  const { sender, reference, kind, sentAt, state, email, facts, acts, notes, waiting, templates } = loaderData;
  const { links, holder, written, others, more, also } = loaderData;
  return (
    <RecordPage
      back={{ to: href('/staff/enquiries'), text: 'Inbox' }}
      title={sender}
      pill={<StatePill state={state} />}
      line={
        <>
          {kind} <span className="tabular">{reference}</span>, {sentAt}
          {holder && `. ${holder}`}
        </>
      }
      form={form}
      labels={labels}
      needs={needs}
      what="answer this"
      first={<TakeBack mails={waiting} form={form} needs={needs} />}
      about="About this enquiry"
      aside={
        <>
          <Facts facts={[['Email', email], ...facts, ...linkRows(links)]} tabular={false} />
          <ActForm act="state" form={form} needs={needs} className="flex flex-wrap gap-3">
            {steps[state].map(({ to, text }) => (
              <SendButton key={to} name="state" value={to} look={to === 'closed' ? 'danger' : 'quiet'}>
                {text}
              </SendButton>
            ))}
          </ActForm>
          <OnlyWith permission="companies:change">
            <p>
              <TextLink to={`${href('/staff/offers/new')}?enquiry=${reference}`}>Make a quote</TextLink>
            </p>
          </OnlyWith>
          <Notes key={notes.length} notes={notes} form={form} />
        </>
      }
    >
      {others.length > 0 && <Conversation messages={others} more={more} />}
      <Message {...loaderData} email={written} />
      <History entries={acts} />
      <div className="grid gap-3">
        <TemplatePicker templates={templates} form={form} />
        {/* After an act is stored the forms are new ones: empty, or with what was taken back. */}
        <ActForm
          key={`answer ${loaderData.form.values.seen}`}
          act="answer"
          form={form}
          needs={needs}
          stays={false}
          submit="Send answer"
          look="primary"
        >
          <TextArea
            form={form}
            name="answer"
            label={labels.answer}
            hint={`Sent by email to ${email}.${also}`}
            required
          />
        </ActForm>
      </div>
    </RecordPage>
  );
}

const steps: Record<EnquiryState, { to: EnquiryState; text: string }[]> = {
  new: [
    { to: 'answered', text: 'Answered by other means' },
    { to: 'closed', text: 'Close without an answer' },
  ],
  answered: [
    { to: 'closed', text: 'Close' },
    { to: 'new', text: 'Mark as new' },
  ],
  closed: [{ to: 'new', text: 'Open again' }],
};

type Links = Route.ComponentProps['loaderData']['links'];

/** Where else staff find what belongs to it. */
const linkRows = (links: Links) =>
  links.map(
    ({ label, text, to }) =>
      [
        label,
        <TextLink key={to} to={to}>
          {text}
        </TextLink>,
      ] as const,
  );
