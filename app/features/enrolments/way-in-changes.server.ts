import type { Trx } from '#app/db/client.server.ts';
import { type Actor, requirePermission } from '#app/features/people/actor.ts';
import { lockSessions } from '#app/features/seats/commands.server.ts';
import { setWayIn } from '#app/features/sessions/way-in.server.ts';
import type { WayIn } from '#app/features/sessions/way-in.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { markChanged } from './lock-enrolment.server.ts';
import { queuePlaceMails } from './mails.server.ts';
import { groupsOf } from './place-groups.ts';
import { enrolmentsIn } from './queries.server.ts';

/** Staff set the room or the link of a session: everybody in it gets an email with a new calendar entry (P39). */
export async function setWayInAndTell(
  trx: Trx,
  sessionId: number,
  { wayIn, actor }: { wayIn: WayIn; actor: Actor },
  moment: Moment,
): Promise<Awaited<ReturnType<typeof setWayIn>> | { ok: false; reason: 'unknown' }> {
  requirePermission(actor, 'sessions:change');
  const { now, today } = moment;
  const session = (await lockSessions(trx, [sessionId], now)).get(sessionId);
  if (!session) return { ok: false, reason: 'unknown' };
  const result = await setWayIn(trx, session, wayIn, today);
  if (!result.ok) return result;
  for (const id of await enrolmentsIn(trx, sessionId)) {
    const enrolment = await markChanged(trx, id, now);
    for (const places of groupsOf(enrolment.places.filter((place) => place.session?.id === sessionId))) {
      await queuePlaceMails(trx, enrolment, { change: 'way-in', places }, moment);
    }
  }
  return result;
}
