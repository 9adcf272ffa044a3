/** The buyer's private page (P32). */
export const enrolmentPath = (token: string): string => `/enrolment/${token}`;

/** An attendee's private page, which shows no money (P32). */
export const placePath = (token: string): string => `/place/${token}`;

/** The page on which the reader of an address agrees to get invoices (P30). */
export const accountsPath = (token: string): string => `/accounts/${token}`;

/** The path to which Stripe sends a buyer back. */
export const cardReturnPath = (token: string): string => `/enrolment/card-return/${token}`;
