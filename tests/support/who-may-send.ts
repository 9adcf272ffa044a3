import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#app/env.server.ts';
import type { Permission } from '#app/features/people/permissions.ts';

/** Pages and files that everybody may see, and forms that everybody may send. */
export const everybodys = `* .well-known/did.json .well-known/security.txt about api/catalogue api/courses api/player
  api/seats api/suggestions api/vitals apple-touch-icon-precomposed.png apple-touch-icon.png art/:file ask-employer
  art/:kind/:file book/:kind booked/:reference certificates certificates/:number
  certificates/:number/badge.json certificates/:number/badge.png certificates/status/:list certifications
  certifications/:certificationId chat claims combos compare contact course/:courseId course/:courseId/brochure.pdf
  course/:courseId/certificate-sample.pdf courses courses.atom demo did.json enrol enrolments faq favicon.ico
  free-resources free-resources/:resourceId help icon/:file instructors/:instructorId llms.txt mail mail/:mailId mail/:mailId/html
  manifest.webmanifest module-preview privacy promotion/close quest-lines quest-lines/:questLineId quote robots.txt
  sent/:reference services share/:file share/:kind/:file sitemap.xml status terms training-calendar
  training-calendar.ics training-calendar/:courseDateId training-calendar/:courseDateId/course_date.ics waiting-list
  wishes`.split(/\s+/);

/** Taken only with a signature of the sender. */
export const signed = ['stripe/events'];

/** The two sign-ins, and where people sign out. */
export const signInPaths = `login login/code login/left login/link login/passkey login/undo logout staff/sign-in
  staff/sign-in/code staff/sign-in/confirm staff/sign-in/factor staff/sign-in/passkey staff/sign-in/set-up
  staff/sign-out`.split(/\s+/);

/** Opened by a private link, by what the link is of. */
export const linked = {
  draft: `enrol/:draft enrol/:draft/:step enrol/:draft/done enrol/:draft/payer enrol/:draft/request
    enrol/:draft/review quote/:draft`.split(/\s+/),
  buyer: `enrolment/:token enrolment/:token/add enrolment/:token/attendee/:attendeeId enrolment/:token/cancel
    enrolment/:token/card enrolment/:token/choose/:placeId enrolment/:token/details enrolment/:token/names
    enrolment/:token/organisation enrolment/:token/document/:file
    enrolment/:token/place/:placeId/calendar.ics enrolment/:token/terms enrolment/:token/transfer/:placeId`.split(
    /\s+/,
  ),
  offer: ['offer/:token', 'offer/:token/:file'],
  claim: ['claim/:reference/:key'],
  employerRequest: ['employer/:token'],
  payment: ['enrolment/card-return/:payment'],
  attendee: `place/:token place/:token/:placeId/calendar.ics place/:token/:placeId/cannot-come
    place/:token/:placeId/certificate place/:token/:placeId/certificate.pdf
    place/:token/:placeId/module/:module`.split(/\s+/),
  booking: ['booking/:token', 'booking/:token/booking.ics'],
  waiting: ['waiting/:token'],
  chat: ['chat/:token', 'chat/:token/live'],
  accounts: ['accounts/:token'],
  mails: ['unsubscribe/:token'],
};

const courseDate = 'course-dates:change';
const price = 'prices:change';
const enrolment = 'enrolments:change';
const template = 'templates:change';
const company = 'companies:change';
const issuing = { issue: 'certificates:issue', undo: 'certificates:issue', work: 'certificates:issue' } as const;
const notes = { note: 'notes:write', 'change-note': 'notes:write', 'delete-note': 'notes:write' } as const;

