import type { Trx } from '#app/db/client.server.ts';
import { setJoiningDetails } from '#app/features/course-dates/joining-details.server.ts';
import type { JoiningDetails } from '#app/features/course-dates/joining-details.ts';
import { lockCourseDates } from '#app/features/course-dates/seats.server.ts';
import { type Actor, requirePermission } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { markChanged } from './lock-enrolment.server.ts';
import { queuePlaceMails } from './mails.server.ts';
import { groupsOf } from './place-groups.ts';
import { enrolmentsIn } from './queries.server.ts';

/** Staff set the room or the link of a course date: everybody in it gets an email with a new calendar entry (P39). */
export async function setJoiningDetailsAndTell(
  trx: Trx,
  courseDateId: number,
  { joiningDetails, actor }: { joiningDetails: JoiningDetails; actor: Actor },
  moment: Moment,
): Promise<Awaited<ReturnType<typeof setJoiningDetails>> | { ok: false; reason: 'unknown' }> {
  requirePermission(actor, 'course-dates:change');
  const { now, today } = moment;
  const courseDate = (await lockCourseDates(trx, [courseDateId], now)).get(courseDateId);
  if (!courseDate) return { ok: false, reason: 'unknown' };
  const result = await setJoiningDetails(trx, courseDate, joiningDetails, today);
  if (!result.ok) return result;
  for (const id of await enrolmentsIn(trx, courseDateId)) {
    const enrolment = await markChanged(trx, id, now);
    for (const places of groupsOf(enrolment.places.filter((place) => place.courseDate?.id === courseDateId))) {
      await queuePlaceMails(trx, enrolment, { change: 'joining-details', places }, moment);
    }
  }
  return result;
}
