import { type Choice, type ProductToChoose, staysTentative } from '#app/features/enrolments/enrolling/choice.ts';
import type { ChoicePrice } from '#app/features/money/pricing.ts';
import { comboRule, courseBoughtAt, type Purchase, type Study } from '#app/features/money/refund.ts';
import { type RefundRow, refundRows, refundText } from '#app/features/money/refund-words.ts';
import type { SnapshotStore } from '#app/features/snapshot/snapshot-store.server.ts';

/** The refunds of a choice by day, as the last step shows them. */
export type ChoiceRefund = {
  text: string;
  /** The same by date, of a date or a combo; null for guided study alone. */
  rows: RefundRow[] | null;
  /** Further sentences: the rule of a combo, dates that are still to be confirmed, courses without a date. */
  remarks: string[];
};

/** The refund of a choice in dollars for one attendee, if it is placed now (P31, P99, P100). */
export async function refundOfChoice(
  { details }: Pick<SnapshotStore, 'details'>,
  { product, choice, quote }: { product: ProductToChoose; choice: Choice; quote: ChoicePrice },
  now: Date,
): Promise<ChoiceRefund> {
  const remarks: string[] = product.comboId === null ? [] : [comboRule];
  const studyOf = async ({ id, title, dates }: ProductToChoose['courses'][number]): Promise<Study> => {
    const of = product.comboId === null ? '' : ` of ${title}`;
    const taken = choice.choices.find(({ courseId }) => courseId === id);
    if (taken?.way === 'guided') {
      const read = await details(id);
      const modules = read.ok ? read.details.curriculum.length : 1;
      return { way: 'guided', from: taken.from, modules, modulesOpened: 0 };
    }
    const date =
      taken?.way === 'date' ? dates.find(({ courseDateId }) => courseDateId === taken.courseDateId) : undefined;
    if (!date) {
      remarks.push(`${title} has no date yet, and until it has one you are charged nothing for it.`);
      return { way: 'next-date' };
    }
    const { firstDay, state } = date;
    if (state !== 'tentative') return { way: 'date', firstDay, state };
    const stays = staysTentative(date, choice.attendees);
    remarks.push(
      stays
        ? `Until the date${of} is confirmed, nothing is due for it, and it gives back all of its price.`
        : `With your enrolment enough people have enrolled, so we confirm the date${of} at once.`,
    );
    return { way: 'date', firstDay, state: stays ? 'tentative' : 'confirmed' };
  };
  const courses = await Promise.all(
    product.courses.map(async (course) => {
      const line = quote.lines.find(({ courseId }) => courseId === course.id);
      const study = await studyOf(course);
      return courseBoughtAt(now, { study, cents: line?.eachCents ?? 0, discountCents: line?.discountCents ?? 0 });
    }),
  );
  const purchase: Purchase = { combo: product.comboId !== null, courses };
  const byDays = purchase.combo || courses[0]?.study.way === 'date';
  return { text: refundText(purchase, now), rows: byDays ? refundRows(purchase, now) : null, remarks };
}
