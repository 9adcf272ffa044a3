import { data, Form, href, redirect, useNavigation } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { adviceOf, type JobFault, listFaults, listJobs, runJob } from '#app/features/reports/faults.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { actOr503, unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { ButtonText, OnlyWith, WhoMay } from '#app/ui/staff/act-form.tsx';
import { Rows } from '#app/ui/staff/list.tsx';
import { Table, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/faults';
import { staffMeta } from './frame/staff-meta.ts';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'faults:read');
  const { db, clock } = context.get(academyContext);
  const [faults, jobs] = await unlessDatabaseAway(() =>
    Promise.all([listFaults(db, actor), listJobs(db, actor, clock)]),
  );
  const scheduled = new Set(jobs.flatMap(({ name, canRun }) => (canRun ? name : [])));
  const asked = url.searchParams.get('asked');
  return {
    asked: asked !== null && scheduled.has(asked) ? titleOf(asked) : null,
    jobs: jobs.map((job) => ({ ...job, title: titleOf(job.name) })),
    faults: faults.map(({ job, item, message, since, last, times, about }) => ({
      key: `${job} ${item}`,
      job: titleOf(job),
      again: scheduled.has(job) ? job : null,
      item: item.replace(/^part:/, ''),
      message: showControlCharacters(message),
      since: formatMoment(since),
      last: formatMoment(last),
      times,
      about: about && aboutOf(about),
      advice: adviceOf(job),
    })),
  };
}

const titleOf = (job: string) => `${job.charAt(0).toUpperCase()}${job.slice(1)}`;

export async function action({ context, request }: Route.ActionArgs) {
  const actor = staffFor(context, 'faults:retry');
  const { db, clock } = context.get(academyContext);
  const form = await readForm(request);
  const job = String(form?.get('job') ?? '');
  const known = await actOr503(unconfirmed, () => runJob(db, { job, actor, at: clock.now() }));
  if (!known) return data({ fault: 'This job no longer exists. Nothing was started.' }, { status: 409 });
  throw redirect(`${href('/staff/faults')}?${new URLSearchParams({ asked: job })}`, 303);
}

const unconfirmed = unconfirmedText(
  'that the job was asked for',
  'Read the page again in a few minutes. Asking twice does no harm.',
);

function aboutOf({ kind, name }: NonNullable<JobFault['about']>): { text: string; to: string } {
  switch (kind) {
    case 'enrolment':
      return { text: `Enrolment ${name}`, to: href('/staff/enrolments/:reference', { reference: name }) };
    case 'course-date':
      return { text: `Course date ${name}`, to: href('/staff/course-dates/:slug', { slug: name }) };
    case 'conversation':
      return { text: 'The chat', to: href('/staff/conversations/:id', { id: name }) };
    case 'waiting-list':
      return { text: `Waiting list of ${name}`, to: href('/staff/waiting/:courseDate', { courseDate: name }) };
    case 'course-list':
      return {
        text: `List for the next date of ${name}`,
        to: href('/staff/waiting/:courseDate', { courseDate: `course:${name}` }),
      };
  }
}

export const meta = () => staffMeta('Jobs that failed');

/** A button that has a job done at once. */
function RunJob({ job, text }: { job: string; text: string }) {
  const sending = useNavigation().state === 'submitting';
  return (
    <OnlyWith permission="faults:retry">
      <Form method="post" action={href('/staff/faults')} preventScrollReset className="relative">
        <input type="hidden" name="job" value={job} />
        <button type="submit" disabled={sending} className="font-semibold text-link underline-offset-3 hover:underline">
          <ButtonText about={`for “${job}”`}>{text}</ButtonText>
        </button>
      </Form>
    </OnlyWith>
  );
}

export default function Faults({ loaderData: { faults, jobs, asked }, actionData }: Route.ComponentProps) {
  return (
    <>
      <h1 className="text-2xl">Jobs that failed</h1>
      <p className="mt-2 mb-5 max-w-prose text-mute">
        The program does this work automatically. It failed for the items below; everything else is done. An item leaves
        this page when the work succeeds.
      </p>
      <WhoMay needs="faults:retry" what="start jobs" />
      {actionData ? (
        <p role="alert" className="mb-5 rounded-control border-2 border-fault bg-card p-4">
          {actionData.fault}
        </p>
      ) : (
        asked && (
          <p role="status" className="mb-5 rounded-control border border-edge bg-card p-4">
            “{asked}” starts within a few seconds. Load this page again to see how it went.
          </p>
        )
      )}
      <Rows
        rows={faults}
        keyOf={({ key }) => key}
        columns="md:grid-cols-[15rem_minmax(0,1fr)]"
        none={<Words>No job has failed.</Words>}
      >
        {({ job, item, message, since, last, times, about, advice, again }) => (
          <>
            <div>
              <p className="font-bold">{job}</p>
              <p className="tabular text-sm text-mute">
                Since {since}
                {times > 1 && `, ${times} times, last ${last}`}
              </p>
            </div>
            <div className="min-w-0 text-sm">
              <p className="break-words font-semibold">
                {about ? <TextLink to={about.to}>{about.text}</TextLink> : item}
              </p>
              <p className="max-w-prose">{advice}</p>
              <p className="break-words text-mute">
                Message: <span className="select-all">{message}</span>
              </p>
              {again && (
                <div className="mt-2">
                  <RunJob job={again} text="Try again" />
                </div>
              )}
            </div>
          </>
        )}
      </Rows>
      <h2 className="mt-8 mb-2 border-b border-rule pb-1.5 text-lg">All jobs</h2>
      <p className="mb-3 max-w-prose text-mute">
        When you start a job by hand, it does everything that is due and tries the failed items again. A job that was
        put off did not fail: the database was away or busy, and the job runs again on its own.
      </p>
      <Table head={['Job', 'Last run', 'Took', 'Next run', 'By hand']} label="All jobs" rows="dense">
        {jobs.map(({ name, title, last, took, next, canRun }) => (
          <tr key={name}>
            <td className="font-semibold">{title}</td>
            <td className="whitespace-nowrap">{last}</td>
            <td className="whitespace-nowrap">{took}</td>
            <td className="whitespace-nowrap">{next}</td>
            <td className="whitespace-nowrap">{canRun && <RunJob job={name} text="Start now" />}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}
