import { accountsAddress } from './accounts-address.ts';
import { accountsDocuments } from './accounts-documents.ts';
import { adjustmentNoteIssued } from './adjustment-note.ts';
import { bookingCancelled } from './booking-cancelled.ts';
import { bookingConfirmation } from './booking-confirmation.ts';
import { bookingMoved } from './booking-moved.ts';
import { bookingNotice } from './booking-notice.ts';
import { bookingReminder } from './booking-reminder.ts';
import { buyerCorrected } from './buyer-corrected.ts';
import { contactAcknowledgement } from './contact-acknowledgement.ts';
import { conversationAnswer } from './conversation-answer.ts';
import { conversationNotice } from './conversation-notice.ts';
import { emailCode } from './email-code.ts';
import { enquiryAnswer } from './enquiry-answer.ts';
import { enquiryMessage } from './enquiry-message.ts';
import { enrolmentAcknowledgement } from './enrolment-acknowledgement.ts';
import { enrolmentDraftLink } from './enrolment-draft-link.ts';
import { enrolmentLinks } from './enrolment-links.ts';
import { enrolmentPlaced } from './enrolment-placed.ts';
import { invoiceCopy } from './invoice-copy.ts';
import { jobFault } from './job-fault.ts';
import type { MailAcademy, RenderedMail } from './layout.tsx';
import { moneyReceipt } from './money-receipt.ts';
import { paymentReminder } from './payment-reminder.ts';
import { placeChanged } from './place-changed.ts';
import { placeGiven } from './place-given.ts';
import { placeReminder } from './place-reminder.ts';
import { sessionNotice } from './session-notice.ts';
import { signInLink } from './sign-in-link.ts';
import { waitingJoined } from './waiting-joined.ts';
import { waitingOffer } from './waiting-offer.ts';
import { waitingOver } from './waiting-over.ts';

const academy: MailAcademy = {
  name: 'Bowerbird Academy',
  company: 'Bowerbird Academy Pty Ltd, ABN\u00a089\u00a0000\u00a0000\u00a0019',
  address: 'Level 4, 120 Edward Street, Brisbane, Queensland 4000',
  phone: '(07)\u00a07010\u00a00142',
  email: 'hello@bowerbirdacademy.example',
  url: 'http://localhost:3000',
};
const reference = 'BB-7KQ2MX';
const booking = {
  reference,
  title: 'Career Counseling',
  when: 'Tuesday 9 September 2025, 9:00 AM to 9:30 AM Brisbane time',
  day: '9 September',
  previously: 'Monday 8 September 2025, 2:30 PM to 3:00 PM Brisbane time',
  link: 'http://localhost:3000/booking/0c1d5f2a9b7e4c3d8a6f1e0b2c4d6a8f9e7b5c3d1a0f2e4b',
  bookAgain: 'http://localhost:3000/book/career-counseling',
  academy,
};

const course = {
  title: 'CISSP Bootcamp',
  starts: '13 October',
  when: '13 to 17 October 2025, 9:00 AM to 5:00 PM AEST each day',
  where: 'Online',
  who: 'Ada Byron and 1 to be named',
  standing: 'Takes place once 4 have enrolled, decided by Monday 22 September 2025',
};
const enrolment = {
  reference,
  title: 'CISSP Bootcamp',
  course,
  ready: 'Online you need a computer with a microphone; we write to you how to join before the first day.',
  link: `${academy.url}/enrolment/0c1d5f2a9b7e4c3d8a6f1e0b2c4d6a8f9e7b5c3d1a0f2e4b`,
  academy,
};

const waitingLink = `${academy.url}/waiting/0c1d5f2a9b7e4c3d8a6f1e0b2c4d6a8f9e7b5c3d1a0f2e4b`;

const consent = `${academy.url}/unsubscribe/${'0c1d5f2a9b7e4c3d8a6f1e0b2c4d6a8f'.repeat(3)}`;

