import { href, Link } from 'react-router';
import { readCourseTitles } from '#app/features/enrolments/choices-for-staff.server.ts';
import { countView, listEnrolments } from '#app/features/enrolments/enrolment-list.server.ts';
import { type BuyerAct, mostAtOnce } from '#app/features/inbox/bulk-actions/acts.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { type BuiltIn, listTabs, mostOnTab } from '#app/routes/staff/lists/list-tabs.server.ts';
import { SaveView } from '#app/routes/staff/lists/save-view.tsx';
import { button } from '#app/ui/button.ts';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import type { Choosing } from '#app/ui/staff/choose.tsx';
import { ListPage } from '#app/ui/staff/list-page.tsx';
import type { Route } from './+types/enrolments';
import { EnrolmentFilters, enrolmentChips, enrolmentList } from './enrolment-list.tsx';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:read');
  const { db, clock } = context.get(academyContext);
  const today = academyToday(clock);
  const view = enrolmentList.viewOf(url.searchParams);
  const query = enrolmentList.queryOf(view).toString();
  const list = enrolmentList.searched(view);
  const { path } = enrolmentList;
  const count = (its: string) => countView(db, actor, enrolmentList.viewOf(new URLSearchParams(its)), today, mostOnTab);
  return unlessDatabaseAway(async () => {
    // Two at a time: pages for visitors wait for none of these connections.
    const [{ enrolments, ...found }, [courses, tabs]] = await Promise.all([
      listEnrolments(db, actor, view, today),
      readCourseTitles(db, actor).then(async (titles) => {
        const its = { list: 'enrolments', path, query, builtIn: builtIn(today), count } as const;
        return [titles, await listTabs(db, actor, its)] as const;
      }),
    ]);
    return {
      ...enrolmentList.pageOf(view, found),
      form: blankStaffForm(0),
      ...tabs,
      matching: found.standing,
      list,
      courses: courses.map(({ slug, title }) => [slug, title] as const),
      rows: enrolments.map((row) => enrolmentList.show(row, { list, today })),
    };
  });
}

/** The views that the program brings. "Starts soon" is the next thirty days. */
const builtIn = (today: Day): BuiltIn[] => [
  ['Starts soon', `starts-from=${today}&starts-before=${addDays(today, 30)}&sort=starts`],
  ['Name missing', 'state=unnamed&sort=starts'],
  ['Below minimum', 'state=below'],
  ['Cancelled', 'state=cancelled'],
];

export const meta = () => staffMeta('Enrolments');

const actOn = (act: BuyerAct) => href('/staff/bulk-actions/buyers/:act', { act });
/** What can be done with ticked enrolments (P101). */
const chosenActs: Choosing['acts'] = [
  { to: actOn('remind'), text: 'Remind of payment', needs: 'enrolments:change' },
  { to: actOn('ask-names'), text: 'Ask for missing names', needs: 'enrolments:change' },
  {
    to: href('/staff/bulk-actions/message/:list', { list: 'enrolments' }),
    text: 'Write to them',
    needs: 'mail:send',
  },
  { to: `${enrolmentList.path}.csv`, text: 'Export as CSV', needs: 'lists:export' },
];

export default function Enrolments({ loaderData }: Route.ComponentProps) {
  const { form, tabs, isNamed, matching, list, courses, rows, ...page } = loaderData;
  const { view, query, older } = page;
  return (
    <ListPage
      list={enrolmentList}
      page={page}
      acts={
        <OnlyWith permission="enrolments:change">
          <Link to={href('/staff/enrolments/new')} className={button.primary}>
            Enrol by hand
          </Link>
        </OnlyWith>
      }
      tabs={tabs}
      saving={<SaveView list="enrolments" query={query} form={form} isNamed={isNamed} />}
      searches="Name, email, number, invoice"
      chips={enrolmentChips(view, courses)}
      filters={<EnrolmentFilters values={view.values} courses={courses} />}
      rows={rows}
      keyOf={({ reference }) => reference}
      choosing={{
        list,
        all: { ...matching, most: mostAtOnce },
        acts: chosenActs,
        labelOf: ({ buyer, reference }) => `${buyer}, ${reference}`,
      }}
      none={
        older
          ? 'None of those we looked at match. "Older" looks further.'
          : list !== ''
            ? 'No enrolment matches. Take a filter off, or use fewer words.'
            : 'Nobody has enrolled yet.'
      }
    />
  );
}
