import { namesAsked } from './companies.ts';
import { courseDateNotice } from './course-dates.ts';
import { attendeeLeft, enrolmentPlaced } from './enrolments.ts';

import type { RenderedMail } from './layout.tsx';
import {
  accountsAddress,
  accountsDocuments,
  adjustmentNoteIssued,
  instalmentsAgreed,
  invoiceCopy,
  moneyReceipt,
  paymentReminder,
} from './money.ts';

import { placeChanged, placeGiven, placeReminder } from './places.ts';

import { academy, course, enrolment, place, reference } from './sample-values.ts';

const pay = [
  ['Amount', 'AU$4,598'],
  ['BSB', '000-000'],
  ['Account', '000000000'],
  ['Account name', 'Bowerbird Academy Pty Ltd'],
  ['Payment reference', 'INV00042 BB7KQ2MX'],
] as const;

/** The mails about places and money, with sample data, by their kind. */
export const enrolmentSamples: Readonly<Record<string, () => RenderedMail>> = {
  'enrolment-placed': () =>
    enrolmentPlaced({
      ...enrolment,
      courses: [course],
      total: 'AU$4,598',
      discount: null,
      due: 'Please pay AU$4,598 incl. GST by Monday 22 September 2025.',
      pay,
      places: 2,
      refunds: {
        rows: [
          ['Until Monday 29 September', 'AU$2,299 for each place'],
          ['Until Monday 6 October', 'AU$1,149.50 for each place'],
          ['From Tuesday 7 October', 'Nothing'],
        ],
      },
      invoiced: true,
      owed: true,
      calendar: true,
    }),
  'place-given': () =>
    placeGiven({
      ...place,
      course: {
        ...place.course,
        standing: 'Goes ahead once 4 have enrolled, and we decide by Monday 22 September 2025',
      },
      calendar: true,
    }),
  'place-moved': () =>
    placeChanged({
      ...enrolment,
      change: 'moved',
      to: 'buyer',
      calendar: 'REQUEST',
      previously: '15 to 19 September 2025, 9:00 AM to 5:00 PM AEST each day',
      money: ['Price and invoice stay the same.'],
    }),
  'place-cancelled-several': () =>
    placeChanged({
      ...enrolment,
      course: { ...course, who: 'Ada Byron and Mary Shelley', standing: 'Cancelled' },
      change: 'cancelled',
      to: 'buyer',
      count: 2,
      calendar: null,
      previously: null,
      money: ['We refund AU$4,598 incl. GST. An adjustment note is attached.', 'You owe nothing more.'],
    }),
  'place-course-date-cancelled': () =>
    placeChanged({
      ...enrolment,
      course: { ...course, standing: 'Cancelled' },
      change: 'course-date-cancelled',
      to: 'buyer',
      calendar: 'CANCEL',
      previously: null,
      money: [
        'Please choose by Monday 6 October 2025: another date, or a full refund. If you don’t choose by then, we refund everything.',
      ],
    }),
  'place-course-date-moved': () =>
    placeChanged({
      ...place,
      change: 'course-date-moved',
      to: 'attendee',
      calendar: 'REQUEST',
      previously: '6 to 10 October 2025',
      money: [],
    }),
  'place-course-date-changed': () =>
    placeChanged({
      ...place,
      change: 'course-date-changed',
      to: 'attendee',
      calendar: 'REQUEST',
      previously: '13 to 17 October 2025, 10:00 AM to 6:00 PM AEST each day',
      news: ['Ingrid Solheim teaches it instead of Daniel Nguyen.'],
      money: [],
    }),
  'place-joining-details': () =>
    placeChanged({
      ...place,
      course: { ...place.course, join: 'https://class.example/cissp' },
      change: 'joining-details',
      to: 'attendee',
      calendar: 'REQUEST',
      previously: null,
      money: [],
    }),
  'course-date-notice': () =>
    courseDateNotice({
      matter: 'Below its minimum',
      course: 'CISSP Bootcamp',
      when: '15 to 19 September 2025',
      text: ['2 of at least 3 people are left in it.', 'You can run it anyway, or cancel it.'],
      link: `${academy.url}/staff/course-dates/cissp-melbourne`,
      academy,
    }),
  'place-cancelled': () =>
    placeChanged({
      ...place,
      course: { ...place.course, standing: 'Cancelled' },
      change: 'cancelled',
      to: 'attendee',
      calendar: 'CANCEL',
      previously: null,
      money: [],
      link: null,
    }),
  'place-other-person': () => attendeeLeft({ ...place, why: 'other-person', calendar: true }),
  'place-other-address': () => attendeeLeft({ ...place, why: 'other-address', calendar: true }),
  'place-reminder': () => placeReminder({ ...place, soon: 'in 7 days' }),
  'place-reminder-joining': () =>
    placeReminder({
      ...place,
      soon: 'tomorrow',
      course: { ...place.course, join: 'https://class.example/cissp' },
    }),
  'names-asked': () =>
    namesAsked({ ...enrolment, starts: '13 October', course: course.title, when: course.when, missing: 1, all: 2 }),
  'names-asked-one': () =>
    namesAsked({ ...enrolment, starts: '13 October', course: course.title, when: course.when, missing: 1, all: 1 }),
  'payment-reminder': () =>
    paymentReminder({
      ...enrolment,
      starts: '13 October',
      pay: pay.slice(1),
      owed: 'AU$6,897',
      takenBack: null,
      invoices: [
        { number: 'INV-00042', owed: 'AU$4,598', due: 'Monday 22 September 2025', overdue: true },
        { number: 'INV-00043', owed: 'AU$2,299', due: 'Thursday 2 October 2025', overdue: false },
      ],
    }),
  'payment-reminder-taken-back': () =>
    paymentReminder({
      ...enrolment,
      starts: '13 October',
      pay: pay.slice(1),
      owed: 'AU$2,299',
      takenBack: 'AU$2,299',
      invoices: [{ number: 'INV-00042', owed: 'AU$2,299', due: 'Monday 22 September 2025', overdue: true }],
    }),
  'money-receipt': () =>
    moneyReceipt({
      ...enrolment,
      moved: [
        { kind: 'payment', amount: 'AU$2,000', day: 'Monday 15 September 2025', how: 'by bank transfer' },
        { kind: 'payment', amount: 'AU$299', day: 'Tuesday 16 September 2025', how: 'by card' },
      ],
      still: [
        'AU$2,299 incl. GST is still to pay.',
        'Tax invoice INV-00042: AU$2,299 is due by Monday 22 September 2025.',
      ],
    }),
  'adjustment-note': () =>
    adjustmentNoteIssued({
      ...enrolment,
      notes: [{ number: 'ADJ-00007', invoice: 'INV-00042', total: 'AU$500', reason: 'A day of the course was lost' }],
      still: ['You owe nothing more.'],
    }),
  'instalments-agreed': () =>
    instalmentsAgreed({
      ...enrolment,
      number: 'INV-00042',
      agreed: true,
      waits: false,
      instalments: [
        { day: 'Monday 22 September 2025', amount: 'AU$2,299' },
        { day: 'Monday 27 October 2025', amount: 'AU$2,299' },
      ],
      pay: pay.slice(1),
    }),
  'invoice-copy': () =>
    invoiceCopy({
      ...enrolment,
      starts: '13 October',
      number: 'INV-00042',
      total: 'AU$4,598',
      due: 'Please pay AU$4,598 incl. GST by Monday 22 September 2025.',
      pay,
      link: null,
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
      still: ['You owe nothing more.'],
    }),
};
