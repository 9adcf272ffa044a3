import { sql } from 'kysely';
import type { Trx } from '#app/db/client.server.ts';
import { type Actor, requirePermission } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { haveCommonWord } from '#app/lib/name-words.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { countChange, countGiven, type TooManyMails } from './buyer-limits.server.ts';
import { recordCorrection } from './corrections.server.ts';
import type { Attendee, Place } from './enrolment.ts';
import { lockEnrolment, type Meanwhile, markChanged } from './lock-enrolment.server.ts';
import { queueAttendeeLeft, queuePlaceMails } from './mails.server.ts';
import { isKept, mayGiveAway } from './may-change.ts';
import type { AttendeeWish } from './order.ts';
import { queuePlaceGiven } from './placed-mails.server.ts';
import { attendeesInWords } from './words.ts';
import { attendeeColumns } from './write-places.server.ts';

type NotChanged =
  | Meanwhile
  | TooManyMails
  /** `begun`: another person is named, and all of their places have begun. */
  | { ok: false; reason: 'unknown' | 'no-place' | 'begun' };

/** The new attendee. Changes by the buyer's private link have limits. */
export type AttendeeChange = {
  enrolmentId: number;
  attendeeId: number;
  attendee: AttendeeWish;
  actor: Actor;
  /** False where the caller tells the buyer. */
  tellBuyer?: boolean;
};

/**
 * Names an attendee, corrects what is known of them, or gives their places to another person (P100): free, and no move.
 * A place that has begun stays with whom it began: another person gets the others only, a name or address is corrected
 * still. The links of somebody whose address is replaced are ended, and both addresses are told. `changed` is false when
 * it was all the same.
 */
export async function changeAttendee(
  trx: Trx,
  { enrolmentId, attendeeId, attendee, actor, tellBuyer = true }: AttendeeChange,
  moment: Moment,
): Promise<{ ok: true; changed: boolean } | NotChanged> {
  requirePermission(actor, 'enrolments:change');
  const { now, today } = moment;
  const locked = await lockEnrolment(trx, enrolmentId, now);
  if (!locked.ok) return locked;
  const places = locked.enrolment.places.filter((place) => place.attendee.id === attendeeId);
  const before = places[0]?.attendee;
  if (!before) return { ok: false, reason: 'unknown' };
  const active = places.filter(({ state }) => state === 'active');
  if (active.length === 0) return { ok: false, reason: 'no-place' };
  const { name, email, needs, under18, guardian } = attendee;
  const sameName = before.name === name;
  const sameAddress = mailboxOf(before.email ?? '') === mailboxOf(email ?? '');
  const sameRest =
    before.email === email &&
    before.needs === needs &&
    before.under18 === under18 &&
    before.guardianName === (guardian?.name ?? null) &&
    before.guardianEmail === (guardian?.email ?? null);
  if (sameName && sameRest) return { ok: true, changed: false };
  const kept = places.filter((place) => isKept(place, today));
  const stays = kept.length > 0 && (await isAnother(trx, { id: attendeeId, before, wish: attendee, kept })) ? kept : [];
  const given = active.filter((place) => stays.length === 0 || mayGiveAway(place, today) === 'yes');
  if (given.length === 0) return { ok: false, reason: 'begun' };
  if (actor.kind === 'buyer' && !(sameName && sameAddress)) {
    const to = sameAddress ? null : email;
    const refused = await countChange(trx, locked.enrolment, to, now);
    if (refused) return refused;
    await countGiven(trx, locked.enrolment, to, now);
  }

  const otherPerson = namesAnother(before, attendee);
  if (stays.length > 0) await partAttendee(trx, attendeeId, stays);
  // Another person may well come.
  if (otherPerson) await trx.deleteFrom('absence_notices').where('place_id', 'in', idsOf(given)).execute();
  await trx
    .updateTable('attendees')
    .set({ ...attendeeColumns(attendee), told: before.told || !sameAddress })
    .where('id', '=', attendeeId)
    .execute();
  const fields = {
    ...{ name: !sameName, email: before.email !== email, needs: before.needs !== needs, other: true },
    person: otherPerson,
  };
  const names = sameName ? null : { before: before.name, after: name };
  await recordCorrection(trx, { enrolmentId, attendeeId, fields, names, actor, at: now });
  if (!sameAddress) await trx.deleteFrom('private_links').where('attendee_id', '=', attendeeId).execute();
  const enrolment = await markChanged(trx, enrolmentId, now);
  if (sameName && sameAddress) return { ok: true, changed: true };
  const current = enrolment.places.filter((place) => given.some(({ id }) => id === place.id));
  const why = otherPerson ? 'other-person' : 'other-address';
  for (const place of sameAddress || !before.told ? [] : given)
    await queueAttendeeLeft(trx, enrolment, { place, why }, moment);
  const [first, ...others] = current;
  if (first && !sameName && tellBuyer) {
    // To the buyer only: attendees get their own mail below.
    await queuePlaceMails(
      trx,
      enrolment,
      {
        places: [first, ...others],
        ...(before.name === null
          ? { change: 'attendee-named' }
          : {
              change: otherPerson ? 'attendee-changed' : 'attendee-corrected',
              previously: attendeesInWords([before]),
            }),
        buyerOnly: true,
      },
      moment,
    );
  }
  for (const place of sameAddress ? [] : current) await queuePlaceGiven(trx, enrolment, place, moment);
  return { ok: true, changed: true };
}

