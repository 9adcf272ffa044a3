import { Form, href, Link, useNavigation } from 'react-router';
import { ContactDetails } from '#app/features/catalogue/site/contact-details.tsx';
import { openingText } from '#app/features/inbox/conversations/opening-hours.ts';
import { submitStart } from '#app/features/inbox/conversations/submit.server.ts';
import { subjectOf } from '#app/features/inbox/enquiries/subjects.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { freshForm, readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { FormGuards, TextArea, TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/chat';

export function loader({ context, url }: Route.LoaderArgs) {
  const { site, bookings } = context.get(snapshotContext).current();
  const { clock, forms } = context.get(academyContext);
  const hours = openingText(clock.now(), bookings.holidays);
  return { site, hours, subject: askedAbout(context, url), form: freshForm(forms) };
}

function askedAbout(context: Route.LoaderArgs['context'], url: URL) {
  const today = academyToday(context.get(academyContext).clock);
  return subjectOf(context.get(snapshotContext).current(), url.searchParams.get('about'), today);
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const result = await submitStart(context.get(academyContext).forms, {
    form: await readForm(request),
    address: context.get(clientAddressContext),
    about: askedAbout(context, url)?.label ?? null,
  });
  return answerForm(result, ({ reference: token }) => href('/chat/:token', { token }));
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export function headers() {
  return { 'Cache-Control': 'no-store' };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    'Live Chat Support',
    'Ask our staff and read their answer on the page. You’ll be talking to people, not a bot.',
  );

const labels = { name: 'Name', email: 'Email', message: 'Your question' };
const formId = 'chat-form';

export default function StartChat({ loaderData, actionData }: Route.ComponentProps) {
  const { site, hours, subject } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const sending = useNavigation().state === 'submitting';
  const address = subject ? `${href('/chat')}?${new URLSearchParams({ about: subject.about })}` : href('/chat');
  return (
    <>
      <PageHead title="Live Chat Support" lead={`You’ll be talking to people, not a bot. ${hours}`} />
      <div className="page grid gap-x-14 gap-y-12 py-12 lg:grid-cols-[minmax(0,1fr)_20rem] lg:py-16">
        <div>
          <ErrorSummary form={form} labels={labels} formId={formId} />
          <Form id={formId} method="post" action={address} noValidate className="relative grid max-w-2xl gap-5">
            {subject && (
              <p className="rounded-card border border-line bg-card p-5">
                About: <b>{subject.label}</b>
              </p>
            )}
            <TextArea form={form} name="message" label={labels.message} required />
            <TextField form={form} name="name" label={labels.name} autoComplete="name" />
            <TextField
              form={form}
              name="email"
              label={labels.email}
              type="email"
              autoComplete="email"
              hint="Without it, we cannot tell you when we answer after you leave."
            />
            <FormGuards form={form} />
            <p className="text-sm text-mute">
              We use the conversation only to answer you.{' '}
              <Link to={href('/privacy')} className="font-bold text-link underline underline-offset-4">
                How we treat your data
              </Link>
            </p>
            <div>
              <button type="submit" disabled={sending} className={button.primary}>
                {sending ? 'Sending' : 'Start Chat'}
              </button>
            </div>
          </Form>
        </div>
        <aside className="min-w-0">
          <ContactDetails site={site} />
        </aside>
      </div>
    </>
  );
}
