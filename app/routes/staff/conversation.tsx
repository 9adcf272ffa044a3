import { useEffect, useEffectEvent, useState } from 'react';
import { data, href, useOutletContext } from 'react-router';
import { type Act, actOnConversation } from '#app/features/inbox/conversations/act.server.ts';
import { EnterSends } from '#app/features/inbox/conversations/enter-sends.tsx';
import { MessageLog } from '#app/features/inbox/conversations/message-log.tsx';
import { readForStaff } from '#app/features/inbox/conversations/queries.server.ts';
import { type ActValues, actForm } from '#app/features/inbox/conversations/schema.ts';
import { sendOnEnter } from '#app/features/inbox/conversations/send-on-enter.ts';
import { useEmptiedOnceStored } from '#app/features/inbox/conversations/use-emptied.ts';
import { useFreshData } from '#app/features/inbox/conversations/use-live.ts';
import { holderText, holdIfNobody } from '#app/features/inbox/holds.server.ts';
import { templatesFor } from '#app/features/inbox/templates.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { readNotes } from '#app/features/people/notes.server.ts';
import { blankStaffForm, type StaffFormResult, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { type Academy, academyContext } from '#app/http/academy.server.ts';
import { actOr503, unconfirmed, unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { TextArea } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ActForm } from '#app/ui/staff/act-form.tsx';
import { Notes } from '#app/ui/staff/notes.tsx';
import { RecordPage } from '#app/ui/staff/record-page.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Facts } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/conversation';
import { staffMeta } from './frame/staff-meta.ts';
import { StatePill } from './frame/state-pill.tsx';
import { asksForTemplate, fillAnswer } from './inbox/fill-answer.server.ts';
import { TemplatePicker } from './inbox/template-picker.tsx';
import type { LiveCount } from './layout.tsx';
import { isNoteForm, shownNotes, takeNoteAct } from './note-acts.server.ts';

/** Takes the forms on a conversation's page for staff. */
function takeConversationAct(
  academy: Academy,
  { form, conversationId, actor }: { form: FormData | null; conversationId: number; actor: StaffActor },
): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: actForm,
    subject: `conversation:${conversationId}`,
    actor,
    compares: false,
    async act(trx, values, { now }, { seen }) {
      const result = await actOnConversation(trx, actOf(values), { conversationId, actor, at: now, seen });
      if (result.ok && values.act === 'answer') {
        await holdIfNobody(trx, { kind: 'conversation', id: conversationId }, { actor, now });
      }
      if (result.ok) return { ok: true, did: null };
      if (result.reason === 'missing') return result;
      return { ...result, did: didWords[result.kind] ?? 'changed this', where: 'the messages' };
    },
  });
}

const didWords: Record<string, string> = { answer: 'answered', closed: 'closed this', opened: 'opened this again' };

function actOf(values: ActValues): Act {
  return values.act === 'answer' ? { kind: 'answer', body: values.answer } : { kind: values.act };
}

/** The id an address names; zero, which no conversation has, when it is none. */
const idOf = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'conversations:read');
  const { db, clock, academy } = context.get(academyContext);
  const found = await unlessDatabaseAway(async () => {
    const conversation = await readForStaff(db, actor, idOf(id), clock.now());
    if (!conversation) return null;
    const about = { kind: 'conversation', id: idOf(id) } as const;
    const asker = { name: conversation.givenName, course: conversation.about };
    return {
      conversation,
      holder: await holderText(db, actor, about),
      notes: await readNotes(db, about, actor, clock.now()),
      templates: actor.can.has(needs) ? await templatesFor(db, asker, { actor, website: academy().url }) : [],
    };
  });
  if (!found) throw notFound();
  const { conversation, holder, notes, templates } = found;
  return { id, conversation, holder, notes: shownNotes(notes), templates, form: blankStaffForm(conversation.seen) };
}

const notFound = () => data('There is no such chat. It may have been deleted.', { status: 404 });

export async function action({ context, request, params: { id } }: Route.ActionArgs) {
  const actor = staffFor(context, 'conversations:answer');
  const form = await readForm(request);
  const academy = context.get(academyContext);
  const conversationId = idOf(id);
  if (asksForTemplate(form)) {
    const chat = await actOr503(unconfirmed, () =>
      readForStaff(academy.db, actor, conversationId, academy.clock.now()),
    );
    if (!chat) throw notFound();
    return fillAnswer(academy, { form, actor, asker: { name: chat.givenName, course: chat.about } });
  }
  const subject = `conversation:${conversationId}` as const;
  const result = isNoteForm(form)
    ? await takeNoteAct(academy, { form, subject, actor })
    : await takeConversationAct(academy, { form, conversationId, actor });
  return answerForm(result, href('/staff/conversations/:id', { id }));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ params }) => staffMeta(`Chat ${params.id}`);

