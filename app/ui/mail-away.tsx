import type { ReactNode } from 'react';

/**
 * The notice in place of "we sent it" while the mail server is away; `what` begins the second sentence, such as `The
 * code`.
 */
export const mailAwayText = (since: string, what = 'The email') =>
  `Our mail server has not answered since ${since}, Brisbane time. ${what} is saved and goes out as soon as the server answers.`;

/** The same as a notice on a page, with what else to do; nothing unless `since` says since when. */
export function MailAway({ since, what, children }: { since: string | null; what?: string; children?: ReactNode }) {
  if (since === null) return null;
  return (
    <p role="status" className="mb-6 max-w-prose rounded-card border-2 border-edge bg-card p-4">
      {mailAwayText(since, what)} {children}
    </p>
  );
}
