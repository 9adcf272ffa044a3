import { href } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { formatMoment } from '#app/lib/dates.ts';
import { undisguised } from '#app/lib/undisguised.ts';
import type { Route } from './+types/faults';
import { adviceOf, type JobFault, listFaults } from './faults.server.ts';
import { TextLink, Words } from './frame/parts.tsx';
import { staffMeta } from './frame/staff-meta.ts';

export async function loader({ context }: Route.LoaderArgs) {
  const actor = staffFor(context, 'faults:read');
  const faults = await orAway(() => listFaults(context.get(academyContext).db, actor));
  return {
    faults: faults.map(({ job, item, message, since, last, times, about }) => ({
      key: `${job} ${item}`,
      job: `${job.charAt(0).toUpperCase()}${job.slice(1)}`,
      item: item.replace(/^part:/, ''),
      message: undisguised(message),
      since: formatMoment(since),
      last: formatMoment(last),
      times,
      about: about && aboutOf(about),
      advice: adviceOf(job),
    })),
  };
}

function aboutOf({ kind, name }: NonNullable<JobFault['about']>): { text: string; to: string } {
  switch (kind) {
    case 'enrolment':
      return { text: `Enrolment ${name}`, to: href('/staff/enrolments/:reference', { reference: name }) };
    case 'session':
      return { text: `Training session ${name}`, to: href('/staff/sessions/:slug', { slug: name }) };
    case 'conversation':
      return { text: 'The chat', to: href('/staff/conversations/:id', { id: name }) };
    case 'waiting-list':
      return { text: `Waiting list of ${name}`, to: href('/staff/waiting/:session', { session: name }) };
    case 'course-list':
      return {
        text: `List for the next date of ${name}`,
        to: href('/staff/waiting/:session', { session: `course:${name}` }),
      };
  }
}

export const meta = () => staffMeta('Jobs that failed');

export default function Faults({ loaderData: { faults } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="text-2xl">Jobs that failed</h1>
      <p className="mt-2 mb-5 max-w-prose text-mute">
        The program does this work by itself, again and again. It failed for what is listed here; everything else was
        done. An item goes away once the work succeeds.
      </p>
      {faults.length === 0 ? (
        <Words>No job has failed.</Words>
      ) : (
        <ul className="overflow-hidden rounded-control border border-line bg-card">
          {faults.map(({ key, job, item, message, since, last, times, about, advice }) => (
            <li
              key={key}
              className="grid gap-x-5 gap-y-1 border-b border-line px-4 py-3 last:border-b-0 md:grid-cols-[15rem_minmax(0,1fr)]"
            >
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
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