const idsOf = (places: readonly Place[]) => places.map(({ id }) => id);

/** No word of a name is left and the address is another one, or a name is taken off. */
const namesAnother = (before: Attendee, { name, email }: AttendeeWish): boolean =>
  before.name !== null &&
  (name === null || (!haveCommonWord(before.name, name) && mailboxOf(before.email ?? '') !== mailboxOf(email ?? '')));

/**
 * Whether places that have begun would be another person's, or nobody's: no word is left of the name with which they
 * began, at another address. One correction after the other leads there too.
 */
async function isAnother(
  trx: Trx,
  { id, before, wish, kept }: { id: number; before: Attendee; wish: AttendeeWish; kept: readonly Place[] },
): Promise<boolean> {
  if (before.name !== null && wish.name === null) return true;
  if (before.email !== null && wish.email === null) return true;
  const since = await trx
    .selectFrom('corrections')
    .select(['fields', 'name_before'])
    .where('attendee_id', '=', id)
    .where('at', '>=', new Date(Math.min(...kept.map(beganAt))))
    .orderBy('id')
    .execute();
  const name = since.find(({ name_before }) => name_before !== null)?.name_before ?? before.name;
  const moved = mailboxOf(before.email ?? '') !== mailboxOf(wish.email ?? '') || since.some(isMove);
  return moved && name !== null && wish.name !== null && !haveCommonWord(name, wish.name);
}

/** Somebody who is named first has no address before. */
const isMove = ({ fields, name_before }: { fields: string[]; name_before: string | null }) =>
  fields.includes('email') && !(fields.includes('name') && name_before === null);

/** The instant at which a place began, in milliseconds. */
function beganAt({ courseDate, modules }: Place): number {
  if (courseDate) return instantOf(courseDate.startsOn, '00:00', academyZone).getTime();
  return Math.min(...modules.flatMap(({ openedAt }) => openedAt?.getTime() ?? []));
}

/**
 * Moves places to an attendee of their own who is the same person, with the private links and the dates that they were
 * moved from. The other places keep their attendee, who becomes another person.
 */
async function partAttendee(trx: Trx, attendeeId: number, places: readonly Place[]): Promise<void> {
  const { id } = await trx
    .insertInto('attendees')
    .columns([
      ...(['enrolment_id', 'name', 'email', 'mailbox', 'under_18', 'guardian_name', 'guardian_email'] as const),
      ...(['told', 'parted_from'] as const),
    ])
    .expression(
      trx
        .selectFrom('attendees')
        .select(['enrolment_id', 'name', 'email', 'mailbox', 'under_18', 'guardian_name', 'guardian_email', 'told'])
        .select(sql<number>`coalesce(parted_from, id)`.as('parted_from'))
        .where('id', '=', attendeeId),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`with recursive kept as (
      select id, transferred_from from places where id = any(${idsOf(places)}::bigint[])
      union select places.id, places.transferred_from from places join kept on places.id = kept.transferred_from
    ) update places set attendee_id = ${id} where id in (select id from kept)`.execute(trx);
  await trx.updateTable('private_links').set({ attendee_id: id }).where('attendee_id', '=', attendeeId).execute();
}
