/** What it costs to keep only some courses of a combo (P40), in words for the buyer; their own prices stand beside it. */
export const keepingRule =
  'If you cancel some courses of the combo and keep others, each course you keep costs its own price. We take the difference off what comes back. If a cancelled course is not invoiced yet, you owe the difference. It is never more than what the cancelled courses give back, and we charge none when we cancelled or moved a session.';
