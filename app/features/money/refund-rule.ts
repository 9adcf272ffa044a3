/** The numbers of the refund rule (P100). Every page, email and document takes them from here; a test holds /terms to them. */
export const ladder = { fullDays: 14, halfDays: 7, fullHours: 24 } as const;

/** The rule of a combo (P99), in words for the buyer, who sees the sums beside it. */
export const comboRule =
  'A combo is cancelled as a whole. Each course that has not begun gives back what its dates say of its share of the price. The combo’s discount on courses that have begun is taken off, never below zero, and those courses stay yours.';
