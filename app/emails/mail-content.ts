import type { MailPart } from './mail-parts.tsx';

/** The academy as sender, as every mail states it at its end. */
export type MailAcademy = {
  name: string;
  /** The company and its ABN in one line, which business letters state (Corporations Act 2001, section 153). */
  company: string;
  /** The postal address in one line. */
  address: string;
  phone: string;
  email: string;
  /** Public origin without a trailing slash. */
  url: string;
  /** Whether invoices can be paid by card, on the page of the enrolment (P29). */
  byCard?: boolean;
};

export type MailContent = {
  subject: string;
  heading: string;
  parts: readonly MailPart[];
  academy: MailAcademy;
  /** Why the recipient gets this, in a sentence. */
  reason: string;
  /** The preview that lists of mail show beside the subject; without it the first paragraph. */
  preheader?: string;
  /** A mail to the academy itself: its foot does not say how to reach the academy. */
  toStaff?: boolean;
  /** Only in marketing (P49): the page that ends it. */
  unsubscribe?: string;
  /** In acknowledgements of a form that asks about news: the page on which the person sees and withdraws their consent (P49). */
  consent?: string;
};
