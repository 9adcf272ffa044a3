import { href } from 'react-router';
import { courseListPrefix } from '#app/features/enrolments/waiting/board.server.ts';
import { type Demand, listDemand, listWaitingLists } from '#app/features/enrolments/waiting/queries.server.ts';
import { venueText, weekText } from '#app/features/enrolments/waiting/rules.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDays } from '#app/lib/dates.ts';
import { button } from '#app/ui/button.ts';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { Rows } from '#app/ui/staff/list.tsx';
import { PageHead } from '#app/ui/staff/page-head.tsx';
import { TextLink } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/waiting';
import { staffMeta } from './frame/staff-meta.ts';

export async function loader({ context }: Route.LoaderArgs) {
  const actor = staffFor(context, 'waiting:read');
  const { db, clock } = context.get(academyContext);
  const [lists, wanted] = await unlessDatabaseAway(() =>
    Promise.all([listWaitingLists(db, actor), listDemand(db, actor, academyToday(clock))]),
  );
  return {
    lists: lists.map(
      ({ courseSlug, courseTitle, courseDateSlug, startsOn, endsOn, people, seats, offers, unconfirmed }) => ({
        to: href('/staff/waiting/:courseDate', { courseDate: courseDateSlug ?? courseListPrefix + courseSlug }),
        title: courseTitle,
        date: startsOn && endsOn ? formatDays(startsOn, endsOn) : 'The next date',
        people,
        seats,
        offers,
        unconfirmed,
      }),
    ),
    wanted: byCourse(wanted),
  };
}

/** A course with a line for each week and place. */
function byCourse(wanted: readonly Demand[]) {
  return [...Map.groupBy(wanted, ({ courseSlug }) => courseSlug)].map(([slug, lines]) => ({
    to: href('/staff/waiting/:courseDate', { courseDate: courseListPrefix + slug }),
    title: lines[0]?.courseTitle ?? slug,
    lines: lines.map(({ week, venue, people, seats }) => ({
      week: week ? weekText(week) : 'Any week',
      place: venue ? venueText(venue) : 'Any place',
      count: `${people === 1 ? '1 person' : `${people} people`}, ${seats === 1 ? '1 seat' : `${seats} seats`}`,
    })),
  }));
}

export const meta = () => staffMeta('Waiting lists');

export default function WaitingLists({ loaderData: { lists, wanted } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Waiting lists">
        <OnlyWith permission="lists:export">
          <a href={href('/staff/:list.csv', { list: 'waiting' })} className={button.quiet}>
            Export CSV
          </a>
        </OnlyWith>
      </PageHead>
      <p className="mb-5 max-w-prose text-sm text-mute">
        When seats become free, we offer them automatically and in order, before anyone else can buy them. We offer none
        to people who have not confirmed their address.
      </p>
      <Rows
        rows={lists}
        keyOf={({ to }) => to}
        columns="md:grid-cols-[minmax(0,1fr)_16rem_14rem]"
        none={<p>Nobody is waiting.</p>}
      >
        {(list) => (
          <>
            <span>
              <TextLink to={list.to}>{list.title}</TextLink>
            </span>
            <span className="tabular">{list.date}</span>
            <span className="tabular text-mute">
              {list.people === 1 ? '1 entry' : `${list.people} entries`},{' '}
              {list.seats === 1 ? '1 seat' : `${list.seats} seats`}
              {list.offers > 0 && `, ${list.offers} offered`}
              {list.unconfirmed > 0 && `, ${list.unconfirmed} not confirmed yet`}
            </span>
          </>
        )}
      </Rows>
      {wanted.length > 0 && (
        <section aria-labelledby="wanted-title" className="mt-8">
          <h2 id="wanted-title" className="mb-1.5 text-lg">
            Who would come
          </h2>
          <p className="mb-4 max-w-prose text-sm text-mute">
            People who wait for a date of a course and have confirmed. Somebody who named several weeks counts in each.
          </p>
          <Rows rows={wanted} keyOf={({ to }) => to} columns="md:grid-cols-[minmax(0,1fr)_34rem]">
            {({ to, title, lines }) => (
              <>
                <span>
                  <TextLink to={to}>{title}</TextLink>
                </span>
                <ul className="grid gap-1">
                  {lines.map(({ week, place, count }) => (
                    <li
                      key={`${week} ${place}`}
                      className="tabular flex flex-wrap gap-x-6 md:grid md:grid-cols-[12rem_8rem_minmax(0,1fr)]"
                    >
                      <span>{week}</span>
                      <span>{place}</span>
                      <span className="text-mute">{count}</span>
                    </li>
                  ))}
                </ul>
              </>
            )}
          </Rows>
        </section>
      )}
    </>
  );
}
