/** The buyer's private page (P32). */
export const enrolmentPath = (token: string): string => `/enrolment/${token}`;

/** An attendee's private page, which shows no money (P32). */
export const placePath = (token: string): string => `/place/${token}`;