const labels = { answer: 'Your answer', note: 'Note', template: 'Template' };

export default function Conversation({ loaderData, actionData }: Route.ComponentProps) {
  return <LiveConversation key={loaderData.id} loaded={loaderData} refused={actionData?.form ?? null} />;
}

type Loaded = Route.ComponentProps['loaderData'];

function LiveConversation({ loaded, refused }: { loaded: Loaded; refused: FormState | null }) {
  const address = `${href('/staff/live')}?${new URLSearchParams({ conversation: loaded.id })}`;
  const { data: conversation, read } = useFreshData(loaded.conversation, address);
  const { reads } = useOutletContext<LiveCount>();
  const onHeard = useEffectEvent(read);
  useEffect(() => {
    if (reads > 0) onHeard();
  }, [reads]);
  const form = refused ?? loaded.form;
  const { name, state, startedAt, messages } = conversation;
  const seen = String(Math.max(conversation.seen, Number(refused?.values.seen ?? 0)));
  // The stream updates the last act that the page has shown.
  const shown = { ...form, values: { ...form.values, seen } };
  return (
    <RecordPage
      back={{ to: href('/staff/conversations'), text: 'Chats' }}
      title={name}
      pill={<StatePill state={state} />}
      line={`Started ${startedAt}${state !== 'closed' && loaded.holder ? `. ${loaded.holder}` : ''}`}
      form={form}
      labels={labels}
      needs={needs}
      what="answer this"
      about="About this chat"
      aside={
        <>
          <Facts facts={factsOf(conversation)} tabular={false} />
          <ActForm
            act={state === 'closed' ? 'opened' : 'closed'}
            form={shown}
            needs={needs}
            look={state === 'closed' ? 'quiet' : 'danger'}
            submit={state === 'closed' ? 'Open again' : 'Close'}
          />
          <Notes key={loaded.notes.length} notes={loaded.notes} form={shown} />
        </>
      }
    >
      <div className="grid min-w-0 gap-6">
        <MessageLog messages={messages} mine="answer" visitor={name} />
        <div className="grid gap-3">
          <TemplatePicker templates={loaded.templates} form={form} />
          <AnswerForm of={form} form={shown} refused={refused !== null} />
        </div>
      </div>
    </RecordPage>
  );
}

/** The props of all forms of the page. */
const needs = 'conversations:answer';

const factsOf = ({ email, about, visitorHere, visitorAt, answerRead, toldAt }: Loaded['conversation']) =>
  [
    ['Email', email ?? 'Not given: we cannot tell the visitor about an answer.'],
    ['About', about],
    ['Visitor', visitorHere ? 'Has the page open now' : `Last seen on ${visitorAt}`],
    ['Last answer', answerRead ? 'Was shown to the visitor' : null],
    ['Told by email', toldAt],
  ] as const;

type FormProps = { form: FormState; refused: boolean };

function AnswerForm({ of, form, refused }: FormProps & { of: FormState }) {
  const formRef = useEmptiedOnceStored('answer', refused);
  // The last act on the page when the answer was begun, so that a colleague's answer since then is not overlooked.
  const [begun, setBegun] = useState<{ of: FormState; seen: string } | null>(null);
  const seen = form.values.seen ?? '';
  const begunAt = begun?.of === of ? begun.seen : seen;
  return (
    <ActForm
      act="answer"
      ref={formRef}
      form={{ ...form, values: { ...form.values, seen: begunAt } }}
      needs={needs}
      onKeyDown={sendOnEnter}
      onInput={({ target }) => {
        const isEmpty = target instanceof HTMLTextAreaElement && target.value === '';
        setBegun(isEmpty ? null : { of, seen: begunAt });
      }}
      submit="Send answer"
      look="primary"
    >
      {begunAt !== seen && (
        <p role="status" className="font-semibold text-fault">
          A colleague has answered. Read the messages above before you send.
        </p>
      )}
      <TextArea form={form} name="answer" label={labels.answer} required />
      <EnterSends />
    </ActForm>
  );
}
