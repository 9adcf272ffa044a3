import { type BulkAct, type BuyerAct, mostAtOnce } from '#app/features/inbox/bulk-actions/acts.ts';
import type { EmailCounts } from '#app/features/inbox/bulk-actions/queries.server.ts';
import { formatCount } from '#app/lib/money.ts';

/** The texts for staff about acts on the buyers of chosen enrolments. */
export const buyerActWords: Record<BuyerAct, { title: string; explains: string; button: string }> = {
  remind: {
    title: 'Remind of payment',
    explains:
      'Each buyer gets one email with everything that is due on the enrolment and its tax invoices. The program still sends its own reminders on their days.',
    button: 'Send reminders',
  },
  'ask-names': {
    title: 'Ask for missing names',
    explains: 'Each buyer gets one email that asks who attends, with the link to enter the names.',
    button: 'Ask for names',
  },
};

/** The title of a bulk action: of a message its subject. */
export const bulkActionTitle = (act: BulkAct, subject: string | null): string =>
  act === 'message' ? `Message: ${subject}` : buyerActWords[act].title;

export const emailsInWords = (count: number): string => (count === 1 ? '1 email' : `${formatCount(count)} emails`);

/** The states of emails as pages say them, what needs a look first. */
export const emailStates: Record<keyof EmailCounts, string> = {
  failed: 'did not arrive',
  dropped: 'not sent',
  queued: 'waiting',
  sent: 'sent',
};

/** `12 emails: 10 sent, 2 waiting`. */
export function countsInWords(counts: EmailCounts): string {
  const states = (['sent', 'queued', 'failed', 'dropped'] as const).filter((state) => counts[state] > 0);
  const all = states.reduce((sum, state) => sum + counts[state], 0);
  return `${emailsInWords(all)}: ${states.map((state) => `${formatCount(counts[state])} ${emailStates[state]}`).join(', ')}`;
}

export const messageLabels = { attendees: 'Who gets it', purpose: 'What it is', subject: 'Subject', body: 'Message' };

/** Why somebody gets no email. */
export const leftOutWords: Record<string, string> = {
  'no-address': 'no email address',
  'not-to-tell': 'the buyer asked us not to email them',
  erased: 'we have deleted their data',
  bounced: 'our last email to them did not arrive',
  'same-address': 'the same address gets it already',
  'no-consent': 'has not agreed to news and offers',
  'owes-nothing': 'owes nothing',
  'not-due': 'nothing is due yet',
  'on-its-way': 'completed a payment by card, and Stripe has not told us yet that the money arrived',
  'all-named': 'every attendee has a name',
  begun: 'the course has begun, has no date or was cancelled',
  lately: 'got this email in the last three days',
};

/** Why nothing was sent at the press. */
export const notDone = {
  nobody: 'Nobody of those you chose can get it.',
  'too-many': `More than ${mostAtOnce} people would get it. Narrow the filter, then choose again.`,
  changed:
    'Something changed since this page was shown: other people would get it now, or about other dates. Look at it again, then send it.',
};
