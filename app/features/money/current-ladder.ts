/** By what rules a contract gives money back (P40). It is stored with the enrolment, whatever new ones get. */
export type RefundLadder = {
  /** All comes back until so many days before the first day. */
  fullDays: number;
  /** Half comes back until so many days before the first day; then nothing. */
  halfDays: number;
  /** All comes back for so many hours after placing, before the first day. */
  fullHours: number;
  /** Whether the courses of a combo that are kept cost their own price when others are cancelled. */
  repricesKept: boolean;
};

/** The ladder of enrolments placed from now on. Those placed before keep theirs. */
export const currentLadder: RefundLadder = { fullDays: 14, halfDays: 7, fullHours: 24, repricesKept: true };
