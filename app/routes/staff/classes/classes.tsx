import { href } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { listClasses } from '#app/features/study/classes.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { readHoursListed } from '#app/routes/staff/live-hours/live-hours.server.ts';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { RowLink, Rows } from '#app/ui/staff/list.tsx';
import { Panel, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/classes';

export async function loader({ context }: Route.LoaderArgs) {
  const actor = staffFor(context, 'attendees:read');
  const { db, clock } = context.get(academyContext);
  const today = academyToday(clock);
  return unlessDatabaseAway(async () => ({
    ...(await listClasses(db, actor, today)),
    hours: await readHoursListed(db, actor, { today, now: clock.now() }),
    sets: actor.can.has('course-dates:change'),
  }));
}

export const meta = () => staffMeta('Classes');

/** The classes that the person teaches, or all of them for those who see all: attendance is marked from here (P59). */
export default function Classes({ loaderData: { now, coming, past, hours, sets } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-5 text-2xl">Classes</h1>
      <div className="grid gap-8">
        <ClassList title="Now" {...now} none="No class is on today." cut="The first 300 are shown." />
        <ClassList
          title="To come"
          {...coming}
          none="No class with people in it is to come."
          cut="The next 50 are shown."
        />
        {(hours.length > 0 || sets) && <HourList hours={hours} sets={sets} />}
        {past.classes.length > 0 && (
          <ClassList title="In the last 30 days" {...past} none="" cut="The latest 50 are shown." />
        )}
      </div>
    </>
  );
}

type Hours = Route.ComponentProps['loaderData']['hours'];

function HourList({ hours, sets }: { hours: Hours; sets: boolean }) {
  return (
    <Panel title="Live hours of guided study">
      <Rows
        rows={hours}
        keyOf={({ id }) => id}
        columns={columns}
        leads
        none={<Words>No live hour is set, so no course promises one.</Words>}
      >
        {({ id, title, next, instructor, people }) => (
          <>
            <RowLink to={href('/staff/live-hours/:id', { id: String(id) })}>{title}</RowLink>
            <span className="tabular">{next}</span>
            <span>Online, every week</span>
            <span>{instructor}</span>
            <span className="tabular text-mute">{people === 1 ? '1 person' : `${people} people`}</span>
          </>
        )}
      </Rows>
      {sets && (
        <p className="mt-3">
          <TextLink to={href('/staff/live-hours/new')}>New live hour</TextLink>
        </p>
      )}
    </Panel>
  );
}

/** On phones in twos below the course, at 768 px in one line below it. */
const columns =
  'grid-cols-2 md:grid-cols-4 max-lg:[&>:first-child]:col-span-full lg:grid-cols-[minmax(0,1fr)_13rem_14rem_12rem_6rem]';

type ListProps = Route.ComponentProps['loaderData']['now'] & { title: string; none: string; cut: string };

function ClassList({ title, classes, more, none, cut }: ListProps) {
  return (
    <Panel title={title}>
      <Rows rows={classes} keyOf={({ slug }) => slug} columns={columns} leads none={<Words>{none}</Words>}>
        {(one) => (
          <>
            <RowLink to={href('/staff/classes/:slug', { slug: one.slug })}>{one.title}</RowLink>
            <span className="tabular">{one.days}</span>
            <span>{one.where}</span>
            <span>{one.instructor}</span>
            <span className="tabular text-mute">{one.people === 1 ? '1 person' : `${one.people} people`}</span>
          </>
        )}
      </Rows>
      {more && (
        <Words>
          {cut}{' '}
          <OnlyWith permission="course-dates:read">
            All are among the <TextLink to={href('/staff/course-dates')}>course dates</TextLink>.
          </OnlyWith>
        </Words>
      )}
    </Panel>
  );
}
