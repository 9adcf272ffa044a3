import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import {
  type Asked,
  type Done,
  done,
  meanwhile,
  refused,
  withEnrolment,
} from '#app/features/enrolments/lock-enrolment.server.ts';
import { findCourseWithoutDate, transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { datePlaces } from '#app/features/enrolments/waiting/date-places.server.ts';
import { type StaffFormResult, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { cancelForm, transferForm } from './enrolment-forms.ts';

/** Cancels places by the terms, or gives all of it back with a reason (P99, P100). */
export function takeCancellation(academy: Academy, { form, reference, actor }: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: cancelForm,
    subject: `enrolment:${reference}`,
    actor,
    act(trx, { places, shown, how, reason }, moment) {
      return withEnrolment(trx, reference, async (enrolmentId): Promise<Done> => {
        const full = how === 'full';
        const cancellation = {
          enrolmentId,
          placeIds: places,
          why: 'staff',
          actor,
          ...(full && { inFull: { reason } }),
          shownCents: full ? null : shown,
        } as const;
        const result = await cancelPlaces(trx, cancellation, moment);
        if (result.ok) {
          return done('cancel-places', { places: places.length, 'to-refund': formatExact(result.refundCents) });
        }
        if (result.reason === 'refund-changed') {
          return refused(
            `The amount taken off has changed since you opened this page: ${formatExact(result.nowCents)} instead of ${formatExact(result.shownCents)}. Open it again.`,
          );
        }
        return refused(notCancelled[result.reason]);
      });
    },
  });
}

const notCancelled = {
  meanwhile,
  'not-active': 'One of these places is already cancelled or over.',
  'below-minimum': 'Too few people would be left on the date.',
  'not-whole': 'Under the terms a combo is cancelled as a whole. To refund only these courses, give a reason.',
};

const notTransferred: Record<string, string> = {
  meanwhile,
  'not-active': 'This place is already cancelled or over.',
  'same-course-date': 'This place is already on that date.',
  'course-date-closed': 'That date takes no more enrolments, or it is only for another organisation.',
  'course-date-cancelled': 'That date was cancelled.',
  'too-far': 'That date begins in more than twelve months.',
};

/**
 * Moves a place to another date; staff may do it more than once, and after the first day. A move that the buyer asked for
 * limits a later refund as their own does (P40). A place that has no date yet gets one, alone or with all others of the
 * enrolment that wait for the same course (P38).
 */
export function takeTransfer(
  academy: Academy,
  { form, reference, actor, placeId }: Asked & { placeId: number },
): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: transferForm,
    subject: `enrolment:${reference}`,
    actor,
    act(trx, { courseDate, because, which }, moment) {
      return withEnrolment(trx, reference, async (enrolmentId): Promise<Done> => {
        const undated = await findCourseWithoutDate(trx, enrolmentId, placeId);
        if (undated !== null) {
          const date = { enrolmentId, courseId: undated, courseDateId: courseDate, actor };
          const dated = await datePlaces(trx, which === 'one' ? { ...date, onlyPlace: placeId } : date, moment);
          if (dated.ok) return done('give-date', { places: dated.places, courseDate });
          return refused(
            dated.reason === 'course-date-full'
              ? `That date has ${dated.left} seats left.`
              : 'This place cannot have that date.',
          );
        }
        const transfer = { enrolmentId, placeId, toCourseDateId: courseDate, actor, atTheirWish: because === 'asked' };
        const result = await transferPlace(trx, transfer, moment);
        if (result.ok) return done('transfer-place', { place: placeId, courseDate, because });
        if (result.reason === 'course-date-full')
          return refused('That date is full. Add seats to it, or choose another.');
        return refused(notTransferred[result.reason] ?? 'You cannot move the place there.');
      });
    },
  });
}
