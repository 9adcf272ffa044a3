import {
  type CourseDateAttendee,
  findCourseDate,
  mayDownloadAttendees,
  readAttendees,
} from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { mayReadNeeds } from '#app/features/enrolments/needs.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { byteOrderMark, csvLine } from '#app/lib/csv-cell.ts';
import { recordExport } from '#app/routes/staff/lists/csv-file.server.ts';
import type { Route } from './+types/attendees-file';

/** The attendees of a course date, as CSV. */
export async function loader({ context, params: { slug } }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'attendees:read');
  if (!mayDownloadAttendees(actor)) staffFor(context, 'lists:export');
  const academy = context.get(academyContext);
  const { db, clock } = academy;
  const csv = await unlessDatabaseAway(async () => {
    const courseDate = await findCourseDate(db, actor, slug, academyToday(clock));
    if (!courseDate) return null;
    const attendees = await readAttendees(db, actor, courseDate.id);
    const date = new URLSearchParams({ date: courseDate.slug }).toString();
    await recordExport(academy, actor, { list: 'attendees', rows: attendees.length, filters: date });
    return attendeeCsv(attendees, actor);
  });
  if (csv === null) return new Response('Not found\n', { status: 404 });
  return new Response(csv, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="attendees-${slug}.csv"`,
      'Cache-Control': 'private, no-store',
    },
  });
}

type Column = readonly [string, (attendee: CourseDateAttendee) => string | null];
const ofAttendees: readonly Column[] = [
  ['Name', ({ name }) => name ?? 'to be named'],
  ['Email', ({ email }) => email],
];
const ofNeeds: readonly Column[] = [
  ['Needs', ({ needs }) => needs],
  ['Under 18', ({ under_18 }) => (under_18 ? 'yes' : '')],
  ['Guardian', ({ guardian_name }) => guardian_name],
  ['Guardian’s email', ({ guardian_email }) => guardian_email],
];
const ofEnrolments: readonly Column[] = [
  ['Enrolment', ({ reference }) => reference],
  ['Buyer', ({ buyer_name }) => buyer_name],
  ['Organisation', ({ organisation }) => organisation],
  ['Buyer’s email', ({ buyer_email }) => buyer_email],
  ['Phone', ({ phone }) => phone],
];

/**
 * RFC 4180 in UTF-8 with a byte order mark, by which spreadsheets know the encoding; every cell quoted. Who bought is for
 * those who may read enrolments (P68); needs and guardians are for those who teach and those who enrol.
 */
function attendeeCsv(attendees: readonly CourseDateAttendee[], actor: StaffActor): string {
  const columns = [
    ...ofAttendees,
    ...(mayReadNeeds(actor) ? ofNeeds : []),
    ...(actor.can.has('enrolments:read') ? ofEnrolments : []),
  ];
  const lines = attendees.map((attendee) => csvLine(columns.map(([, textOf]) => textOf(attendee))));
  return [byteOrderMark, csvLine(columns.map(([name]) => name)), ...lines].join('');
}
