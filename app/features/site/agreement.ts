import type { Day } from '#app/lib/dates.ts';

/** The refund rules of a contract (P40). Each enrolment names its own ladder; later ladders do not change it. */
export type RefundLadder = {
  /** All comes back until so many days before the first day. */
  fullDays: number;
  /** Half comes back until so many days before the first day; then nothing. */
  halfDays: number;
  /** All comes back for so many hours after placing, before the first day. */
  fullHours: number;
  /** Whether the courses of a combo that are kept cost their own price when others are cancelled. */
  repricesKept: boolean;
  /** Whether a seat that is sold again brings back no more than what came back on the day of a move. */
  capsResale: boolean;
};

/** A ladder with the first day on which enrolments placed get it; null: a day before such days were kept. */
export type StoredLadder = RefundLadder & { id: number; from: Day | null };

/** A stored version of the text of /terms; one text may follow another under the same day. */
export type TermsVersion = { id: number; inForceFrom: Day };

/** What somebody who enrols agrees to: the text and the refunds. */
export type Agreement = { terms: TermsVersion; ladder: StoredLadder };

/** The ladder of enrolments placed on a day (P40); `ladders` are in the order of their first days. */
export function ladderOn(ladders: readonly StoredLadder[], today: Day): StoredLadder {
  const ladder = ladders.findLast(({ from }) => from === null || from <= today);
  if (!ladder) throw new Error(`no refund ladder is in force on ${today}`);
  return ladder;
}

/** What an enrolment placed on a day agrees to. */
export function agreementOn(
  { terms, ladders }: { terms: TermsVersion | null; ladders: readonly StoredLadder[] },
  today: Day,
): Agreement {
  if (!terms) throw new Error('no version of /terms is stored');
  return { terms, ladder: ladderOn(ladders, today) };
}