/** What each act of each form for staff needs (P68), by hand; the act has no name where the page has only one. */
export const staffActs: Record<string, Readonly<Record<string, Permission>>> = {
  'staff/accountant/accountant.tsx': { make: 'money:export' },
  'staff/booking.tsx': { ...notes, move: 'bookings:change', cancel: 'bookings:change' },
  'staff/booking-new.tsx': { book: 'bookings:change' },
  'staff/certificates/certificate.tsx': {
    revoke: 'certificates:revoke',
    undo: 'certificates:revoke',
    'take-name': 'certificates:revoke',
    'refuse-name': 'certificates:revoke',
    'let-stand': 'certificates:revoke',
  },
  'staff/certificates/place-certificate.tsx': issuing,
  'staff/course-dates/certificates.tsx': issuing,
  'staff/bulk-actions/bulk-action.tsx': { 'take-back': 'mail:send' },
  'staff/bulk-actions/buyers.tsx': { remind: enrolment, 'ask-names': enrolment },
  'staff/bulk-actions/message.tsx': { preview: 'mail:send', test: 'mail:send', send: 'mail:send' },
  'staff/classes/answer.tsx': { accept: 'exercises:mark', 'not-yet': 'exercises:mark' },
  'staff/classes/hand-out.tsx': { 'hand-out': 'exercises:mark' },
  'staff/classes/class.tsx': { save: 'attendance:mark', all: 'attendance:mark' },
  'staff/classes/class-details.tsx': { details: 'attendance:mark' },
  'staff/classes/class-taps.ts': { '': 'attendance:mark' },
  'staff/content/record.tsx': {
    save: 'content:change',
    discard: 'content:change',
    publish: 'content:publish',
    'publish-beside': 'content:publish',
    'publish-early': 'content:publish',
    schedule: 'content:publish',
    'call-off': 'content:publish',
  },
  'staff/content/record-new.tsx': { save: 'content:change' },
  'staff/content/record-history.tsx': { draft: 'content:change', revert: 'content:publish' },
  'staff/content/record-preview.ts': { '': 'content:change' },
  'staff/content/record-retire.tsx': { retire: 'content:publish' },
  'staff/conversation.tsx': {
    ...notes,
    answer: 'conversations:answer',
    'take-back': 'conversations:answer',
    closed: 'conversations:answer',
    opened: 'conversations:answer',
  },
  'staff/enquiry.tsx': {
    ...notes,
    answer: 'enquiries:answer',
    'take-back': 'enquiries:answer',
    state: 'enquiries:answer',
  },
  'staff/enrolments/add.tsx': { add: enrolment },
  'staff/enrolments/attendee.tsx': { attendee: enrolment },
  'staff/enrolments/buyer.tsx': { buyer: enrolment },
  'staff/enrolments/cancel.tsx': { cancel: enrolment },
  'staff/enrolments/discount.tsx': { discount: 'money:refund' },
  'staff/enrolments/enrol.tsx': { enrol: enrolment },
  'staff/enrolments/enrolment.tsx': {
    ...notes,
    'take-back': enrolment,
    payment: 'money:record',
    refund: 'money:refund',
    'refund-failed': 'money:refund',
    'send-invoice': enrolment,
    links: enrolment,
  },
  'staff/enrolments/instalments.tsx': { agree: 'money:agree', end: 'money:agree' },
  'staff/enrolments/remind.tsx': { remind: enrolment },
  'staff/enrolments/transfer.tsx': { transfer: enrolment },
  'staff/faults.tsx': { '': 'faults:retry' },
  'staff/inbox/inbox.tsx': {
    take: 'inbox:work',
    'put-back': 'inbox:work',
    give: 'inbox:work',
    snooze: 'inbox:work',
    wake: 'inbox:work',
    done: 'inbox:work',
  },
  'staff/inbox/template.tsx': { change: template, retire: template, 'use-again': template },
  'staff/inbox/templates.tsx': { write: template },
  'staff/offers/offer-new.tsx': { draft: company, send: company },
  'staff/offers/offer.tsx': { send: company, decline: company, delete: company },
  'staff/offers/organisation-new.tsx': { make: company },
  'staff/offers/organisation-join.tsx': { join: company },
  'staff/offers/organisation.tsx': {
    change: company,
    'add-manager': company,
    'end-manager': company,
    give: company,
    'take-back': company,
  },
  'staff/lists/views.tsx': { save: 'views:save', rename: 'views:save', delete: 'views:save' },
  'staff/live-hours/live-hour.tsx': { off: courseDate, link: courseDate, end: courseDate },
  'staff/live-hours/live-hour-new.tsx': { new: courseDate },
  'staff/mail.tsx': { '': 'mail:send', one: 'mail:send', all: 'mail:send' },
  'staff/mail-send-now.ts': { '': 'mail:send', now: 'mail:send', held: 'staff:grant' },
  'staff/payments/payment.tsx': {
    divide: 'money:record',
    'set-aside': 'money:record',
    'bring-back': 'money:record',
    ...notes,
  },
  'staff/payments/payments.tsx': {
    preview: 'money:record',
    assign: 'money:record',
    line: 'money:record',
    accept: 'money:record',
  },
  'staff/payments/suggested.tsx': { accept: 'money:record' },
  'staff/payments/statement.tsx': { record: 'money:record' },
  'staff/people/member.tsx': { give: 'staff:grant', take: 'staff:grant', end: 'staff:grant' },
  'staff/people/person.tsx': { ...notes, end: 'staff:grant' },
  'staff/people/team.tsx': { invite: 'staff:grant' },
  'staff/prices/course-prices.tsx': { price, withdraw: price, confirm: price, unconfirm: price },
  'staff/prices/prices.tsx': { 'confirm-all': price },
  'staff/prices/promotion.tsx': { start: price },
  'staff/course-dates/copy-term.tsx': { make: courseDate },
  'staff/course-dates/series.tsx': { make: courseDate },
  'staff/course-dates/course-date-change.tsx': { confirm: courseDate, cancel: courseDate },
  'staff/course-dates/course-date-move.tsx': { move: courseDate },
  'staff/course-dates/course-date-new.tsx': { new: courseDate },
  'staff/course-dates/course-date.tsx': {
    ...notes,
    resize: courseDate,
    'hold-quote': courseDate,
    'joining-details': courseDate,
    'hold-anyway': courseDate,
    'release-hold': courseDate,
  },
  'staff/waiting-course-date.tsx': {
    offer: 'waiting:change',
    withdraw: 'waiting:change',
    resume: 'waiting:change',
    remove: 'waiting:change',
  },
};

/** The acts of forms of a player's own pages. */
export const playersActs =
  `add-address ask draft employer end-others end-sign-in hand-in keep leave main-address name remove-address
  remove-passkey renew-codes set-up show take withdraw`.split(/\s+/);

/** The names of acts in the source, as forms send them and as schemas take them. */
export function actsInSource(): Set<string> {
  const folder = path.join(projectRoot, 'app');
  const files = ['routes', 'features'].flatMap((part) =>
    readdirSync(path.join(folder, part), { recursive: true, encoding: 'utf8' }).map((file) => path.join(part, file)),
  );
  const sources = files
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'));
  const named = /\bact(?:=|"\s+value=|: z\.literal\(| === )\{?['"]([a-z-]+)['"]/g;
  const listed = /\bact: z\s*\.enum\(\[([^\]]*)\]/g;
  return new Set(
    sources.flatMap((source) => [
      ...[...source.matchAll(named)].map(([, act = '']) => act),
      ...[...source.matchAll(listed)].flatMap(([, acts = '']) => [...acts.matchAll(/[a-z-]+/g)].map(([act]) => act)),
    ]),
  );
}
