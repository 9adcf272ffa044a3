import { signFormToken } from '#app/http/form-token.server.ts';
import type { AcademyApp } from './academy-app.ts';

/** What is typed, to be found again. */
export const words = 'Kept as typed 7391';

const person = { firstName: 'Ada', lastName: 'Byron', name: 'Ada Byron', email: 'ada@example.org' };
const times = { startDate: '2025-11-03', endDate: '2025-11-07', startTime: '09:00', endTime: '17:00' };
const courseDate = { ...times, breakMinutes: '60', enrolmentEnds: '2025-10-31', capacity: '8', minimum: '4' };

/** What the form of a file needs to get as far as the database, besides what its page has. */
export function validFor(academy: AcademyApp, file: string): Record<string, string> {
  const { forms } = academy.services.academy;
  const staff = { form: crypto.randomUUID(), seen: '0' };
  const fields: Record<string, Record<string, string>> = {
    'storefront/contact.tsx': { ...person, message: words, interest: 'other' },
    'storefront/chat.tsx': { message: words },
    'storefront/book.tsx': { ...person, start: '2025-09-10T00:30:00.000Z' },
    'enrol/waiting-list.tsx': { ...person, seats: '1' },
    'enrol/quote.tsx': { buyerName: 'Ada Byron', email: 'ada@example.org', organisation: words },
    'enrol/ask-employer.tsx': {
      buyerName: 'Ada Byron',
      email: 'ada@example.org',
      organisation: words,
      approverName: 'Grace Hopper',
      approverEmail: 'grace@example.org',
      purpose: 'Harden our servers',
      deadline: 'End of June',
      audience: 'The operations team',
    },
    'staff/offers/offer-new.tsx': { act: 'draft', people: '1', name: words, email: 'ada@example.org' },
    'enrol/request.tsx': { form: signFormToken(forms.secret, new Date(forms.clock.now().getTime() - 5000)) },
    'links/offer/employer.tsx': { answer: words },
    'links/enrolment/claim.tsx': { name: 'Ada Byron', email: 'ada@example.org', intent: 'code' },
    'links/enrolment/links.tsx': { email: 'ada@example.org' },
    'staff/certificates/certificate.tsx': { act: 'revoke', why: 'mistake' },
    'staff/mail.tsx': { ...staff, act: 'one' },
    'staff/mail-send-now.ts': { ...staff, act: 'now' },
    'staff/waiting-course-date.tsx': { entry: 'BB-222222', courseDate: '1', seats: '1', reason: words },
    'staff/enrolments/enrolment.tsx': { act: 'links' },
    'staff/enrolments/attendee.tsx': { guardianName: 'Grace Hopper' },
    'staff/enrolments/enrol.tsx': {
      buyerName: 'Ada Byron',
      email: 'ada@example.org',
      attendees: 'Ada Byron',
      shown: '1',
      hold: '0',
      accepted: 'spoken',
      discountCents: '',
      discountWhy: '',
    },
    'staff/enrolments/discount.tsx': { place: 'all', discount: '10', discountWhy: words, refundOf: '' },
    'staff/enrolments/instalments.tsx': { act: 'agree', 'day-1': '2025-10-01', 'amount-1': '10' },
    'staff/enrolments/add.tsx': { price: 'today', guardianName: 'Grace Hopper' },
    'staff/live-hours/live-hour-new.tsx': {
      firstOn: '2025-10-14',
      lastOn: '2026-03-24',
      startsAt: '18:00',
      minutes: '60',
      link: 'https://live.example/cissp',
    },
    'staff/live-hours/live-hour.tsx': { reason: words },
    'staff/booking-new.tsx': { name: 'Ada Byron', email: 'ada@example.org', start: '2025-09-11T00:30:00.000Z' },
    'staff/prices/course-prices.tsx': { act: 'price', price: '2000', original: '', from: '', again: '2000' },
    'staff/course-dates/course-date.tsx': { act: 'hold-anyway' },
    'staff/bulk-actions/message.tsx': {
      act: 'test',
      attendees: 'on',
      purpose: 'service',
      subject: 'Hello',
      body: words,
    },
    'staff/course-dates/course-date-move.tsx': courseDate,
    'staff/payments/payments.tsx': { ...staff, act: 'assign', payment: '1', to: 'BB-222222' },
    'staff/payments/payment.tsx': { act: 'divide' },
    'staff/inbox/templates.tsx': { body: words },
    'staff/inbox/template.tsx': { body: words },
    'staff/payments/statement.tsx': { ...staff, act: 'record', key: crypto.randomUUID() },
  };
  return fields[file] ?? {};
}
