import { data, href } from 'react-router';
import { daysFrom } from '#app/features/course-dates/clashes.ts';
import { findCourseDate, readAttendees } from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { mayReadNeeds } from '#app/features/enrolments/needs.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { shortDay } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { formatTime, zoneOfDays } from '#app/lib/wall-clock.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { Back, Sideways, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/sheet';

export async function loader({ context, params: { slug }, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'attendees:read');
  const { db, clock } = context.get(academyContext);
  const found = await unlessDatabaseAway(async () => {
    const courseDate = await findCourseDate(db, actor, slug, academyToday(clock));
    return courseDate && { courseDate, attendees: await readAttendees(db, actor, courseDate.id) };
  });
  if (!found) throw data(`There is no course date ${slug}.`, { status: 404 });
  const { title, days, where, startsAt, endsAt, zone, startDate, endDate, instructor } = found.courseDate;
  // The sheet is passed around in class, so only the instructor's copy has the needs of attendees.
  const seesNeeds = mayReadNeeds(actor);
  const withNeeds = seesNeeds && url.searchParams.get('needs') === 'yes';
  return {
    slug,
    title,
    when: `${days}, ${formatTime(startsAt)} to ${formatTime(endsAt)} ${zoneOfDays(zone, [startDate, endDate])}, ${where}`,
    instructor,
    seesNeeds,
    withNeeds,
    days: daysFrom(startDate, endDate).map((day) => ({ day, text: shortDay(day) })),
    people: found.attendees.map(({ id, name, needs, under_18, organisation }) => ({
      id,
      name: showControlCharacters(name ?? ''),
      organisation: showControlCharacters(organisation ?? ''),
      needs: withNeeds
        ? [showControlCharacters(needs ?? ''), under_18 ? 'Under 18' : ''].filter((note) => note !== '').join('. ')
        : '',
    })),
  };
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  staffMeta(loaderData ? `Attendance sheet, ${loaderData.title}` : 'Attendance sheet');

/** For printing: a line for each person, a column for each day to sign in. */
export default function Sheet({ loaderData }: Route.ComponentProps) {
  const { slug, title, when, instructor, seesNeeds, withNeeds, days, people } = loaderData;
  const own = href('/staff/course-dates/:slug/sheet', { slug });
  return (
    <div className="wide-sheet">
      <Back to={href('/staff/course-dates/:slug', { slug })}>{title}</Back>
      <h1 className="text-2xl">Attendance sheet</h1>
      <p className="mt-1 text-lg font-semibold">{title}</p>
      <p className="tabular">{when}</p>
      <p>
        Instructor: {instructor}. {people.length === 1 ? '1 person' : `${people.length} people`}.
      </p>
      <p className="mt-1 mb-4 text-sm text-mute print:hidden">
        Print it with your browser: only the sheet is printed.{' '}
        {seesNeeds &&
          (withNeeds ? (
            <TextLink to={own}>Without needs, to pass round</TextLink>
          ) : (
            <TextLink to={`${own}?needs=yes`}>With needs, for the instructor</TextLink>
          ))}
      </p>
      {people.length === 0 ? (
        <Words>Nobody has enrolled yet.</Words>
      ) : (
        <Sideways>
          <table
            aria-label="Attendance sheet"
            className="w-full border-collapse text-left [&_td]:border [&_td]:border-edge [&_td]:p-2 [&_td]:align-top [&_th]:border [&_th]:border-edge [&_th]:p-2 [&_tr]:break-inside-avoid"
          >
            <thead>
              <tr>
                <th scope="col" className="min-w-36">
                  Name
                </th>
                {withNeeds && <th scope="col">Needs</th>}
                {days.map(({ day, text }) => (
                  <th key={day} scope="col" className="tabular w-24 whitespace-nowrap sm:w-36">
                    {text}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {people.map(({ id, name, organisation, needs }) => (
                <tr key={id} className="h-12">
                  <td>
                    <b className="wrap-anywhere">{name}</b>
                    {organisation && <div className="text-sm text-mute">{organisation}</div>}
                  </td>
                  {withNeeds && <td>{needs}</td>}
                  {days.map(({ day }) => (
                    <td key={day} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Sideways>
      )}
    </div>
  );
}
