/** How long the privacy page promises to keep an enquiry. */
const retentionMonths = 24;

/** Enquiries made before this instant have been kept as long as the privacy page promises. Months are those of UTC. */
export function keptSince(now: Date): Date {
  const since = new Date(now);
  since.setUTCMonth(since.getUTCMonth() - retentionMonths);
  return since;
}

/** How long the same body from the same e-mail address counts as the same enquiry. */
export const repeatWindowMs = 24 * 60 * 60 * 1000;
