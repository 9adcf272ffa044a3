import type { Trx } from '#app/db/client.server.ts';
import { addAttendee, contractPrices } from '#app/features/enrolments/attendees.server.ts';
import { joinField, shownField } from '#app/features/enrolments/join-field.ts';
import { joinChoice, readJoining } from '#app/features/enrolments/joining.server.ts';
import {
  type Asked,
  type Done,
  done,
  meanwhile,
  refused,
  withEnrolment,
} from '#app/features/enrolments/lock-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { readProduct } from '#app/features/money/price-ledger.server.ts';
import { quoteOfPrices } from '#app/features/money/pricing.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { type StaffFormResult, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import type { Academy, Moment } from '#app/http/academy.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { addForm } from './enrolment-forms.ts';

/** How one more person could join an enrolment and at which prices, in cents; null when it is not offered any more. */
export async function readJoiningForStaff(trx: Trx, actor: StaffActor, enrolmentId: number, moment: Moment) {
  requirePermission(actor, 'enrolments:change');
  const enrolment = await readEnrolment(trx, enrolmentId);
  const joining = await readJoining(trx, enrolment, moment);
  if (!joining) return null;
  const courseIds = joining.courses.map(({ courseId }) => courseId);
  const product = await readProduct(trx, { comboId: enrolment.comboId, courseIds }, moment.now);
  const contract = product && contractPrices(enrolment, product.prices);
  return {
    courses: joining.courses,
    rule: joining.rule,
    todayCents: joining.quote.totalCents,
    contractCents: contract ? quoteOfPrices(contract, 1).totalCents : null,
  };
}

const notAdded: Record<string, string> = {
  meanwhile,
  'course-date-closed': 'The date takes no more enrolments, or it is only for another organisation.',
  'below-minimum': 'The date is for a group, and nobody is on it yet: make a quote for at least its minimum.',
  'course-date-cancelled': 'The date was cancelled.',
  'not-offered': 'We no longer offer this course.',
};

/** Adds a person to an enrolment, at today's price or at that of its contract, with an invoice of their own (P83). */
export function takeAddition(academy: Academy, { form, reference, actor }: Asked): Promise<StaffFormResult> {
  const typed = textsOf(form);
  return takeStaffAct(academy, {
    form,
    schema: addForm,
    subject: `enrolment:${reference}`,
    actor,
    act(trx, values, moment) {
      return withEnrolment(trx, reference, async (enrolmentId): Promise<Done> => {
        const joining = await readJoiningForStaff(trx, actor, enrolmentId, moment);
        if (!joining) return refused('Nobody can join now: the course has begun, or is no longer offered.');
        const chosen = joining.courses.map((course) => ({ ...course, way: typed[joinField(course.courseId)] ?? '' }));
        const missing = chosen.find(({ ways, way }) => !ways.some(({ value }) => value === way));
        if (missing) {
          const errors = { [joinField(missing.courseId)]: 'Choose how they take it.' };
          return { ok: false, reason: 'refused', errors };
        }
        // What the caller was read binds them, so it is the date that the page showed (P31).
        const moved = chosen.some(({ ways, way }) =>
          ways.some(({ value, shown }) => value === way && typed[shownField(value)] !== shown),
        );
        if (moved) return refused('Somebody changed this date while the page was open. Read it to the buyer again.');
        const { name, email, needs, under18, guardianName, guardianEmail, price } = values;
        const guardian = guardianName === null ? null : { name: guardianName, email: guardianEmail };
        const result = await addAttendee(
          trx,
          {
            enrolmentId,
            choices: chosen.map(({ courseId, way }) => joinChoice(courseId, way)),
            attendee: { name, email, needs, under18, guardian },
            shownCents: price === 'today' ? values.shownToday : values.shownContract,
            atContractPrice: price === 'contract',
            actor,
          },
          moment,
        );
        if (result.ok) {
          const shown = formatExact(price === 'today' ? values.shownToday : values.shownContract);
          return done('add-attendee', {
            price: shown,
            by: price === 'today' ? 'today’s price' : 'the price of the contract',
          });
        }
        if (result.reason === 'course-date-full') return refused(`The date has ${result.left} seats left.`);
        if (result.reason === 'price-changed') {
          return refused(
            `The price has changed to ${formatExact(result.nowCents)}. Tell the buyer, then open this page again.`,
          );
        }
        return refused(notAdded[result.reason] ?? 'This person cannot be added now.');
      });
    },
  });
}
