import { data, href } from 'react-router';
import { findCourseDate, readAttendees } from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { mayReadNeeds } from '#app/features/enrolments/needs.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { shownPhone } from '#app/lib/phone-number.server.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { formatTime, zoneOfDays } from '#app/lib/wall-clock.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { Back, Sideways, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/attendees';

export async function loader({ context, params: { slug } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'attendees:read');
  const { db, clock } = context.get(academyContext);
  const found = await unlessDatabaseAway(async () => {
    const courseDate = await findCourseDate(db, actor, slug, academyToday(clock));
    return courseDate && { courseDate, attendees: await readAttendees(db, actor, courseDate.id) };
  });
  if (!found) throw data(`There is no course date ${slug}.`, { status: 404 });
  return {
    courseDate: found.courseDate,
    seesNeeds: mayReadNeeds(actor),
    attendees: found.attendees.map(({ id, name, needs, under_18, guardian_name, guardian_email, ...attendee }) => ({
      id,
      name: showControlCharacters(name ?? ''),
      from: showControlCharacters(attendee.organisation ?? attendee.buyer_name),
      phone: shownPhone(attendee.phone),
      needs: showControlCharacters(needs ?? ''),
      guardian: under_18 ? showControlCharacters([guardian_name, guardian_email].filter(Boolean).join(', ')) : '',
    })),
  };
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  staffMeta(loaderData ? `Attendees, ${loaderData.courseDate.title}, ${loaderData.courseDate.days}` : 'Attendees');

/** For printing: black on white, a line to sign on, no money. */
export default function Attendees({ loaderData: { courseDate, seesNeeds, attendees } }: Route.ComponentProps) {
  const zone = zoneOfDays(courseDate.zone, [courseDate.startDate, courseDate.endDate]);
  return (
    <>
      <Back to={href('/staff/course-dates/:slug', { slug: courseDate.slug })}>{courseDate.title}</Back>
      <h1 className="text-2xl">Attendees</h1>
      <p className="mt-1 text-lg font-semibold">{courseDate.title}</p>
      <p className="tabular">
        {courseDate.days}, {formatTime(courseDate.startsAt)} to {formatTime(courseDate.endsAt)} {zone},{' '}
        {courseDate.where}. Instructor: {courseDate.instructor}. {attendees.length}{' '}
        {attendees.length === 1 ? 'person' : 'people'}.
      </p>
      <p className="mt-1 mb-5 text-sm text-mute print:hidden">Print it with your browser: only the list is printed.</p>
      {attendees.length === 0 ? (
        <Words>Nobody has enrolled yet.</Words>
      ) : (
        <Sideways>
          <table
            aria-label="Attendees"
            className="w-full border-collapse text-left text-sm [&_td]:border [&_td]:border-edge [&_td]:p-2 [&_td]:align-top [&_th]:border [&_th]:border-edge [&_th]:p-2 [&_tr]:break-inside-avoid"
          >
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">From, phone</th>
                {seesNeeds && <th scope="col">Needs</th>}
                {seesNeeds && <th scope="col">Guardian</th>}
                <th scope="col" className="w-40">
                  Signed
                </th>
              </tr>
            </thead>
            <tbody>
              {attendees.map(({ id, name, from, phone, needs, guardian }) => (
                <tr key={id}>
                  <td className="font-bold">{name || 'To be named'}</td>
                  <td>
                    {from}
                    {phone && <div className="tabular whitespace-nowrap">{phone}</div>}
                  </td>
                  {seesNeeds && <td>{needs}</td>}
                  {seesNeeds && <td>{guardian}</td>}
                  <td />
                </tr>
              ))}
            </tbody>
          </table>
        </Sideways>
      )}
    </>
  );
}
