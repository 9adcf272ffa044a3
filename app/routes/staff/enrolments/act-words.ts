import type { EnrolmentAct } from '#app/features/runs/acts.ts';
import type { ChosenGroup } from '#app/features/runs/chosen-rules.ts';
import { formatCount } from '#app/lib/money.ts';

type Words = {
  title: string;
  /** The act and the people it concerns. */
  explains: string;
  /** How to undo the act (P79). */
  undone: string;
  /** Singular and plural. */
  button: readonly [string, string];
};

/** The texts for staff about acts on chosen enrolments. */
export const actWords: Record<EnrolmentAct, Words> = {
  remind: {
    title: 'Remind of payment',
    explains:
      'The buyer of each enrolment gets one email with everything that is due on it and its tax invoices. Buyers who had a reminder, or a letter about another day to pay, in the last three days are left out. The program still sends its own reminders on their days.',
    undone: 'An email that went out cannot be taken back.',
    button: ['Send the reminder', 'Send the reminders'],
  },
  'ask-names': {
    title: 'Ask for missing names',
    explains:
      'The buyer of each enrolment gets one email that asks who attends, with the link to enter it. Nobody gets a second one about the same enrolment within three days.',
    undone: 'An email that went out cannot be taken back.',
    button: ['Send the question', 'Send the questions'],
  },
  'more-time': {
    title: 'Give more time to pay',
    explains:
      'Everything of an invoice that is due before the new day becomes due on it. The buyer gets this in writing, and the reason is kept as a note about the enrolment.',
    undone:
      'To undo it, open the enrolment, choose Instalments and end the agreement: the printed due date holds again, and we tell the buyer.',
    button: ['Give more time', 'Give more time'],
  },
};

export const groupWords: Record<ChosenGroup, string> = {
  late: 'Late already',
  due: 'Due today or later',
  soon: 'Starts within 14 days',
  ahead: 'Starts later',
  'after-start': 'Starts before the new day',
};

export const chosenActLabels = { until: 'New day', reason: 'Reason' };

export const enrolmentsInWords = (count: number): string =>
  count === 1 ? '1 enrolment' : `${formatCount(count)} enrolments`;
