import type { Day } from '#app/lib/dates.ts';

/** The refund rules of a contract (P40). Each enrolment names its own ladder; later ladders do not change it. */
export type RefundLadder = {
  /** How many days before the first day a full refund ends. */
  fullDays: number;
  /** How many days before the first day half a refund ends; after it there is none. */
  halfDays: number;
  /** For how many hours after placing the refund is full, before the first day. */
  fullHours: number;
  /** Whether the courses of a combo that are kept cost their own price when others are cancelled. */
  repricesKept: boolean;
  /** Whether the refund for a seat that is sold again is limited to the refund on the day of a move. */
  capsResale: boolean;
};

/** A ladder with the first day on which enrolments placed get it; null: a day before such days were kept. */
export type StoredLadder = RefundLadder & { id: number; from: Day | null };

/** The stored text of /terms, by its id, and the refund ladder that a buyer agrees to. */
export type Agreement = { termsId: number; ladder: StoredLadder };

/** The ladder of enrolments placed on a day (P40); `ladders` are in the order of their first days. */
export function ladderOn(ladders: readonly StoredLadder[], today: Day): StoredLadder {
  const ladder = ladders.findLast(({ from }) => from === null || from <= today);
  if (!ladder) throw new Error(`no refund ladder is in force on ${today}`);
  return ladder;
}

/** The agreement for enrolments placed on a day. */
export function agreementOn(
  { termsId, ladders }: { termsId: number | null; ladders: readonly StoredLadder[] },
  today: Day,
): Agreement {
  if (termsId === null) throw new Error('no text of /terms is stored');
  return { termsId, ladder: ladderOn(ladders, today) };
}
