import { useEffect, useEffectEvent, useState } from 'react';
import { data, Form, href, Link, useNavigation, useOutletContext } from 'react-router';
import type { Act } from '#app/features/conversations/act.server.ts';
import { EnterSends } from '#app/features/conversations/enter-sends.tsx';
import { MessageLog } from '#app/features/conversations/message-log.tsx';
import { readForStaff } from '#app/features/conversations/queries.server.ts';
import { sendOnEnter } from '#app/features/conversations/send-on-enter.ts';
import { useEmptiedOnceStored } from '#app/features/conversations/use-emptied.ts';
import { useFreshData } from '#app/features/conversations/use-live.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { button } from '#app/ui/button.ts';
import { TextArea } from '#app/ui/form-fields.tsx';
import { type FormState, tokenField } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/conversation';
import { blankStaffForm } from './act.server.ts';
import { takeConversationAct } from './conversation-acts.server.ts';
import { staffMeta } from './frame/staff-meta.ts';
import { StatePill } from './frame/state-pill.tsx';
import type { LiveCount } from './layout.tsx';

/** The id an address names; zero, which no conversation has, when it is none. */
const idOf = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'conversations:read');
  const { db, clock } = context.get(academyContext);
  const conversation = await orAway(() => readForStaff(db, actor, idOf(id), clock.now()));
  if (!conversation) throw data('There is no such chat. It may have been erased.', { status: 404 });
  return { id, conversation, form: blankStaffForm(conversation.seen) };
}

export async function action({ context, request, params: { id } }: Route.ActionArgs) {
  const actor = staffFor(context, 'conversations:answer');
  const form = await readForm(request);
  const result = await takeConversationAct(context.get(academyContext), { form, conversationId: idOf(id), actor });
  return answerForm(result, href('/staff/conversations/:id', { id }));
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = ({ params }) => staffMeta(`Chat ${params.id}`);

const labels = { answer: 'Your answer', note: 'A note for staff' };

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
  return (
    <>
      <p className="mb-3 text-sm">
        <Link to={href('/staff/conversations')} className="font-bold text-link underline underline-offset-4">
          Chats
        </Link>
      </p>
      <div className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="min-w-0 text-2xl wrap-anywhere">{name}</h1>
        <StatePill state={state} />
        <p className="text-mute">Started {startedAt}</p>
      </div>
      <ErrorSummary form={form} labels={labels} formId={form.values.act === 'note' ? 'note-form' : 'answer-form'} />
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-6">
          <MessageLog messages={messages} mine="answer" visitor={name} />
          <AnswerForm form={form} seen={seen} refused={refused !== null} />
        </div>
        <aside aria-label="About this chat" className="grid gap-8">
          <Facts conversation={conversation} />
          <Form method="post" preventScrollReset className="flex flex-wrap gap-3">
            <ActFields form={form} seen={seen} act={state === 'closed' ? 'opened' : 'closed'} />
            <button type="submit" className={button.quiet}>
              {state === 'closed' ? 'Open again' : 'Close'}
            </button>
          </Form>
          <NoteForm form={form} seen={seen} refused={refused !== null} />
        </aside>
      </div>
    </>
  );
}

function Facts({ conversation }: { conversation: Loaded['conversation'] }) {
  const { email, about, visitorHere, visitorAt, answerRead, toldAt } = conversation;
  const facts = [
    ['E-mail', email ?? 'Not given: the visitor cannot be told of an answer.'],
    ['About', about],
    ['Visitor', visitorHere ? 'Has the page open now' : `Was last there on ${visitorAt}`],
    ['Last answer', answerRead ? 'Was shown to the visitor' : null],
    ['Told by e-mail', toldAt],
  ] as const;
  return (
    <dl className="grid gap-2 rounded-control border border-line bg-card p-4 text-sm">
      {facts.map(
        ([label, text]) =>
          text && (
            <div key={label}>
              <dt className="text-mute">{label}</dt>
              <dd className="font-semibold wrap-anywhere">{text}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** What each of the forms carries: which it is, the key under which it is stored once, and what the page showed. */
function ActFields({ form, seen, act }: { form: FormState; seen: string; act: Act['kind'] }) {
  return (
    <>
      <input type="hidden" name="act" value={act} />
      <input type="hidden" name={tokenField} value={form.token} />
      <input type="hidden" name="seen" value={seen} />
    </>
  );
}

type FormProps = { form: FormState; seen: string; refused: boolean };

function AnswerForm({ form, seen, refused }: FormProps) {
  const sending = useNavigation().state === 'submitting';
  const formRef = useEmptiedOnceStored('answer', refused);
  // What stood on the page when the answer was begun: an answer of a colleague that came since is not to be overlooked.
  const [begun, setBegun] = useState<{ of: FormState; seen: string } | null>(null);
  const begunAt = begun?.of === form ? begun.seen : seen;
  return (
    <Form
      id="answer-form"
      ref={formRef}
      method="post"
      noValidate
      preventScrollReset
      className="grid gap-3"
      onKeyDown={sendOnEnter}
      onInput={({ target }) => {
        const isEmpty = target instanceof HTMLTextAreaElement && target.value === '';
        setBegun(isEmpty ? null : { of: form, seen: begunAt });
      }}
    >
      <ActFields form={form} seen={begunAt} act="answer" />
      {begunAt !== seen && (
        <p role="status" className="font-semibold text-fault">
          A colleague was faster: read what stands above before you send.
        </p>
      )}
      <TextArea form={form} name="answer" label={labels.answer} required />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <button type="submit" disabled={sending} className={button.primary}>
          Send answer
        </button>
        <EnterSends />
      </div>
    </Form>
  );
}

function NoteForm({ form, seen, refused }: FormProps) {
  const sending = useNavigation().state === 'submitting';
  const formRef = useEmptiedOnceStored('note', refused);
  return (
    <Form id="note-form" ref={formRef} method="post" noValidate preventScrollReset className="grid gap-3">
      <ActFields form={form} seen={seen} act="note" />
      <TextArea form={form} name="note" label={labels.note} hint="Never shown to the visitor." required />
      <div>
        <button type="submit" disabled={sending} className={button.quiet}>
          Keep note
        </button>
      </div>
    </Form>
  );
}
