export const messageLabels = {
  attendees: 'Who gets it',
  purpose: 'What it is',
  subject: 'Subject',
  body: 'Message',
  day: 'Send on',
  time: 'At (Brisbane time)',
};

/** Why somebody gets no message, or nothing was done for them. */
export const leftOutWords: Record<string, string> = {
  'no-address': 'no email address',
  'not-to-tell': 'the buyer asked us not to email them',
  erased: 'we have deleted their data',
  bounced: 'our last email to them did not arrive',
  'same-address': 'the same address gets it already',
  'no-consent': 'has not agreed to news and offers',
  gone: 'no longer in what you chose',
  'handed-over': 'the place was given to another person',
  'date-cancelled': 'the course date was cancelled after this was written',
  'date-moved': 'the course date was moved after this was written',
  'owes-nothing': 'owes nothing',
  'not-due': 'nothing is due yet',
  reminded: 'had a reminder in the last three days',
  'all-named': 'every attendee has a name',
  begun: 'the course has begun, has no date or was cancelled',
  asked: 'was asked in the last three days',
  'due-later': 'is due on that day or later already',
  'in-instalments': 'pays in several instalments that were agreed',
  'day-over': 'the new day is over',
  'not-permitted': 'the colleague who asked for it may no longer do it',
  'words-erased': 'we erased the words',
  fault: 'our program failed at it; see the jobs that failed',
};
