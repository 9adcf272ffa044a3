import { data, Form, href, Link, useNavigation } from 'react-router';
import { EnterSends } from '#app/features/inbox/conversations/enter-sends.tsx';
import { MessageLog } from '#app/features/inbox/conversations/message-log.tsx';
import { sendOnEnter } from '#app/features/inbox/conversations/send-on-enter.ts';
import { freshMessage, submitMessage } from '#app/features/inbox/conversations/submit.server.ts';
import { useEmptiedOnceStored } from '#app/features/inbox/conversations/use-emptied.ts';
import { useFreshData, useLive } from '#app/features/inbox/conversations/use-live.ts';
import { readVisitorPage, type VisitorPage } from '#app/features/inbox/conversations/visitor-page.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { readOrInstead } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { CheckoutHead } from '#app/routes/enrol/checkout-head.tsx';
import { DeadLink } from '#app/routes/links/dead-link.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { TextArea } from '#app/ui/form-fields.tsx';
import { type FormState, tokenField } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/conversation';

/** The conversation of a private link. */
export async function loader({ context, params: { token } }: Route.LoaderArgs) {
  const academy = context.get(academyContext);
  const { holidays } = context.get(snapshotContext).current().bookings;
  return readOrInstead('database away' as const, async () => {
    const chat = await readVisitorPage(academy, token, holidays);
    return chat ? { chat, token, form: freshMessage() } : data(null, { status: 404 });
  });
}

export async function action({ context, request, params: { token } }: Route.ActionArgs) {
  const result = await submitMessage(context.get(academyContext).forms, { form: await readForm(request), token });
  return answerForm(result, href('/chat/:token', { token }));
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export function headers() {
  return { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Your chat', 'Your conversation with our staff. Keep the address of this page private.', noPage);

export default function Conversation({ loaderData, actionData }: Route.ComponentProps) {
  if (loaderData === 'database away') {
    return (
      <PageHead
        title="We cannot look this up right now"
        lead="Our system is not available. Your conversation is saved and is not lost. Please reload this page in a few minutes."
      />
    );
  }
  if (!loaderData) return <DeadLink />;
  const { chat, token, form } = loaderData;
  return <OpenChat key={token} loaded={chat} token={token} form={actionData?.form ?? form} refused={!!actionData} />;
}

const formId = 'message-form';

function OpenChat({
  loaded,
  token,
  form,
  refused,
}: {
  loaded: VisitorPage;
  token: string;
  form: FormState;
  refused: boolean;
}) {
  const address = href('/chat/:token/live', { token });
  const { data: chat, read } = useFreshData(loaded, address);
  useLive(address, read);
  // Until the answer is shown the form has the key of the message before, under which a second one is not taken.
  const sending = useNavigation().formMethod === 'POST';
  const formRef = useEmptiedOnceStored('message', refused);
  return (
    <>
      <CheckoutHead
        title="Live Chat Support"
        lead="Anyone with this page’s address can read the conversation, so keep it private."
      />
      <div className="page grid items-start gap-x-14 gap-y-8 pt-2 pb-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-5">
          <p role="status" className="font-semibold">
            {chat.hours} <span className="no-script:hidden">Answers appear here automatically.</span>
          </p>
          <MessageLog messages={chat.messages} mine="visitor" visitor="You" />
          <noscript>
            <a href={href('/chat/:token', { token })} className={button.quiet}>
              Show new messages
            </a>
          </noscript>
          <div className="no-print sticky bottom-0 border-t border-line bg-paper py-3">
            <ErrorSummary form={form} labels={{ message: 'Your message' }} formId={formId} />
            <Form
              id={formId}
              ref={formRef}
              method="post"
              noValidate
              preventScrollReset
              className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-x-3 gap-y-1"
              aria-label="Write a message"
              onKeyDown={sendOnEnter}
            >
              <input type="hidden" name={tokenField} value={form.token} />
              <TextArea
                form={form}
                name="message"
                label="Your message"
                hint={chat.state === 'closed' ? 'The chat is closed. If you write, it opens again.' : undefined}
                required
                rows={2}
              />
              <button type="submit" disabled={sending} className={button.primary}>
                {sending ? 'Sending' : 'Send'}
              </button>
              <div className="col-span-full">
                <EnterSends />
              </div>
            </Form>
          </div>
        </div>
        <aside aria-label="About this chat" className="grid gap-4 rounded-card border border-line bg-card p-5">
          {chat.about && (
            <p>
              About: <b>{chat.about}</b>
            </p>
          )}
          <p>
            {chat.email ? (
              <>
                You can leave this page. When we answer, we’ll email <b className="wrap-anywhere">{chat.email}</b>.
              </>
            ) : (
              'You gave no email address, so we cannot email you when we answer. Bookmark this page and check it later.'
            )}
          </p>
          <p className="text-sm text-mute">
            Times are Brisbane's.{' '}
            <Link to={href('/privacy')} className="font-bold text-link underline underline-offset-4">
              How we treat your data
            </Link>
          </p>
        </aside>
      </div>
    </>
  );
}
