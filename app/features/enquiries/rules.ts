/** The dedupe keys of the mails about an enquiry: its acknowledgement and its message to the academy. */
export function mailKeysOf(reference: string): [acknowledgement: string, message: string] {
  return [`enquiry-acknowledgement:${reference}`, `enquiry-message:${reference}`];
}

/** How long the same body from the same e-mail address counts as the same enquiry. */
export const repeatWindowMs = 24 * 60 * 60 * 1000;
