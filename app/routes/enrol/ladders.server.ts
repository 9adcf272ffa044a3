import { type Choice, type ProductToChoose, staysTentative } from '#app/features/enrolling/choice.ts';
import type { Quote } from '#app/features/money/pricing.ts';
import type { RefundablePlace, Study } from '#app/features/money/refund-ladder.ts';
import { type RefundRow, refundRows } from '#app/features/money/refund-rows.ts';
import { refundText } from '#app/features/money/refund-text.ts';
import type { RefundLadder } from '#app/features/site/agreement.ts';
import type { SnapshotStore } from '#app/features/snapshot/snapshot-store.server.ts';
import { formatMoney } from '#app/lib/money.ts';

/** The refunds for one place on a course and their last days, in words. */
export type Ladder = {
  title: string;
  text: string;
  /** The same by date, of a place in a session; null otherwise. */
  rows: RefundRow[] | null;
  /** Whether its session is still to be confirmed, or is confirmed by this very enrolment. */
  standing: 'tentative' | 'confirmed-by-it' | null;
  /** In a combo, the own price of the course and the difference: a buyer who keeps only some courses pays it. */
  own: { price: string; more: string } | null;
};

/**
 * The refunds of a choice in dollars for one attendee, course by course, if it is placed now (P31, P40). `ladder` is
 * what the contract gets.
 */
export async function laddersOf(
  { details }: Pick<SnapshotStore, 'details'>,
  { product, choice, quote }: { product: ProductToChoose; choice: Choice; quote: Quote },
  now: Date,
  ladder: RefundLadder,
): Promise<Ladder[]> {
  return Promise.all(
    product.courses.map(async ({ id, title, dates }): Promise<Ladder> => {
      const taken = choice.choices.find(({ courseId }) => courseId === id);
      const date = taken?.way === 'session' ? dates.find(({ sessionId }) => sessionId === taken.sessionId) : undefined;
      const line = quote.lines.find(({ courseId }) => courseId === id);
      const amountCents = line?.eachCents ?? 0;
      const stays = date !== undefined && staysTentative(date, choice.attendees);
      const confirms = date?.state === 'tentative' && !stays;
      let study: Study = { way: 'next-date' };
      if (date) study = { way: 'session', firstDay: date.firstDay, state: confirms ? 'confirmed' : date.state };
      if (taken?.way === 'guided') {
        const read = await details(id);
        const modules = read.ok ? read.details.curriculum.length : 1;
        study = { way: 'guided', from: taken.from, modules, modulesOpened: 0 };
      }
      const place: RefundablePlace = { ladder, amountCents, placedAt: now, study };
      const own =
        line && line.discountCents > 0 && ladder.repricesKept
          ? { price: formatMoney(line.priceCents), more: formatMoney(line.discountCents) }
          : null;
      return {
        title,
        text: refundText(place, now),
        rows: date ? refundRows(place, now) : null,
        standing: stays ? 'tentative' : confirms ? 'confirmed-by-it' : null,
        own,
      };
    }),
  );
}
