/**
 * The rule about keeping some courses of a combo (P40), in words for the buyer, who sees the courses' own prices beside
 * it.
 */
export const keepingRule =
  'If you cancel some courses of the combo and keep others, each course you keep costs its own price. We take the difference off your refund. If a cancelled course was not invoiced yet, you owe the difference. The difference is never more than the refund for the cancelled courses, and you pay none of it when we cancelled or moved a course date.';
