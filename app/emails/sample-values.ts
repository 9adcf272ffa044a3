import type { MailAcademy } from './layout.tsx';

export const academy: MailAcademy = {
  name: 'Bowerbird Academy',
  company: 'Bowerbird Academy Pty Ltd, ABN\u00a089\u00a0000\u00a0000\u00a0019',
  address: 'Level 4, 120 Edward Street, Brisbane, Queensland 4000',
  phone: '(07)\u00a07010\u00a00142',
  email: 'hello@bowerbirdacademy.example',
  url: 'http://localhost:3000',
};
export const reference = 'BB-7KQ2MX';
/** The end of a private link. */
export const token = '0c1d5f2a9b7e4c3d8a6f1e0b2c4d6a8f9e7b5c3d1a0f2e4b';
export const booking = {
  reference,
  title: 'Career Counseling',
  when: 'Tuesday 9 September 2025, 9:00 AM to 9:30 AM Brisbane time',
  day: '9 September',
  previously: 'Monday 8 September 2025, 2:30 PM to 3:00 PM Brisbane time',
  link: `${academy.url}/booking/${token}`,
  bookAgain: 'http://localhost:3000/book/career-counseling',
  academy,
};

export const course = {
  title: 'CISSP Bootcamp',
  starts: '13 October',
  when: '13 to 17 October 2025, 9:00 AM to 5:00 PM AEST each day',
  where: 'Online',
  who: 'Ada Byron and 1 to be named',
  standing: 'Confirmed',
};
export const enrolment = {
  reference,
  title: 'CISSP Bootcamp',
  course,
  ready: 'Online you need a computer with a microphone; we’ll email you how to join before the first day.',
  link: `${academy.url}/enrolment/${token}`,
  academy,
};

export const waitingLink = `${academy.url}/waiting/${token}`;

export const consent = `${academy.url}/unsubscribe/${'0c1d5f2a9b7e4c3d8a6f1e0b2c4d6a8f'.repeat(3)}`;

export const placeLink = `${academy.url}/place/${'5b1d'.repeat(12)}`;

export const quote = {
  number: 'OFF-00042',
  title: 'CISSP Bootcamp',
  people: 2,
  lines: [{ description: 'CISSP Bootcamp', detail: '13 to 17 October 2025, 9:00 AM to 5:00 PM AEST each day, Online' }],
  total: 'AU$4,598 incl. GST',
  lastDay: 'Monday 22 September 2025',
  held: 'We hold 2 seats until 10 Sept 2025, 8:59 AM, Brisbane time; after that, accepting takes them if they are still free.',
  link: `${academy.url}/offer/${token}`,
  academy,
};

export const requestLines = [
  'What I will do with it: Harden our build servers',
  'By when: End of June',
  'Who else learns from it: The operations team, in an hour of show and tell',
];

/** The part for an attendee: about their own place. */
export const place = { ...enrolment, course: { ...course, who: 'Ada Byron' }, link: placeLink };
