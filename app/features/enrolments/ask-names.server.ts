import type { Trx } from '#app/db/client.server.ts';
import { namesAsked } from '#app/emails/companies.ts';
import { type Actor, requirePermission } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { compareText } from '#app/lib/compare-text.ts';
import { formatDayAndMonth } from '#app/lib/dates.ts';
import { isErased } from '#app/lib/erased-address.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { enrolmentLink } from './links.server.ts';
import { readEnrolment } from './queries.server.ts';
import { placeWhen } from './words.ts';

/**
 * Asks the buyer for the names of attendees who have none and whose course is still to come; courses that have begun and
 * dates that we cancelled count in neither number. The mail is of no use from the first day on.
 */
export async function askForNames(
  trx: Trx,
  { enrolmentId, actor, bulkAction }: { enrolmentId: number; actor: Actor; bulkAction: number },
  { today, academy }: Pick<Moment, 'today' | 'academy'>,
): Promise<{ ok: true } | { ok: false; reason: 'all-named' | 'begun' | 'erased' }> {
  requirePermission(actor, 'mail:send');
  const { reference, title, email, places } = await readEnrolment(trx, enrolmentId);
  const startOf = (place: (typeof places)[number]) => place.courseDate?.startsOn ?? place.guidedFrom;
  const active = places.filter(({ state }) => state === 'active');
  if (active.every(({ attendee }) => attendee.name !== null)) return { ok: false, reason: 'all-named' };
  if (isErased(email)) return { ok: false, reason: 'erased' };
  const ahead = active.flatMap((place) => {
    const starts = startOf(place);
    return starts !== null && starts > today && place.courseDate?.state !== 'cancelled' ? [{ place, starts }] : [];
  });
  const unnamed = ahead.filter(({ place }) => place.attendee.name === null);
  const [next] = unnamed.toSorted((a, b) => compareText(a.starts, b.starts));
  if (!next) return { ok: false, reason: 'begun' };
  const peopleOf = (some: typeof ahead) => new Set(some.map(({ place }) => place.attendee.id)).size;
  const link = enrolmentLink(enrolmentId);
  await queueMail(trx, {
    kind: 'names-asked',
    about: { kind: 'enrolment', id: enrolmentId },
    to: email,
    replyTo: academy.email,
    links: [link],
    bulkAction,
    staleAfter: instantOf(next.starts, '00:00', academyZone),
    ...namesAsked({
      reference,
      title,
      starts: formatDayAndMonth(next.starts),
      course: next.place.courseTitle,
      when: placeWhen(next.place),
      missing: peopleOf(unnamed),
      all: peopleOf(ahead),
      link: placeholderOf(link),
      academy,
    }),
  });
  return { ok: true };
}
