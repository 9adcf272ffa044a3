import { data, Form, href, Link, type RouterContextProvider, useNavigation } from 'react-router';
import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import { seatsHeldByForms } from '#app/features/course-dates/draft-holds.server.ts';
import { mostSeats, takesEnrolments } from '#app/features/course-dates/rules.ts';
import { PreferenceFields } from '#app/features/enrolments/waiting/preference-fields.tsx';
import { confirmDays, weeksAhead } from '#app/features/enrolments/waiting/rules.ts';

import { heldText, submitWaiting } from '#app/features/enrolments/waiting/submit.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { readLater } from '#app/http/database-away.server.ts';
import { freshForm, readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { mailAwaySince } from '#app/outbox/mail-health.server.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { select } from '#app/ui/field.ts';
import { FormGuards, TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { mailAwayText } from '#app/ui/mail-away.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/waiting-list';

/** The list that an address names, former slugs too: of a date, or of a course for its next one. */
async function listOf(context: Readonly<RouterContextProvider>, url: URL) {
  const store = context.get(snapshotContext);
  const snapshot = store.current();
  const today = academyToday(context.get(academyContext).clock);
  const named = url.searchParams.get('courseDate');
  if (named !== null) {
    const found = await store.courseDate(named);
    if (!found.ok) throw readLater('We cannot show this list right now. Please try again in a minute.');
    const { courseDate } = found;
    const listed = courseDate && snapshot.bySlug.get(courseDate.course.slug);
    if (!courseDate || !listed) return null;
    const { slug } = courseDate;
    return {
      courseId: listed.id,
      courseDateId: courseDate.id,
      query: `?courseDate=${slug}`,
      course: { slug: courseDate.course.slug, title: courseDate.course.title },
      date: {
        slug,
        days: formatDays(courseDate.startDate, courseDate.endDate),
        place: deliveryText(courseDate),
        open: takesEnrolments(courseDate, today),
        left: courseDate.seatsAvailable,
      },
    };
  }
  const course = url.searchParams.get('course') ?? '';
  const slug = snapshot.aliases.get(course) ?? course;
  const listed = snapshot.bySlug.get(slug);
  if (!listed) return null;
  const { title } = listed.card;
  return { courseId: listed.id, courseDateId: null, query: `?course=${slug}`, course: { slug, title }, date: null };
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const list = await listOf(context, url);
  if (!list) {
    const named = url.searchParams.has('course') || url.searchParams.has('courseDate');
    const { courses } = context.get(snapshotContext).current();
    const titles = courses.map(({ card: { slug, title } }) => ({ slug, title }));
    titles.sort((a, b) => a.title.localeCompare(b.title));
    return data({ choose: titles, named }, { status: named ? 404 : 200 });
  }
  const { courseId: _, courseDateId, ...shown } = list;
  return {
    ...shown,
    choose: null,
    weeks: courseDateId === null ? weeksAhead(academyToday(context.get(academyContext).clock)) : null,
    held: list.date?.open && courseDateId !== null ? await heldNow(context, courseDateId, list.date.left) : null,
    joined: url.searchParams.has('joined'),
    mailAway: url.searchParams.has('joined') ? await mailAwaySince(context) : null,
    form: freshForm(context.get(academyContext).forms, { seats: url.searchParams.get('seats') ?? '1' }),
  };
}

/** How many seats others hold for some minutes, in words; null when none, and while the database is away. */
async function heldNow(context: Readonly<RouterContextProvider>, courseDateId: number, left: number) {
  const { db, clock } = context.get(academyContext);
  const held = await seatsHeldByForms(db, courseDateId, clock.now()).catch((error: unknown) => {
    if (isConnectionFailure(error)) return 0;
    throw error;
  });
  return held > 0 ? heldText({ left, held }) : null;
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const list = await listOf(context, url);
  if (!list) throw data(null, { status: 404 });
  const result = await submitWaiting(context.get(academyContext), list, {
    form: await readForm(request),
    address: context.get(clientAddressContext),
  });
  return answerForm(result, `${href('/waiting-list')}${list.query}&joined=1`);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export function headers() {
  return { 'Cache-Control': 'no-store' };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Tell me about dates', 'We email you when a course has a date or a seat for you.', noPage);

const labels = { name: 'Your name', email: 'Email', seats: 'Number of seats' };
const formId = 'waiting-form';

export default function WaitingList({ loaderData, actionData }: Route.ComponentProps) {
  const sending = useNavigation().state === 'submitting';
  if (loaderData.choose) return <ChooseCourse courses={loaderData.choose} named={loaderData.named} />;
  const { course, date, weeks, held, joined, query, mailAway } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const what = date ? `${course.title}, ${date.days}, ${date.place}` : course.title;
  if (joined && !actionData) {
    return (
      <PageHead
        title={mailAway === null ? 'Check your email and press the button' : 'Our email will come later'}
        lead={`${what}. ${mailAway === null ? 'We email you a private link.' : mailAwayText(mailAway, 'Our email with your private link')} Open it and press the button there: only then are you on the list. Until then we keep no seats for you. If you confirmed this address before, your first entry stays the same.`}
      >
        <Link to={href('/course/:courseId', { courseId: course.slug })} className={button.primary}>
          Back to the course
        </Link>
      </PageHead>
    );
  }
  const closed = date !== null && !date.open;
  return (
    <>
      <PageHead
        title={date ? 'Wait for a seat' : 'Tell me about dates'}
        lead={
          closed
            ? `${what}: it can no longer be booked.`
            : `${what}. It is free, with no obligation. When ${date ? 'it is your turn' : 'we set a date'}, we email you and keep the seats for you for 72 hours, or until enrolment closes if that is sooner. You decide then.`
        }
      />
      <div className="page grid gap-x-14 gap-y-12 py-10 lg:grid-cols-[minmax(0,1fr)_20rem] lg:py-16">
        <div className="min-w-0">
          {date?.open && date.left > 0 && (
            <p className="mb-8 max-w-prose rounded-card border border-line bg-card p-5" role="status">
              {date.left === 1 ? '1 seat is' : `${date.left} seats are`} free now.{' '}
              <Link
                to={`${href('/enrol')}?courseDate=${date.slug}`}
                className="font-bold text-link underline underline-offset-4"
              >
                Enrol at once
              </Link>
              , or wait here if you need more seats together.
            </p>
          )}
          {held !== null && date?.left === 0 && (
            <p className="mb-8 max-w-prose rounded-card border border-line bg-card p-5" role="status">
              {held}
            </p>
          )}
          {closed ? (
            <p>
              <Link to={`${href('/waiting-list')}?course=${course.slug}`} className={button.primary}>
                Tell me about dates
              </Link>
            </p>
          ) : (
            <>
              <ErrorSummary form={form} labels={labels} formId={formId} />
              <Form
                id={formId}
                method="post"
                action={`${href('/waiting-list')}${query}`}
                noValidate
                preventScrollReset
                className="relative grid max-w-2xl gap-6"
              >
                <TextField form={form} name="name" label={labels.name} autoComplete="name" required />
                <TextField
                  form={form}
                  name="email"
                  label={labels.email}
                  type="email"
                  autoComplete="email"
                  hint="We send offers there, and the link to change this or leave the list."
                  required
                />
                <div className="sm:max-w-xs">
                  <TextField
                    form={form}
                    name="seats"
                    label={labels.seats}
                    type="number"
                    inputMode="numeric"
                    min={1}
                    max={mostSeats.person}
                    hint="We offer you all of them together. You can take fewer."
                    required
                  />
                </div>
                {weeks && <PreferenceFields form={form} weeks={weeks} />}
                <FormGuards form={form} />
                <p className="text-sm text-mute">
                  We use this only for this list.{' '}
                  <Link to={href('/privacy')} className="font-bold text-link underline underline-offset-4">
                    How we treat your data
                  </Link>
                </p>
                <div>
                  <button type="submit" disabled={sending} className={button.primary}>
                    {sending ? 'Sending' : date ? 'Join the waiting list' : 'Tell me about dates'}
                  </button>
                </div>
              </Form>
            </>
          )}
        </div>
        <aside className="min-w-0">
          <div className="rounded-card border border-line bg-card p-6">
            <h2 className="text-xl">How it works</h2>
            <ul className="mt-3 grid list-disc gap-2 pl-5">
              <li>
                {date
                  ? 'When seats become free, we offer them in the order of the list before anyone else can buy them.'
                  : 'When we set a date, we offer its seats in the order of the list before anyone else can buy them. Your weeks and place help us plan: we also offer you dates in other weeks and places.'}
              </li>
              <li>
                First we send you an email. Open its link and press the button within {confirmDays} days. Your turn
                depends on when you joined.
              </li>
              <li>We email you an offer. We keep it for 72 hours, or until enrolment closes if that is sooner.</li>
              <li>
                With the link in our email you can {date ? '' : 'change your weeks and place, or '}leave the list at any
                time.
              </li>
            </ul>
            {date && (
              <p className="mt-4">
                <Link
                  to={href('/course/:courseId', { courseId: course.slug })}
                  className="font-bold text-link underline underline-offset-4"
                >
                  Other ways to take this course
                </Link>
              </p>
            )}
          </div>
        </aside>
      </div>
    </>
  );
}

/** The list is one course's: where the address names none, one is chosen first. */
function ChooseCourse({ courses, named }: { courses: readonly { slug: string; title: string }[]; named: boolean }) {
  return (
    <>
      <PageHead
        title="Tell me about dates"
        lead={`${named ? 'We do not offer what this address names. ' : ''}Which course do you want to take?`}
      />
      <form action={href('/waiting-list')} className="page grid gap-6 py-10 lg:py-16">
        <div className="max-w-2xl">
          <label htmlFor="course" className="mb-1.5 block font-bold">
            Course
          </label>
          <select id="course" name="course" className={select}>
            {courses.map(({ slug, title }) => (
              <option key={slug} value={slug}>
                {title}
              </option>
            ))}
          </select>
        </div>
        <div>
          <button type="submit" className={button.primary}>
            Go on
          </button>
        </div>
      </form>
    </>
  );
}
