import type { Db } from '#app/db/client.server.ts';
import { makeEnrolmentLink } from '#app/features/enrolments/links.server.ts';
import type { AttendeeWish } from '#app/features/enrolments/order.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { type StaffActor, theProgram } from '#app/features/people/actor.ts';
import { issueCertificate } from '#app/features/study/certificates/issue.server.ts';
import { markDay } from '#app/features/study/marking.server.ts';
import { attendee, makeCourseDate, momentAt, placeIn } from './enrolments.ts';
import { makeStaff } from './staff.ts';

/** The days of the class below: Monday 3 to Wednesday 5 November 2025, seven hours each. */
export const classDays = ['2025-11-03', '2025-11-04', '2025-11-05'] as const;
/** The afternoon of the last day. */
export const afterClass = momentAt('2025-11-05T17:30');

export type Class = {
  courseDate: { id: number; courseId: number; slug: string };
  instructor: StaffActor;
  teachesAs: string;
};

/** A class of three days in CISSP with its instructor. */
export async function makeClass(db: Db): Promise<Class> {
  const made = await makeCourseDate(db, { capacity: 20 });
  const { slug, instructor_slug: teachesAs } = await db
    .updateTable('course_dates')
    .set({ ends_on: '2025-11-05', break_minutes: 60 })
    .where('id', '=', made.id)
    .returning(['slug', 'instructor_slug'])
    .executeTakeFirstOrThrow();
  const staff = await makeStaff(db, { email: 'mara@staff.example', name: 'Mara' }, momentAt('2025-09-08T09:00').now, {
    role: 'instructor',
    teachesAs,
  });
  return { courseDate: { ...made, slug }, instructor: { ...staff.actor, teachesAs: [teachesAs] }, teachesAs };
}

export type InClass = { placeId: number; enrolmentId: number; attendeeId: number };

/** Enrols somebody in a class, who is then there on so many of its days. */
export async function attends(
  db: Db,
  { courseDate, instructor }: Class,
  parts: Partial<AttendeeWish> = {},
  days: number = classDays.length,
): Promise<InClass> {
  const { enrolmentId } = await placeIn(db, courseDate, { attendees: [attendee(parts)] });
  const [place] = (await readEnrolment(db, enrolmentId)).places;
  if (!place) throw new Error('nothing was placed');
  for (const day of classDays.slice(0, days)) await markPresent(db, place.id, { courseDate, instructor }, day);
  return { placeId: place.id, enrolmentId, attendeeId: place.attendee.id };
}

/** Marks somebody as there on a day, at five past nine. */
export async function markPresent(
  db: Db,
  placeId: number,
  { courseDate, instructor }: Pick<Class, 'courseDate' | 'instructor'>,
  day: string,
): Promise<void> {
  const wish = { mark: 'present', minutesLate: 0, minutesLeftEarly: 0, tap: null, reason: '' } as const;
  const result = await db
    .transaction()
    .execute((trx) =>
      markDay(
        trx,
        { ...wish, placeId, courseDateId: courseDate.id, day, key: crypto.randomUUID() },
        { actor: instructor, now: momentAt(`${day}T09:05`).now },
      ),
    );
  if (!result.ok) throw new Error(result.reason);
}

/** Issues the certificate of a place; throws when that is refused. */
export async function issued(db: Db, placeId: number, moment = afterClass): Promise<{ id: number; number: string }> {
  const result = await db
    .transaction()
    .execute((trx) => issueCertificate(trx, { placeId, workAccepted: true, actor: theProgram }, moment));
  if (!result.ok) throw new Error(result.why.join(' '));
  return { id: result.id, number: result.number };
}

/** The private page of a place. */
export const pageOf = async (db: Db, { enrolmentId, attendeeId }: InClass): Promise<string> =>
  `/place/${await makeEnrolmentLink(db, enrolmentId, attendeeId)}`;
