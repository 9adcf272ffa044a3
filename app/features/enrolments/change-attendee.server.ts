import type { Trx } from '#app/db/client.server.ts';
import { type Actor, requirePermission } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { haveCommonWord, haveSameWords } from '#app/lib/name-words.ts';
import { partAttendee, staysWithAttendee } from './attended-places.server.ts';
import { countChange, countGiven, type TooManyMails } from './buyer-limits.server.ts';
import { recordCorrection } from './corrections.server.ts';
import type { Attendee } from './enrolment.ts';
import { lockEnrolment, type Meanwhile, markChanged } from './lock-enrolment.server.ts';
import { queueAttendeeLeft, queuePlaceMails } from './mails.server.ts';
import type { AttendeeWish } from './order.ts';
import { queuePlaceGiven } from './placed-mails.server.ts';
import { attendeesInWords } from './words.ts';
import { attendeeColumns } from './write-places.server.ts';

type NotChanged =
  | Meanwhile
  | TooManyMails
  /** `attended`: another person is named, and all of their places stay with the one who attended. */
  | { ok: false; reason: 'unknown' | 'no-place' | 'attended' };

/** The new attendee. Changes by the buyer's private link have limits. */
export type AttendeeChange = { enrolmentId: number; attendeeId: number; attendee: AttendeeWish; actor: Actor };

/**
 * Names an attendee, corrects what is known of them, or lets another person attend: free, and no move (P40). The links
 * of somebody whose address is replaced are ended, and both addresses are told. What somebody has attended stays
 * theirs: another person gets the other places only (P50, P64). `changed` is false when it was all the same.
 */
export async function changeAttendee(
  trx: Trx,
  { enrolmentId, attendeeId, attendee, actor }: AttendeeChange,
  moment: Moment,
): Promise<{ ok: true; changed: boolean } | NotChanged> {
  requirePermission(actor, 'enrolments:change');
  const { now } = moment;
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
  const personBefore = await personOf(trx, attendeeId);
  const another = await givenFrom(trx, { id: attendeeId, before, wish: attendee, personBefore });
  const taken = another !== null || isTakenOff(before, attendee);
  const stays = taken ? await staysWithAttendee(trx, places, now) : new Set<number>();
  const given = active.filter(({ id }) => !stays.has(id));
  if (given.length === 0) return { ok: false, reason: 'attended' };
  if (actor.kind === 'buyer' && !(sameName && sameAddress)) {
    const to = sameAddress ? null : email;
    const refused = await countChange(trx, locked.enrolment, to, now);
    if (refused) return refused;
    await countGiven(trx, locked.enrolment, to, now);
  }

  if (stays.size > 0) await partAttendee(trx, attendeeId, [...stays]);
  if (another) await handOver(trx, attendeeId, { personBefore: another.person, at: now });
  await trx
    .updateTable('attendees')
    .set({ ...attendeeColumns(attendee), told: before.told || !sameAddress })
    .where('id', '=', attendeeId)
    .execute();
  const fields = { name: !sameName, email: before.email !== email, needs: before.needs !== needs, other: true };
  const names = sameName ? null : { before: before.name, after: name };
  const replaced = sameAddress ? null : personBefore;
  await recordCorrection(trx, { enrolmentId, attendeeId, fields, names, personBefore: replaced, actor, at: now });
  if (!sameAddress) await trx.deleteFrom('private_links').where('attendee_id', '=', attendeeId).execute();
  const enrolment = await markChanged(trx, enrolmentId, now);
  if (sameName && sameAddress) return { ok: true, changed: true };
  const current = enrolment.places.filter((place) => given.some(({ id }) => id === place.id));
  const why = another || (before.name !== null && name === null) ? 'other-person' : 'other-address';
  for (const place of sameAddress || !before.told ? [] : given)
    await queueAttendeeLeft(trx, enrolment, { place, why }, moment);
  const [first, ...others] = current;
  if (first && !sameName) {
    // To the buyer only: attendees get their own mail below.
    await queuePlaceMails(
      trx,
      enrolment,
      {
        places: [first, ...others],
        ...(before.name === null
          ? { change: 'attendee-named' }
          : { change: 'attendee-changed', previously: attendeesInWords([before]) }),
        buyerOnly: true,
      },
      moment,
    );
  }
  for (const place of sameAddress ? [] : current) await queuePlaceGiven(trx, enrolment, place, moment);
  return { ok: true, changed: true };
}

/**
 * Whether the place goes to another person, and whose it was: another name at another address. A name alone is
 * corrected, and somebody who moves to another employer has another address. Two corrections one after the other give
 * it away too, when no word of the name that the place had at first is left; a name may have been taken off in between.
 */
async function givenFrom(
  trx: Trx,
  { id, before, wish, personBefore }: { id: number; before: Attendee; wish: AttendeeWish; personBefore: number | null },
): Promise<{ person: number | null } | null> {
  if (wish.name === null) return null;
  const sameAddress = mailboxOf(before.email ?? '') === mailboxOf(wish.email ?? '');
  if (!sameAddress && before.name !== null && !isSameName(before.name, wish.name)) return { person: personBefore };
  const corrections = await correctionsSinceGiven(trx, id);
  const names = corrections.flatMap(({ name_before, name_after }) => name_before ?? name_after ?? []);
  const firstName = names[0] ?? before.name;
  // A place without a name was nobody's to give away.
  if (firstName === null || haveCommonWord(firstName, wish.name)) return null;
  const moves = corrections.filter(
    ({ fields, name_before }) => fields.includes('email') && !(fields.includes('name') && name_before === null),
  );
  if (sameAddress && moves.length === 0) return null;
  return { person: moves.find(({ person_before }) => person_before !== null)?.person_before ?? personBefore };
}

/** Without their name or their address the place would be nobody's. */
const isTakenOff = (before: Attendee, { name, email }: AttendeeWish): boolean =>
  (before.name !== null && name === null) || (before.email !== null && email === null);

const isSameName = (one: string, other: string) =>
  haveSameWords(one, other) ||
  one.normalize('NFC').trim().toLowerCase() === other.normalize('NFC').trim().toLowerCase();

/** The corrections of an attendee since they have had their places, oldest first. */
const correctionsSinceGiven = (trx: Trx, attendeeId: number) =>
  trx
    .selectFrom('corrections')
    .select(['fields', 'name_before', 'name_after', 'person_before'])
    .where('attendee_id', '=', attendeeId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('attendee_handovers as given')
            .select('given.id')
            .whereRef('given.attendee_id', '=', 'corrections.attendee_id')
            .whereRef('given.at', '>=', 'corrections.at'),
        ),
      ),
    )
    .orderBy('id')
    .execute();

async function personOf(trx: Trx, attendeeId: number): Promise<number | null> {
  const query = trx.selectFrom('attendees').select('person_id').where('id', '=', attendeeId);
  return (await query.executeTakeFirstOrThrow()).person_id;
}

/**
 * Stores the time from which the places belong to another person. Earlier attendance and exercises stay with the first
 * person (P64).
 */
async function handOver(
  trx: Trx,
  attendeeId: number,
  { personBefore, at }: { personBefore: number | null; at: Date },
): Promise<void> {
  await trx
    .insertInto('attendee_handovers')
    .values({ attendee_id: attendeeId, at, person_before: personBefore })
    .execute();
  const places = trx.selectFrom('places').select('id').where('attendee_id', '=', attendeeId);
  await trx.deleteFrom('exercise_drafts').where('place_id', 'in', places).execute();
}
