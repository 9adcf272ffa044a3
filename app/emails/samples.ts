import {
  accountChanged,
  accountClosed,
  addressLink,
  emailCode,
  roleGranted,
  roleTaken,
  settingsChanged,
  signInLink,
  signInsEnded,
} from './accounts.ts';
import { bookingCancelled, bookingConfirmation, bookingMoved, bookingNotice, bookingReminder } from './bookings.ts';
import { managerNamed, organisationAnswered, organisationAsked, seatClaimed } from './companies.ts';
import { courseDateMessage, courseFollowUp } from './course-dates.ts';
import { employerAnswered, employerAsked, employerRequestSent } from './employer-requests.ts';
import {
  contactAcknowledgement,
  conversationAnswer,
  conversationNotice,
  enquiryAnswer,
  enquiryMessage,
} from './enquiries.ts';
import { enrolmentSamples } from './enrolment-samples.ts';
import { buyerCorrected, enrolmentAcknowledgement, enrolmentDraftLink, enrolmentLinks } from './enrolments.ts';
import { backupFault, contentNotPublished, contentPublishedEarly, jobFault } from './faults.ts';
import type { RenderedMail } from './layout.tsx';
import { offerAccepted, offerOverSoon, offerSent } from './offers.ts';
import { academy, booking, consent, quote, reference, requestLines, token, waitingLink } from './sample-values.ts';

import { studySamples } from './study-samples.ts';
import { waitingJoined, waitingOffer, waitingOver } from './waiting-list.ts';

const aRole = {
  name: 'Mara Singh',
  email: 'mara@example.com',
  role: 'admissions',
  by: 'Ada Byron',
  when: '8 Sept 2025, 9:00 AM',
  academy,
} as const;

/** The mails about accounts, sign-ins and roles, with sample data, by their kind. */
const accountSamples: Readonly<Record<string, () => RenderedMail>> = {
  'account-changed': () =>
    accountChanged({
      what: 'A passkey was added.',
      when: 'Mon 8 Sept 2025, 9:00 AM',
      browser: 'Firefox on Linux',
      undo: { link: `${academy.url}/login/undo?token=${token}`, day: 'Monday 15 September 2025' },
      academy,
    }),
  'account-closed': () =>
    accountClosed({
      day: 'Monday 15 September 2025',
      when: 'Mon 8 Sept 2025, 9:00 AM',
      browser: 'Firefox on Linux',
      link: `${academy.url}/login/undo?token=${token}`,
      academy,
    }),
  'address-link': () =>
    addressLink({
      link: `${academy.url}/account/address?token=${token}`,
      minutes: 60,
      academy,
    }),
  'sign-in-link': () =>
    signInLink({
      audience: 'player',
      link: `${academy.url}/login/link?token=${token}`,
      minutes: 15,
      code: '482913',
      codeMinutes: 10,
      academy,
    }),
  'sign-in-link-staff': () =>
    signInLink({
      audience: 'staff',
      link: `${academy.url}/staff/sign-in/confirm?token=${token}`,
      minutes: 15,
      code: null,
      codeMinutes: 10,
      academy,
    }),
  'role-granted': () => roleGranted(aRole),
  'role-taken': () => roleTaken(aRole),
  'settings-changed': () =>
    settingsChanged({
      changed: ['Email'],
      by: 'Ada Byron',
      when: '8 Sept 2025, 9:00 AM',
      link: `${academy.url}/staff/content/site`,
      academy,
    }),
  'sign-ins-ended': () =>
    signInsEnded({ reason: 'your phone or computer was lost', when: '8 Sept 2025, 9:00 AM', academy }),
  'email-code': () => emailCode({ code: '427 916', minutes: 15, academy }),
};

const company = { name: 'Councilworks', reference, link: `${academy.url}/company/1`, academy };

