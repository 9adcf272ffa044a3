import { data, Form, href, Link, redirect, useNavigation } from 'react-router';
import { FormFoot, PersonFields, personLabels } from '#app/features/enquiries/form-parts.tsx';
import {
  bookingDaysAhead,
  bookingTimes,
  type ContactTopic,
  contactTopicOf,
  contactTopics,
  interests,
} from '#app/features/enquiries/options.ts';
import { clientAddressContext, enquiriesContext, submitEnquiry } from '#app/features/enquiries/submit.server.ts';
import { formatTime } from '#app/features/sessions/rules.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { clockContext } from '#app/http/context.ts';
import { freshForm, readForm } from '#app/http/forms.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { SelectField, TextArea, TextField } from '#app/ui/form-fields.tsx';
import { refuseTooLarge } from '#app/ui/form-size.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/contact';

export function loader({ context, url }: Route.LoaderArgs) {
  const interest = interests.find(({ value }) => value === url.searchParams.get('interest'))?.value ?? '';
  return pageData(
    context,
    contactTopicOf(url.searchParams.get('topic')),
    freshForm(context.get(enquiriesContext).forms, { interest }),
  );
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const topic = contactTopicOf(url.searchParams.get('topic'));
  const result = await submitEnquiry(context.get(enquiriesContext), {
    form: await readForm(request),
    kind: topic,
    address: context.get(clientAddressContext),
    isOffered: () => false,
  });
  if (result.ok) throw redirect(href('/sent/:reference', { reference: result.reference }), 303);
  return data({ form: result.form }, { status: result.status });
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return (await refuseTooLarge(request)) ?? serverAction();
}

function pageData(context: Route.LoaderArgs['context'], topic: ContactTopic, form: ReturnType<typeof freshForm>) {
  const { site } = context.get(snapshotContext).current();
  const today = academyToday(context.get(clockContext));
  return { site, topic, form, firstDay: addDays(today, 1), lastDay: addDays(today, bookingDaysAhead) };
}

export function headers() {
  return { 'Cache-Control': 'no-store' };
}

export const meta: Route.MetaFunction = () =>
  pageMeta('Contact', 'Write, telephone or visit: a person answers within one business day, Brisbane time.');

const hours = [
  ['Mon-Fri', '9:00 AM-6:00 PM'],
  ['Sat', '10:00 AM-4:00 PM'],
  ['Sun', 'closed'],
] as const;

const otherWays = [
  {
    title: 'Career Counseling',
    icon: 'compass',
    text: 'Half an hour by telephone or video about where you are and what comes next.',
    action: 'Book a Session',
    topic: 'booking',
  },
  {
    title: 'Live Chat Support',
    icon: 'terminal',
    text: 'Ask a question here; staff answer by e-mail within one business day.',
    action: 'Start Chat',
    topic: 'chat',
  },
  {
    title: 'Virtual Tour',
    icon: 'eye',
    text: 'See the classrooms and the labs over video, with someone to ask.',
    action: 'Schedule Tour',
    topic: 'tour',
  },
] as const;

export default function Contact({ loaderData, actionData }: Route.ComponentProps) {
  const { site, topic } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const sending = useNavigation().state === 'submitting';
  return (
    <>
      <PageHead title="Contact" lead="A person reads every message and answers within one business day." />
      <div className="page grid gap-x-14 gap-y-12 py-12 lg:grid-cols-[minmax(0,1fr)_20rem] lg:py-16">
        <section id="form" aria-labelledby="form-title">
          <h2 id="form-title" className="mb-6 text-3xl">
            {contactTopics[topic].title}
          </h2>
          <ErrorSummary form={form} labels={{ ...personLabels, day: 'Day', time: 'Time', message: 'Message' }} />
          <Form
            key={topic}
            method="post"
            action={topic === 'contact' ? '/contact' : `${href('/contact')}?topic=${topic}`}
            noValidate
            preventScrollReset
            className="relative grid max-w-2xl gap-5"
          >
            <PersonFields form={form} />
            {topic === 'contact' && (
              <SelectField form={form} name="interest" label="Interested In">
                {interests.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </SelectField>
            )}
            {(topic === 'booking' || topic === 'tour') && <TimeFields form={form} days={loaderData} />}
            <TextArea
              form={form}
              name="message"
              label={topic === 'chat' ? 'Your question' : 'Message'}
              required={topic === 'contact' || topic === 'chat'}
            />
            <FormFoot form={form} />
            <div>
              <button type="submit" disabled={sending} className={button.primary}>
                {sending ? 'Sending' : contactTopics[topic].action}
              </button>
            </div>
          </Form>
        </section>
        <aside className="min-w-0">
          <dl className="grid gap-5 rounded-card border border-line bg-card p-6">
            <Detail label="Phone">
              <a href={`tel:${site.phone.replaceAll(/[^\d+]/g, '')}`} className="underline underline-offset-4">
                {site.phone}
              </a>
            </Detail>
            <Detail label="Email">
              <a href={`mailto:${site.email}`} className="underline underline-offset-4">
                {site.email}
              </a>
            </Detail>
            <Detail label="Address">
              {site.street}
              <br />
              {site.city}, {site.state} {site.postcode}, Australia
            </Detail>
            <Detail label="Business hours">
              {hours.map(([days, time]) => (
                <span key={days} className="tabular block">
                  {days} {time}
                </span>
              ))}
              <span className="block text-sm text-mute">Brisbane time (AEST)</span>
            </Detail>
          </dl>
        </aside>
      </div>
      <div className="page pb-14 lg:pb-18">
        <section>
          <h2 className="text-3xl">Other ways to reach us</h2>
          <ul className="mt-6 grid gap-6 lg:grid-cols-3">
            {otherWays.map(({ title, icon, text, action: label, topic: to }) => (
              <li key={title} className="flex flex-col rounded-card border border-line bg-card p-6">
                <Icon name={icon} className="size-9 text-link" />
                <h3 className="mt-3 text-xl">{title}</h3>
                <p className="mt-2 mb-5 text-mute">{text}</p>
                <Link to={`${href('/contact')}?topic=${to}#form`} className={`${button.quiet} mt-auto self-start`}>
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

const everyTime = bookingTimes('2025-09-15');

function TimeFields({ form, days }: { form: FormState; days: { firstDay: Day; lastDay: Day } }) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <TextField form={form} name="day" label="Day" type="date" min={days.firstDay} max={days.lastDay} required />
      <SelectField form={form} name="time" label="Time (Brisbane)" required>
        <option value="">Choose a time</option>
        {everyTime.map((time) => (
          <option key={time} value={time}>
            {formatTime(time)}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

function Detail({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-mute">{label}</dt>
      <dd className="font-semibold wrap-anywhere">{children}</dd>
    </div>
  );
}
