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
  gone: 'is no longer in this course date',
};