/** Every email with sample data, by its kind: for `npm run mail` and for tests. */
export const mailSamples: Readonly<Record<string, () => RenderedMail>> = {
  'contact-acknowledgement': () => contactAcknowledgement({ reference, consent, academy }),
  'enquiry-answer': () =>
    enquiryAnswer({
      reference,
      body: 'Hello Ada,\n\nyes, there is a seat in Sydney in October.\nShall I keep it for you until Friday?',
      from: 'Grace Hopper',
      emailSubject: null,
      academy,
    }),
  'enrolment-draft-link': () =>
    enrolmentDraftLink({
      link: `${academy.url}/enrol/${token}`,
      days: 7,
      academy,
    }),
  'enrolment-acknowledgement': () => enrolmentAcknowledgement({ reference, consent, academy }),
  'enquiry-message': () =>
    enquiryMessage({
      reference,
      title: 'Enrolment request',
      corrects: 'BB-4HTW9C',
      name: 'Ada Byron',
      email: 'ada@example.com',
      phone: '+61412345678',
      details: [
        ['Asked for', 'CISSP Bootcamp, 15 to 19 September 2025, online'],
        ['Price a person', 'AU$2,299 incl. GST'],
        ['People', '2'],
        ['Paid by', 'Analytical Engines Pty Ltd'],
      ],
      message: 'We would like two places.\n\nIs there parking nearby? One of us arrives from Toowoomba on the day.',
      academy,
    }),
  'conversation-answer': () => conversationAnswer({ link: `${academy.url}/chat/${token}`, academy }),
  'conversation-notice': () =>
    conversationNotice({
      name: 'Ada Byron',
      email: null,
      about: 'CISSP Bootcamp',
      message: 'Is the Melbourne date certain?\nI would have to book a train.',
      link: `${academy.url}/staff/conversations/12`,
      academy,
    }),
  'buyer-corrected': () =>
    buyerCorrected({
      reference,
      title: 'CISSP Bootcamp',
      invoices: [{ number: 'INV-00043', replaces: 'INV-00042', note: 'ADJ-00007' }],
      still: [
        'AU$2,299 incl. GST is still to pay.',
        'Tax invoice INV-00043: AU$2,299 is due by Monday 22 September 2025.',
      ],
      owes: true,
      link: `${academy.url}/enrolment/${token}`,
      academy,
    }),
  'enrolment-links': () =>
    enrolmentLinks({
      links: [
        {
          reference,
          title: 'CISSP Bootcamp',
          href: `${academy.url}/enrolment/${token}`,
          whose: 'buyer',
        },
        {
          reference,
          title: 'CISSP Bootcamp',
          href: `${academy.url}/place/9e7b5c3d1a0f2e4b0c1d5f2a9b7e4c3d8a6f1e0b2c4d6a8f`,
          whose: 'attendee',
        },
      ],
      academy,
    }),
  'booking-confirmation': () => bookingConfirmation(booking),
  'booking-moved': () => bookingMoved(booking),
  'booking-cancelled': () => bookingCancelled(booking),
  'booking-reminder': () => bookingReminder(booking),
  'booking-notice': () =>
    bookingNotice({
      ...booking,
      event: 'moved',
      name: 'Ada Byron',
      email: 'ada@example.com',
      about: 'CISSP Bootcamp',
      note: 'By phone, please:\n0412 345 678',
      by: 'Ada Byron',
    }),
  'waiting-joined': () =>
    waitingJoined({
      entries: [
        { reference, title: 'CISSP Bootcamp', when: null, day: null, seats: 2, confirmed: false, link: waitingLink },
      ],
      days: 7,
      academy,
    }),
  'waiting-joined-many': () =>
    waitingJoined({
      entries: [
        { reference, title: 'CISSP Bootcamp', when: null, day: null, seats: 2, confirmed: false, link: waitingLink },
        {
          reference: 'BB-4HTW9C',
          title: 'CISM Bootcamp',
          when: null,
          day: null,
          seats: 1,
          confirmed: false,
          link: waitingLink,
        },
      ],
      days: 7,
      academy,
    }),
  'waiting-offer': () =>
    waitingOffer({
      reference,
      title: 'CISSP Bootcamp',
      when: '15 to 19 September 2025, 9:00 AM to 5:00 PM AEST each day',
      day: '15 September',
      where: 'Online',
      seats: 2,
      until: '11 Sept 2025, 8:59 AM, Brisbane time',
      price: 'AU$2,299 incl. GST',
      link: waitingLink,
      academy,
    }),
  'waiting-over': () =>
    waitingOver({
      why: 'lapsed',
      reference,
      title: 'CISSP Bootcamp',
      when: '15 to 19 September 2025, 9:00 AM to 5:00 PM AEST each day',
      day: '15 September',
      waits: false,
      link: `${academy.url}/course/cissp`,
      academy,
    }),
  'waiting-over-retired': () =>
    waitingOver({
      why: 'retired',
      reference,
      title: 'CISSP Bootcamp',
      when: null,
      day: null,
      waits: false,
      link: `${academy.url}/courses`,
      academy,
    }),
  'offer-sent': () => offerSent({ ...quote, byStaff: false }),
  'offer-sent-by-staff': () => offerSent({ ...quote, byStaff: true, held: '' }),
  'offer-accepted': () => offerAccepted({ ...quote, reference }),
  'offer-over-soon': () => offerOverSoon(quote),
  'organisation-asked': () =>
    organisationAsked({ ...company, buyer: 'Ada Byron', email: 'ada@council.example', title: 'CISSP Bootcamp' }),
  'organisation-answered': () => organisationAnswered({ ...company, title: 'CISSP Bootcamp', taken: true }),
  'organisation-answered-no': () => organisationAnswered({ ...company, title: 'CISSP Bootcamp', taken: false }),
  'manager-named': () => managerNamed({ ...company, by: 'Ada Byron', email: 'grace@council.example' }),
  'seat-claimed': () =>
    seatClaimed({
      ...quote,
      reference,
      name: 'Ada Byron',
      email: 'ada@council.example',
      link: `${academy.url}/enrolment/${token}`,
    }),
  'employer-asked': () => employerAsked({ ...quote, asker: 'Ada Byron', askerEmail: 'ada@council.example' }),
  'employer-request-sent': () => employerRequestSent({ ...quote, approver: 'Grace Hopper' }),
  'employer-question': () =>
    employerAnswered({
      ...quote,
      approver: 'Grace Hopper',
      answer: 'asked',
      words: 'Who covers your shifts that week?',
    }),
  'employer-declined': () => employerAnswered({ ...quote, approver: 'Grace Hopper', answer: 'declined', words: null }),
  'course-follow-up': () => courseFollowUp({ ...quote, asker: 'Ada Byron', lines: requestLines, to: 'asker' }),
  'course-follow-up-of-employer': () =>
    courseFollowUp({ ...quote, asker: 'Ada Byron', lines: requestLines, to: 'employer' }),
  ...accountSamples,
  ...enrolmentSamples,
  ...studySamples,
  'course-date-news': () =>
    courseDateMessage({
      subject: 'Bring a laptop on Monday',
      text: 'Hello Mary,\n\nPlease bring a laptop with 8 GB of memory. We start at 9:00 AM.\n\nRegards\nBowerbird Academy',
      course: 'CISSP Bootcamp',
      when: '15 to 19 September 2025, 9:00 AM to 5:00 PM AEST each day',
      link: `${academy.url}/place/0000`,
      button: 'Open the place',
      reason: 'You get this because this address belongs to a place in this course.',
      academy,
    }),
  'job-fault': () =>
    jobFault({
      faults: [
        { job: 'keep waiting lists', item: 'waiting-entry:12' },
        { job: 'remind of places', item: 'place:40' },
      ],
      link: `${academy.url}/staff/faults`,
      academy,
    }),
  'backup-fault': () =>
    backupFault({
      fault: 'The newest backup is older than a day.',
      newest: '7 Sept 2025, 2:10 AM',
      link: `${academy.url}/staff/faults`,
      academy,
    }),
  'content-not-published': () =>
    contentNotPublished({
      what: 'course SOC Analyst Hands-On',
      due: 'Mon 7 December 2026, 9:00 AM in Brisbane',
      reasons: ['Description: must have at least 140 characters; it has 120'],
      toEditor: true,
      isPublic: true,
      link: `${academy.url}/staff/content/course/12`,
      academy,
    }),
  'content-not-published-retired': () =>
    contentNotPublished({
      what: 'course SOC Analyst Hands-On',
      due: 'Mon 7 December 2026, 9:00 AM in Brisbane',
      reasons: ['It was retired after this text was scheduled.'],
      toEditor: true,
      isPublic: false,
      link: `${academy.url}/staff/content/course/12`,
      academy,
    }),
  'content-published-early': () =>
    contentPublishedEarly({
      what: 'course SOC Analyst Hands-On',
      due: 'Monday 7 December 2026, 9:00 AM in Brisbane',
      by: 'Jonas Weir',
      link: `${academy.url}/staff/content/course/12/history`,
      academy,
    }),
};
