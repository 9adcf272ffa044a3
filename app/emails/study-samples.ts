import { classChanged, liveHourChanged } from './course-dates.ts';
import { answersWaiting } from './enquiries.ts';
import type { RenderedMail } from './layout.tsx';
import { absenceNotice } from './places.ts';
import { academy, course, enrolment, placeLink, reference } from './sample-values.ts';
import {
  certificateIssued,
  certificateNameDecided,
  certificateRevoked,
  exerciseMarked,
  moduleAsked,
  moduleHandedOut,
} from './study.ts';

const liveHour = {
  reference,
  course: 'Cyber Threat Intelligence',
  instructor: 'Hamish Doyle',
  link: placeLink,
  academy,
};

const handedOut = {
  reference,
  course: 'Cyber Threat Intelligence',
  module: '4. Analysis',
  link: placeLink,
  academy,
};

const taught = {
  course: 'Cyber Threat Intelligence',
  days: '13 to 17 October 2025',
  when: '13 to 17 October 2025, 9:00 AM to 5:00 PM AEST, In-Person Brisbane',
  before: null,
  instructor: 'Hamish Doyle',
  people: 9,
  reason: null,
  link: `${academy.url}/staff/classes/cti-brisbane`,
  academy,
};

const decided = { title: course.title, number: '7HK4 M2QX 9TRC P', link: enrolment.link, academy };

/** The mails about guided study, live hours, attendance and certificates, with sample data, by their kind. */
export const studySamples: Readonly<Record<string, () => RenderedMail>> = {
  'exercise-accepted': () =>
    exerciseMarked({
      reference,
      course: 'Cyber Threat Intelligence',
      module: '3. Processing',
      accepted: true,
      comment: '',
      by: 'Hamish Doyle',
      link: placeLink,
      academy,
    }),
  'exercise-not-yet': () =>
    exerciseMarked({
      reference,
      course: 'Cyber Threat Intelligence',
      module: '4. Analysis',
      accepted: false,
      comment: 'Good list of explanations. Which finding would surprise you if the broker were right?',
      by: 'Hamish Doyle',
      link: placeLink,
      academy,
    }),
  'comes-after-all': () =>
    absenceNotice({
      who: 'Ada Byron',
      course: 'Cyber Threat Intelligence',
      days: [],
      again: true,
      note: '',
      reference,
      link: `${academy.url}/staff/classes/cti-2025-11-03`,
      academy,
    }),
  'absence-notice': () =>
    absenceNotice({
      who: 'Grace Hopper',
      course: 'Cyber Threat Intelligence',
      days: ['Tuesday 14 October 2025', 'Wednesday 15 October 2025'],
      note: 'My daughter is ill. I hope to be back on Thursday.',
      reference,
      link: `${academy.url}/staff/classes/cti-brisbane?day=2025-10-14`,
      academy,
    }),
  'class-given': () => classChanged({ ...taught, change: 'given' }),
  'class-taken': () => classChanged({ ...taught, change: 'taken' }),
  'class-changed': () =>
    classChanged({
      ...taught,
      change: 'changed',
      before: '6 to 10 October 2025, 9:00 AM to 5:00 PM AEST, In-Person Brisbane',
      reason: 'The room is being repaired that week.',
    }),
  'class-cancelled': () => classChanged({ ...taught, change: 'cancelled' }),
  'live-hour-set': () =>
    liveHourChanged({
      ...liveHour,
      change: 'set',
      when: 'Tuesdays from Tuesday 14 October 2025, 6:00 PM to 7:00 PM AEST, until Tuesday 24 March 2026',
    }),
  'live-hour-link': () => liveHourChanged({ ...liveHour, change: 'link' }),
  'live-hour-off': () =>
    liveHourChanged({
      ...liveHour,
      change: 'off',
      when: 'Tuesday 4 November 2025',
      reason: 'Hamish is away that week.',
      next: 'Tuesday 11 November 2025',
    }),
  'live-hour-ended': () => liveHourChanged({ ...liveHour, change: 'ended', when: 'Tuesday 2 December 2025' }),
  'answers-waiting': () =>
    answersWaiting({
      answers: [
        { course: 'Cyber Threat Intelligence', module: 'module 4, Analysis', since: '9 Sept 2025, 9:00 AM' },
        { course: 'Cyber Threat Intelligence', module: 'module 2, Collection', since: '9 Sept 2025, 4:12 PM' },
      ],
      count: 3,
      link: `${academy.url}/staff/answers`,
      academy,
    }),
  'module-asked': () =>
    moduleAsked({
      course: 'Cyber Threat Intelligence',
      module: '4. Analysis',
      by: 'Tuesday 14 October 2025',
      link: `${academy.url}/staff/modules/cyber-threat-intelligence/4`,
      academy,
    }),
  'module-handed-out': () => moduleHandedOut({ ...handedOut, opened: true }),
  'module-handed-out-overdue': () => moduleHandedOut({ ...handedOut, opened: false }),
  'certificate-name-taken': () => certificateNameDecided({ ...decided, taken: true, why: '' }),
  'certificate-name-kept': () =>
    certificateNameDecided({ ...decided, taken: false, why: 'Please send us a copy of a document with the new name.' }),
  'certificate-issued': () =>
    certificateIssued({
      title: course.title,
      held: '13 to 17 October 2025, 35 hours',
      number: '7HK4 M2QX 9TRC P',
      link: enrolment.link,
      academy,
    }),
  'certificate-revoked': () =>
    certificateRevoked({
      title: course.title,
      number: '7HK4 M2QX 9TRC P',
      why: 'attendance had been recorded wrongly',
      page: `${academy.url}/certificates/7HK4M2QX9TRCP`,
      academy,
    }),
};
