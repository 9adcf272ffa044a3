import { z } from 'zod';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Trx } from '#app/db/client.server.ts';
import { readQuoteHolds } from '#app/features/course-dates/draft-holds.server.ts';
import { findProduct, waysOf } from '#app/features/enrolments/choices-for-staff.server.ts';
import type { CourseChoice } from '#app/features/enrolments/order.ts';
import { type NotPlaced, placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import type { Product } from '#app/features/money/price-ledger.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { type Refused, type StaffFormResult, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import type { Academy, Moment } from '#app/http/academy.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { addressRemark, payerOf, placeForm } from './enrolment-forms.ts';
import { shownFieldOf, wayFieldOf } from './way-field.tsx';

const wayField = z.union([
  z.literal('next-date'),
  z.string().regex(/^course-date:\d{1,15}$/),
  z.string().regex(/^guided:\d{4}-\d\d-\d\d$/),
]);

type Asked = {
  form: FormData | null;
  /** `course:` or `combo:` with its slug. */
  item: string;
  actor: StaffActor;
  termsId: number;
};

/**
 * Places an enrolment for somebody on the telephone, by the same command as the buyer's own (P28), with who placed it.
 * Seats that were held for a quote are used when the form names the hold. The reference is told when it was placed.
 */
export async function takePlacing(
  academy: Academy,
  { form, item, actor, termsId }: Asked,
): Promise<StaffFormResult & { reference?: string }> {
  let reference: string | undefined;
  const typed = textsOf(form);
  const result = await takeStaffAct(academy, {
    form,
    schema: placeForm,
    subject: `enrolling:${actor.person.id}`,
    actor,
    async act(trx, values, moment) {
      const remark = addressRemark(values);
      if (remark) return remark;
      const product = await findProduct(trx, actor, item, moment.now);
      if (!product) return refused('We no longer offer this.');
      const choices = choicesOf(product, typed);
      if (!Array.isArray(choices)) return choices;
      const changed = await dateChanged(trx, { actor, product, typed }, moment);
      if (changed) return changed;
      const ended = await holdRefused(trx, values.hold, choices, moment);
      if (ended) return ended;
      const { discountCents, discountWhy } = values;
      if (discountCents > 0) {
        requirePermission(actor, 'money:refund');
        const invoicedCents = invoicedNow(product, choices) * values.attendees.length;
        if (discountCents > invoicedCents) {
          const text = `Only ${formatExact(invoicedCents)} is invoiced now.`;
          return { ok: false, reason: 'refused', errors: { discountCents: text } };
        }
      }
      const attendees = values.attendees.map((attendee) => ({
        ...attendee,
        needs: null,
        under18: false,
        guardian: null,
      }));
      const placed = await placeEnrolment(
        trx,
        {
          comboId: product.comboId,
          choices,
          attendees,
          buyer: { name: values.buyerName, email: values.email, phone: values.phone },
          payer: payerOf(values),
          termsId,
          draftId: null,
          ...(values.hold !== 0 && { quoteHoldIds: [values.hold] }),
          prices: null,
          shownCents: values.shown * attendees.length,
          ...(discountCents > 0 && { discount: { cents: discountCents, reason: discountWhy } }),
          actor,
        },
        moment,
      );
      if (!placed.ok) return refused(notPlaced(placed));
      reference = placed.reference;
      await writeAuditEntry(trx, {
        at: moment.now,
        personId: actor.person.id,
        action: 'place-enrolment',
        subject: `enrolment:${reference}`,
        details: {
          contact: values.contact.replaceAll('-', ' '),
          'terms-accepted': values.accepted === 'spoken' ? 'spoken, heard by who placed it' : 'in writing',
          ...(discountCents > 0 && { discount: formatExact(discountCents) }),
        },
      });
      return { ok: true, did: { action: 'place-enrolment', details: { reference } } };
    },
  });
  return reference ? { ...result, reference } : result;
}

/** What one person's places cost that are invoiced now, in cents: those without a date are invoiced with it. */
const invoicedNow = ({ prices }: Product, choices: readonly CourseChoice[]) =>
  prices
    .filter(({ courseId }) => choices.some((choice) => choice.courseId === courseId && choice.way !== 'next-date'))
    .reduce((sum, { priceCents, discountCents }) => sum + priceCents - discountCents, 0);

const refused = (fault: string): Refused => ({ ok: false, reason: 'refused', fault });

type Read = { actor: StaffActor; product: Product; typed: Record<string, string> };

/** Refuses a date that is not the one that the page showed: what the caller was read would not bind them (P31). */
async function dateChanged(trx: Trx, { actor, product, typed }: Read, { today }: Moment): Promise<Refused | null> {
  for (const course of product.courses) {
    const way = typed[wayFieldOf(course.id)] ?? '';
    const ways = await waysOf(trx, actor, course, { ...product, modules: 1 }, today);
    // One that is no longer there is refused with its own reason.
    const now = ways.find(({ value }) => value === way)?.shown;
    if (now !== undefined && now !== typed[shownFieldOf(course.id, way)]) {
      return refused(
        'Somebody changed the date while this page was open. Nothing was placed. Read it to the caller again.',
      );
    }
  }
  return null;
}

/** How each course of a product is taken, as the fields of a form say it; the faults where they do not. */
export function choicesOf(product: Product, typed: Record<string, string>): CourseChoice[] | Refused {
  const errors: Record<string, string> = {};
  const choices = product.courses.flatMap(({ id: courseId }): CourseChoice[] => {
    const name = wayFieldOf(courseId);
    const way = wayField.safeParse(typed[name]);
    if (!way.success) {
      errors[name] = 'Choose how they take it.';
      return [];
    }
    const [kind, value = ''] = way.data.split(':');
    if (kind === 'course-date') return [{ courseId, way: 'date', courseDateId: Number(value) }];
    return kind === 'guided' ? [{ courseId, way: 'guided', from: value }] : [{ courseId, way: 'next-date' }];
  });
  return Object.keys(errors).length > 0 ? { ok: false, reason: 'refused', errors } : choices;
}

/** Refuses the hold of a quote that has ended, or is for another date. */
async function holdRefused(
  trx: Trx,
  holdId: number,
  choices: readonly CourseChoice[],
  { now }: Moment,
): Promise<Refused | null> {
  if (holdId === 0) return null;
  const [hold] = await readQuoteHolds(trx, [holdId], now);
  if (!hold) return refused('The seats are no longer held: the hold ended or someone released it.');
  const isChosen = choices.some((choice) => choice.way === 'date' && choice.courseDateId === hold.courseDateId);
  return isChosen ? null : refused('The held seats are for a different date.');
}

function notPlaced(result: NotPlaced): string {
  switch (result.reason) {
    case 'course-date-full':
      return `Only ${result.left} seats are left on the date chosen.`;
    case 'course-date-closed':
      return 'The date chosen takes no more enrolments.';
    case 'below-minimum':
      return `The date chosen is for ${result.minimum} people or more. Enrol them together, or make a quote: names can come later.`;
    case 'course-date-cancelled':
      return 'The date chosen was cancelled.';
    case 'not-guided':
    case 'no-such-monday':
      return 'Guided study cannot start then.';
    case 'price-changed':
      return `The price has changed to ${formatExact(result.nowCents)}: tell the buyer, then open this page again.`;
    default:
      return 'This enrolment cannot be placed now.';
  }
}
