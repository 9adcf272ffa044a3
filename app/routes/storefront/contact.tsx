import { Form, href, Link, redirect, useNavigation } from 'react-router';
import { ContactDetails } from '#app/features/catalogue/site/contact-details.tsx';
import { FormFoot, PersonFields, personLabels } from '#app/features/inbox/enquiries/form-parts.tsx';
import { interests } from '#app/features/inbox/enquiries/options.ts';
import { type Subject, subjectOf } from '#app/features/inbox/enquiries/subjects.ts';
import { redirectToSent, submitEnquiry } from '#app/features/inbox/enquiries/submit.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { freshForm, readForm } from '#app/http/forms.server.ts';
import { giveBack } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { SelectField, TextArea } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/contact';

export function loader({ context, url }: Route.LoaderArgs) {
  const { site } = context.get(snapshotContext).current();
  const subject = askedAbout(context, url);
  const moved = formerTopics.get(url.searchParams.get('topic') ?? '');
  if (moved) throw redirect(addressAbout(moved, subject), 301);
  const asked = interests.find(({ value }) => value !== '' && value === url.searchParams.get('interest'));
  return {
    site,
    subject,
    form: freshForm(context.get(academyContext).forms, { interest: asked?.value ?? subject?.interest ?? '' }),
  };
}

/** The pages to which other forms of this page went: times are booked, and chats are held, on pages of their own. */
const formerTopics = new Map([
  ['booking', href('/book/:kind', { kind: 'career-counseling' })],
  ['tour', href('/book/:kind', { kind: 'virtual-tour' })],
  ['chat', href('/chat')],
]);

function askedAbout(context: Route.LoaderArgs['context'], url: URL): Subject | null {
  const today = academyToday(context.get(academyContext).clock);
  return subjectOf(context.get(snapshotContext).current(), url.searchParams.get('about'), today);
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const enquiries = context.get(academyContext);
  const result = await submitEnquiry(enquiries, {
    form: await readForm(request),
    kind: 'contact',
    address: context.get(clientAddressContext),
    isOffered: () => false,
    subject: askedAbout(context, url),
  });
  if (result.ok) throw redirectToSent(enquiries, result.reference);
  return giveBack(result);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export function headers() {
  return { 'Cache-Control': 'no-store' };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Contact', 'Email, call or visit us. We answer within one business day, Brisbane time.');

const otherWays = [
  {
    title: 'Career Counseling',
    icon: 'compass',
    text: 'Half an hour by phone or video about where you are and what comes next.',
    action: 'Book a Session',
    to: href('/book/:kind', { kind: 'career-counseling' }),
  },
  {
    title: 'Live Chat Support',
    icon: 'terminal',
    text: 'Write to our staff and read their answer on the page, within one business day.',
    action: 'Start Chat',
    to: href('/chat'),
  },
  {
    title: 'Virtual Tour',
    icon: 'eye',
    text: 'See the classrooms and the labs over video, with someone to ask.',
    action: 'Schedule Tour',
    to: href('/book/:kind', { kind: 'virtual-tour' }),
  },
] as const;

const labels = { ...personLabels, message: 'Message' };
const formId = 'message-form';

export default function Contact({ loaderData, actionData }: Route.ComponentProps) {
  const { site, subject } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const sending = useNavigation().state === 'submitting';
  return (
    <>
      <PageHead title="Contact" lead="We read every message and answer within one business day." />
      <div className="page grid gap-x-14 gap-y-12 py-12 lg:grid-cols-[minmax(0,1fr)_20rem] lg:py-16">
        <section id="form" aria-labelledby="form-title">
          <h2 id="form-title" className="mb-6 text-3xl">
            Send Message
          </h2>
          <ErrorSummary form={form} labels={labels} formId={formId} />
          <Form
            id={formId}
            method="post"
            action={addressAbout(href('/contact'), subject)}
            toolname="write_to_the_academy"
            tooldescription="Writes a message to the academy's staff, who answer by email within one business day. The person reads it before it is sent."
            noValidate
            preventScrollReset
            className="relative grid max-w-2xl gap-5"
          >
            {subject && (
              <p className="flex flex-wrap items-baseline justify-between gap-x-5 gap-y-1 rounded-card border border-line bg-card p-5">
                <span>
                  About: <b>{subject.label}</b>
                </span>
                <Link
                  to={href('/contact')}
                  preventScrollReset
                  className="font-bold text-link underline underline-offset-4"
                >
                  About something else
                </Link>
              </p>
            )}
            <PersonFields form={form} />
            <SelectField form={form} name="interest" label="Interested In">
              {interests.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </SelectField>
            <TextArea form={form} name="message" label="Message" required />
            <FormFoot form={form} />
            <div>
              <button type="submit" disabled={sending} className={button.primary}>
                {sending ? 'Sending' : 'Send Message'}
              </button>
            </div>
          </Form>
        </section>
        <aside className="min-w-0">
          <ContactDetails site={site} />
        </aside>
      </div>
      <div className="page pb-14 lg:pb-18">
        <section>
          <h2 className="text-3xl">Other ways to reach us</h2>
          <ul className="mt-6 grid gap-6 lg:grid-cols-3">
            {otherWays.map(({ title, icon, text, action: label, to }) => (
              <li key={title} className="flex flex-col rounded-card border border-line bg-card p-6">
                <Icon name={icon} className="size-9 text-link" />
                <h3 className="mt-3 text-[1.375rem]">{title}</h3>
                <p className="mt-2 mb-5 text-mute">{text}</p>
                <Link to={addressAbout(to, subject)} className={`${button.quiet} mt-auto self-start`}>
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </section>
        <div className="mt-12 flex flex-wrap items-center gap-5 border-t border-line pt-8">
          <p className="text-lg text-mute">Still looking around?</p>
          <Link to={href('/courses')} className={button.primary}>
            Explore Our Courses
          </Link>
        </div>
      </div>
    </>
  );
}

function addressAbout(address: string, subject: Subject | null): string {
  return subject ? `${address}?${new URLSearchParams({ about: subject.about })}` : address;
}
