/** Mails that a person needs to go on with the page in front of them. */
const awaited: readonly string[] = [
  'email-code',
  'sign-in-link',
  'address-link',
  'enrolment-draft-link',
  'enrolment-links',
];

/** Mails for which nobody waits at the moment. */
const unhurried: readonly string[] = [
  'booking-reminder',
  'place-reminder',
  'payment-reminder',
  'conversation-notice',
  'enquiry-message',
  'booking-notice',
  'course-date-notice',
  'job-fault',
  'backup-fault',
  'course-date-news',
  'names-asked',
  'offer-over-soon',
  'course-follow-up',
];

/** The kinds that do not go in the order in which they were queued. */
export const kindsOutOfOrder = [...awaited, ...unhurried];

/**
 * The order of mails that wait, the greatest first: codes and links asked for, then what a person waits for, then the
 * rest.
 */
const urgencies = { awaited: 20, usual: 10, unhurried: 0 } as const;

/** Whether a person cannot go on with a page without a mail of this kind. */
export const isAwaited = (kind: string): boolean => awaited.includes(kind);

/** How urgent a mail of a kind is. Kinds are named here so that no caller can forget it. */
export function urgencyOf(kind: string): number {
  if (isAwaited(kind)) return urgencies.awaited;
  return unhurried.includes(kind) ? urgencies.unhurried : urgencies.usual;
}
