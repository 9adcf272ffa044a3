import { mayReadNeeds } from '#app/features/enrolments/needs-for-staff.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { byteOrderMark, csvLine } from '#app/lib/csv-cell.ts';
import type { CourseDateAttendee } from './course-date-people.server.ts';

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
export function attendeeCsv(attendees: readonly CourseDateAttendee[], actor: StaffActor): string {
  const columns = [
    ...ofAttendees,
    ...(mayReadNeeds(actor) ? ofNeeds : []),
    ...(actor.can.has('enrolments:read') ? ofEnrolments : []),
  ];
  const lines = attendees.map((attendee) => csvLine(columns.map(([, textOf]) => textOf(attendee))));
  return [byteOrderMark, csvLine(columns.map(([name]) => name)), ...lines].join('');
}
