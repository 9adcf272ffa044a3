import { href, Link } from 'react-router';
import { mostAtOnce } from '#app/features/inbox/bulk-actions/acts.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { type BuiltIn, listTabs } from '#app/routes/staff/lists/list-tabs.server.ts';
import { SaveView } from '#app/routes/staff/lists/save-view.tsx';
import { button } from '#app/ui/button.ts';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { ListPage } from '#app/ui/staff/list-page.tsx';
import { TextLink } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/course-dates';
import { CourseDateFilters, courseDateChips, courseDateList, courseDateStates } from './course-date-list.tsx';
import { listCourseDates } from './list-course-dates.server.ts';

const builtIn: BuiltIn[] = Object.entries(courseDateStates).map(([state, text]) => [
  text,
  `state=${state}${state === 'past' ? '&sort=-starts' : ''}`,
]);

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'course-dates:read');
  const { db, clock } = context.get(academyContext);
  const view = courseDateList.viewOf(url.searchParams);
  return unlessDatabaseAway(async () => {
    const { courseDates, ...found } = await listCourseDates(db, actor, view, academyToday(clock));
    const page = courseDateList.pageOf(view, found);
    const { path } = courseDateList;
    const all = 'To come and running';
    return {
      ...page,
      form: blankStaffForm(0),
      mayChange: actor.can.has('course-dates:change'),
      ...(await listTabs(db, actor, { list: 'course-dates', path, query: page.query, builtIn, all })),
      matching: found.standing,
      rows: courseDates.map((courseDate) => courseDateList.show(courseDate)),
    };
  });
}

export const meta = () => staffMeta('Course dates');

export default function CourseDates({ loaderData }: Route.ComponentProps) {
  const { form, mayChange, tabs, isNamed, matching, rows, ...page } = loaderData;
  const { view, query, older } = page;
  return (
    <ListPage
      list={courseDateList}
      page={page}
      beside={
        <>
          <TextLink to={href('/staff/course-dates/calendar')}>Calendar</TextLink>
          <OnlyWith permission="attendees:read">
            {' '}
            <TextLink to={href('/staff/classes')}>Classes</TextLink>
          </OnlyWith>
        </>
      }
      acts={
        mayChange && (
          <>
            <Link to={href('/staff/course-dates/copy')} className={button.quiet}>
              Copy a term
            </Link>
            <Link to={href('/staff/course-dates/series')} className={button.quiet}>
              Several dates
            </Link>
            <Link to={href('/staff/course-dates/new')} className={button.primary}>
              New course date
            </Link>
          </>
        )
      }
      tabs={tabs}
      saving={<SaveView list="course-dates" query={query} form={form} isNamed={isNamed} />}
      searches="Course, place, instructor"
      chips={courseDateChips(view)}
      filters={<CourseDateFilters values={view.values} />}
      rows={rows}
      keyOf={({ slug }) => slug}
      choosing={{
        list: courseDateList.searched(view),
        all: { ...matching, most: mostAtOnce },
        acts: [
          {
            to: href('/staff/bulk-actions/message/:list', { list: 'course-dates' }),
            text: 'Write to their people',
            needs: 'mail:send',
          },
        ],
        labelOf: ({ title, days }) => `${title}, ${days}`,
      }}
      none={older ? 'None of those we looked at match. "Older" looks further.' : 'No course date matches.'}
    />
  );
}
