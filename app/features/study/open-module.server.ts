import type { Trx } from '#app/db/client.server.ts';
import { lockEnrolment, type Meanwhile } from '#app/features/enrolments/lock-enrolment.server.ts';
import { isAccessOver } from '#app/features/money/guided-access.ts';
import { isOverdue } from '#app/features/money/open-invoices.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { askForModule } from './asked-modules.server.ts';
import { readModuleText } from './module-text.server.ts';

/** A module of guided study that somebody opens; `early` says that they agreed to start before their Monday. */
export type Opening = { enrolmentId: number; attendeeId: number; placeId: number; module: number; early: boolean };

export type NotOpened =
  | Meanwhile
  /** No such module in a place of this attendee, or the place was cancelled. */
  | { ok: false; reason: 'no-module' }
  | { ok: false; reason: 'access-over' }
  /** The Monday is still to come: opening it starts the study today, which the attendee has to agree to (P40). */
  | { ok: false; reason: 'begins-later' }
  /** An invoice of the enrolment is overdue (P105). */
  | { ok: false; reason: 'overdue' };

/**
 * Opens a module of an attendee's guided study, which lowers what comes back on cancelling (P100). One without a text is
 * asked for instead and lowers nothing (P105). A repeat is answered the same way and changes nothing.
 */
export async function openModule(
  trx: Trx,
  { enrolmentId, attendeeId, placeId, module, early }: Opening,
  moment: Moment,
): Promise<{ ok: true; asked: boolean } | NotOpened> {
  const { today, now } = moment;
  // Locked, so that a cancellation at the same moment counts this module.
  const locked = await lockEnrolment(trx, enrolmentId, now);
  if (!locked.ok) return locked;
  const place = locked.enrolment.places.find(({ id, attendee }) => id === placeId && attendee.id === attendeeId);
  const wanted = place?.modules.find(({ number }) => number === module);
  if (place?.way !== 'guided' || place.state === 'cancelled' || !wanted) return { ok: false, reason: 'no-module' };
  if (wanted.openedAt) return { ok: true, asked: false };
  if (place.state === 'completed' || isAccessOver(place.guidedFrom, today)) return { ok: false, reason: 'access-over' };
  const begun = today >= place.guidedFrom || place.modules.some(({ openedAt }) => openedAt !== null);
  if (!begun && !early) return { ok: false, reason: 'begins-later' };
  if (await isOverdue(trx, enrolmentId, today)) return { ok: false, reason: 'overdue' };
  const titles = place.modules.map(({ title }) => title);
  const text = await readModuleText(trx, { courseId: place.courseId, number: module, titles });
  if (text === null) {
    await askForModule(trx, { placeId, module }, moment);
    return { ok: true, asked: true };
  }
  await trx.insertInto('module_openings').values({ place_id: placeId, module, opened_at: now }).execute();
  return { ok: true, asked: false };
}