/** Every e-mail with sample data, by its kind: for `npm run mail` and for tests. */
export const mailSamples: Readonly<Record<string, () => RenderedMail>> = {
  'contact-acknowledgement': () => contactAcknowledgement({ reference, consent, academy }),
  'enquiry-answer': () =>
    enquiryAnswer({
      reference,
      body: 'Hello Ada,\n\nyes, there is a seat in Sydney in October.\nShall I keep it for you until Friday?',
      from: 'Grace Hopper',
      academy,
    }),
  'sign-in-link': () =>
    signInLink({
      link: `${academy.url}/staff/sign-in/confirm?token=sampleTokenOfThirtyTwoCharacters`,
      minutes: 15,
      academy,
    }),
  'enrolment-draft-link': () =>
    enrolmentDraftLink({
      link: `${academy.url}/enrol/0c1d5f2a9b7e4c3d8a6f1e0b2c4d6a8f9e7b5c3d1a0f2e4b`,
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
  'conversation-answer': () =>
    conversationAnswer({ link: `${academy.url}/chat/0c1d5f2a9b7e4c3d8a6f1e0b2c4d6a8f9e7b5c3d1a0f2e4b`, academy }),
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
      invoices: [{ number: 'INV-00043', replaces: 'INV-00042', note: 'ADJ-00007' }],
      link: `${academy.url}/enrolment/0c1d5f2a9b7e4c3d8a6f1e0b2c4d6a8f9e7b5c3d1a0f2e4b`,
      academy,
    }),
  'enrolment-links': () =>
    enrolmentLinks({
      links: [
        {
          reference,
          title: 'CISSP Bootcamp',
          href: `${academy.url}/enrolment/0c1d5f2a9b7e4c3d8a6f1e0b2c4d6a8f9e7b5c3d1a0f2e4b`,
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
  'booking-confirmation': () => bookingConfirmation({ ...booking, consent }),
  'booking-moved': () => bookingMoved(booking),
  'booking-cancelled': () => bookingCancelled(booking),
  'booking-reminder': () => bookingReminder(booking),
  'booking-notice': () =>
    bookingNotice({
      ...booking,
      event: 'moved',
      adviser: 2,
      name: 'Ada Byron',
      email: 'ada@example.com',
      about: 'CISSP Bootcamp',
      note: 'By telephone, please:\n0412 345 678',
    }),
  'waiting-joined': () =>
    waitingJoined({
      entries: [
        { reference, title: 'CISSP Bootcamp', when: null, day: null, seats: 2, confirmed: false, link: waitingLink },
      ],
      days: 7,
      consent,
      academy,
    }),
  'waiting-joined-many': () =>
    waitingJoined({
      entries: [
        { reference, title: 'CISSP Bootcamp', when: null, day: null, seats: 2, confirmed: false, link: waitingLink },
        { reference, title: 'CISM Bootcamp', when: null, day: null, seats: 1, confirmed: false, link: waitingLink },
      ],
      days: 7,
      consent,
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
      until: '11 Sept 2025, 8:59 am, Brisbane time',
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
  'email-code': () => emailCode({ code: '427 916', minutes: 15, academy }),
  'enrolment-placed': () =>
    enrolmentPlaced({
      ...enrolment,
      courses: [course],
      total: 'AU$4,598',
      discount: 'Combo −30%: AU$689.70',
      due: 'Please pay AU$4,598 incl. GST by bank transfer by Monday 22 September 2025.',
      refunds: ['For each place: until 29 September AU$2,299 back, until 6 October AU$1,149.50, then nothing'],
      invoiced: true,
      calendar: true,
    }),
  'place-given': () => placeGiven({ ...enrolment, calendar: true }),
  'place-moved': () =>
    placeChanged({
      ...enrolment,
      change: 'moved',
      to: 'buyer',
      calendar: 'REQUEST',
      previously: '15 to 19 September 2025, 9:00 AM to 5:00 PM AEST each day',
      money: ['Price and invoice stay the same.'],
    }),
  'place-session-cancelled': () =>
    placeChanged({
      ...enrolment,
      course: { ...course, standing: 'Cancelled' },
      change: 'session-cancelled',
      to: 'buyer',
      calendar: 'CANCEL',
      previously: null,
      money: [
        'Please choose by Monday 6 October 2025: another date, or a full refund. If we hear nothing by then, we refund everything.',
      ],
    }),
  'place-session-moved': () =>
    placeChanged({
      ...enrolment,
      change: 'session-moved',
      to: 'attendee',
      calendar: 'REQUEST',
      previously: '6 to 10 October 2025',
      money: [],
    }),
  'place-session-changed': () =>
    placeChanged({
      ...enrolment,
      change: 'session-changed',
      to: 'attendee',
      calendar: 'REQUEST',
      previously: '15 to 19 September 2025, 9:00 AM to 5:00 PM AEST each day',
      news: ['Ingrid Solheim teaches it instead of Daniel Nguyen.'],
      money: [],
    }),
  'place-way-in': () =>
    placeChanged({
      ...enrolment,
      course: { ...course, join: 'https://class.example/cissp' },
      change: 'way-in',
      to: 'attendee',
      calendar: 'REQUEST',
      previously: null,
      money: [],
    }),
  'session-notice': () =>
    sessionNotice({
      matter: 'Below its minimum',
      course: 'CISSP Bootcamp',
      when: '15 to 19 September 2025',
      text: ['2 of at least 3 people are left in it.', 'You can hold it anyway, or cancel it.'],
      link: `${academy.url}/staff/sessions/cissp-melbourne`,
      academy,
    }),
  'place-sold-again': () =>
    placeChanged({
      ...enrolment,
      change: 'sold-again',
      to: 'buyer',
      calendar: null,
      course: { ...course, standing: 'Cancelled' },
      previously: null,
      money: [
        'The session has sold out, with your seat taken by somebody else, so we refund the rest. Your invoice falls by AU$1,149.50 incl. GST.',
      ],
    }),
  'place-cancelled': () =>
    placeChanged({
      ...enrolment,
      course: { ...course, standing: 'Cancelled' },
      change: 'cancelled',
      to: 'attendee',
      calendar: 'CANCEL',
      previously: null,
      money: [],
      link: null,
    }),
  'place-reminder': () => placeReminder({ ...enrolment, soon: 'in 7 days' }),
  'payment-reminder': () =>
    paymentReminder({
      ...enrolment,
      paymentReference: 'INV00042 BB7KQ2MX',
      owed: 'AU$6,897',
      invoices: [
        { number: 'INV-00042', owed: 'AU$4,598', due: 'Monday 22 September 2025', overdue: true },
        { number: 'INV-00043', owed: 'AU$2,299', due: 'Thursday 2 October 2025', overdue: false },
      ],
    }),
  'money-receipt': () =>
    moneyReceipt({
      ...enrolment,
      moved: [
        { kind: 'payment', amount: 'AU$2,000', day: 'Monday 15 September 2025', how: 'by bank transfer' },
        { kind: 'payment', amount: 'AU$299', day: 'Tuesday 16 September 2025', how: 'by card' },
      ],
      still: [
        'AU$2,299 incl. GST is still owed.',
        'Tax invoice INV-00042: AU$2,299 is due by Monday 22 September 2025.',
      ],
    }),
  'adjustment-note': () =>
    adjustmentNoteIssued({
      ...enrolment,
      notes: [{ number: 'ADJ-00007', invoice: 'INV-00042', total: 'AU$500', reason: 'A day of the course was lost' }],
      still: ['Nothing more is owed.'],
    }),
  'invoice-copy': () =>
    invoiceCopy({
      ...enrolment,
      number: 'INV-00042',
      total: 'AU$4,598',
      due: 'Please pay AU$4,598 incl. GST by bank transfer by Monday 22 September 2025.',
    }),
  'accounts-address': () =>
    accountsAddress({ reference, link: `${academy.url}/accounts/${'5b1d'.repeat(12)}`, academy }),
  'accounts-documents': () =>
    accountsDocuments({
      ...enrolment,
      numbers: [
        { kind: 'Tax invoice', number: 'INV-00042' },
        { kind: 'Adjustment note', number: 'ADJ-00007' },
      ],
      still: ['Nothing more is owed.'],
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
};
