import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { countRecords, listDrafts, listRecords } from '#app/features/catalogue/site/content-list.server.ts';
import { holdAnyway, makeCourseDate, resizeCourseDate } from '#app/features/course-dates/commands.server.ts';
import { coursesWithoutDates, readCalendar } from '#app/features/course-dates/queries.server.ts';
import { sendInvoiceAgain } from '#app/features/enrolments/accounts-address.server.ts';
import { addAttendee, changeAttendee } from '#app/features/enrolments/attendees.server.ts';
import { correctBuyer } from '#app/features/enrolments/buyer.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import {
  findProduct,
  readCourseTitles,
  readGuidedCourses,
  readQuotes,
  readSaleable,
  readTeachable,
} from '#app/features/enrolments/choices-for-staff.server.ts';
import {
  cancelCourseDateAndAsk,
  confirmCourseDateAndTell,
  moveCourseDateAndAsk,
  setJoiningDetailsAndTell,
} from '#app/features/enrolments/course-date-changes.server.ts';
import {
  checkNewDays,
  findCourseDate,
  openCourseDatesOf,
  readAttendees,
  readSeats,
} from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { listEnrolments } from '#app/features/enrolments/enrolment-list.server.ts';
import { giveDiscount } from '#app/features/enrolments/give-discount.server.ts';
import { listOwed } from '#app/features/enrolments/owed.server.ts';
import { previewReminder, remindNow } from '#app/features/enrolments/payment-reminders.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { countToMatch } from '#app/features/enrolments/todo.server.ts';
import { transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { readBoard, readSeen } from '#app/features/enrolments/waiting/board.server.ts';
import { datePlaces } from '#app/features/enrolments/waiting/date-places.server.ts';
import { removeEntry, resumeEntry, withdrawOffer } from '#app/features/enrolments/waiting/entries.server.ts';
import { offerByHand } from '#app/features/enrolments/waiting/offers.server.ts';
import { listWaitingLists } from '#app/features/enrolments/waiting/queries.server.ts';
import { bookTime, cancelBooking, moveBooking } from '#app/features/inbox/bookings/commands.server.ts';
import { findBookingForStaff, listBookings } from '#app/features/inbox/bookings/queries.server.ts';
import { actOnConversation } from '#app/features/inbox/conversations/act.server.ts';
import { listConversations, readForStaff } from '#app/features/inbox/conversations/queries.server.ts';
import { actOnEnquiry } from '#app/features/inbox/enquiries/act.server.ts';
import { findEnquiryForStaff, listInbox } from '#app/features/inbox/enquiries/inbox.server.ts';
import { takeBackAnswer } from '#app/features/inbox/enquiries/take-back.server.ts';
import { finishBooking, holderText, holdItem, snoozeItem } from '#app/features/inbox/holds.server.ts';
import { bookingsSoon, chatsToAnswer, enquiriesToAnswer } from '#app/features/inbox/items.server.ts';
import { readMail } from '#app/features/inbox/mail.server.ts';
import { inboxStaff, readInbox } from '#app/features/inbox/read.server.ts';
import { changeTemplate, listTemplates, retireTemplate, writeTemplate } from '#app/features/inbox/templates.server.ts';
import { cardTroubles } from '#app/features/money/card/troubles.server.ts';
import { dividePayment } from '#app/features/money/divide-payment.server.ts';
import { agreeInstalments, endInstalments } from '#app/features/money/instalments.server.ts';
import { readMoney } from '#app/features/money/money-page.server.ts';
import {
  assignPayment,
  failRefund,
  recordPayment,
  recordRefund,
  recordUnmatched,
} from '#app/features/money/payments.server.ts';
import { bringPaymentBack, setPaymentAside } from '#app/features/money/payments-to-review.server.ts';
import { countUnproved } from '#app/features/money/price-ledger.server.ts';
import { keepUpload, previewUpload } from '#app/features/money/statement-uploads.server.ts';
import { recordStatement } from '#app/features/money/statements.server.ts';
import { dismissLine, recordTakenBack } from '#app/features/money/taken-back.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { inviteStaff, removeStaff } from '#app/features/people/commands.server.ts';
import { changeNote, deleteNote, readNotes, writeNote } from '#app/features/people/notes.server.ts';
import { listPeople } from '#app/features/people/people-list.server.ts';
import type { Permission } from '#app/features/people/permissions.ts';
import { readInstructors } from '#app/features/people/roles.server.ts';
import { readHistory } from '#app/features/people/staff-act.server.ts';
import { deleteView, renameView, savedViews, saveView } from '#app/features/people/views.server.ts';
import { listFaults } from '#app/features/reports/faults.server.ts';
import { findPerson } from '#app/features/reports/person.server.ts';
import { readReport } from '#app/features/reports/reports.server.ts';
import { everyEntryForStaff, readActorsForStaff, readTraceForStaff } from '#app/features/reports/trace.server.ts';
import { readThreadForStaff } from '#app/features/study/answers.server.ts';
import {
  findCertificateForStaff,
  findCertificateToPrint,
  reviewReason,
} from '#app/features/study/certificates/staff-list.server.ts';
import { readCancelling, readEnrolmentForStaff } from '#app/features/study/enrolment-for-staff.server.ts';
import { NotPermitted } from '#app/lib/not-permitted.ts';
import { readAuthors, readBlank, standingAt } from '#app/routes/staff/content/editor.server.ts';
import { readNeeded } from '#app/routes/staff/content/needed.server.ts';
import { listCourseDates } from '#app/routes/staff/course-dates/list-course-dates.server.ts';
import { loadEffects } from '#app/routes/staff/course-dates/load-effects.server.ts';
import { readJoiningForStaff } from '#app/routes/staff/enrolments/add-act.server.ts';
import { findDocumentForStaff, findTermsForStaff, readAgreed } from '#app/routes/staff/enrolments/documents.server.ts';
import { readPayment } from '#app/routes/staff/payments/payment-page.server.ts';
import { readPromotionForStaff } from '#app/routes/staff/prices/promotion.server.ts';
import { makeCourseDate as insertCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let courseDateId: number;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  ({ id: courseDateId } = await insertCourseDate(database.db));
});
afterAll(() => database.drop());

const when = momentAt('2025-09-08T09:00');
/** An argument for commands that must refuse before they read it. */
const unread = {} as never;
const only = (known: object) => known as never;
const noFilter = { who: null, kind: null, about: null, from: null, to: null };
type Work = (trx: Trx, actor: StaffActor) => unknown;

/** Every command and query that staff use, with the one permission it needs. */
const works: [Permission, string, Work][] = [
  ['course-dates:change', 'make a course date', (trx, actor) => makeCourseDate(trx, unread, { ...when, actor })],
  ['course-dates:change', 'resize', (trx, actor) => resizeCourseDate(trx, unread, 1, { ...when, actor })],
  ['course-dates:change', 'confirm', (trx, actor) => confirmCourseDateAndTell(trx, courseDateId, actor, when)],
  [
    'course-dates:change',
    'cancel a course date',
    (trx, actor) => cancelCourseDateAndAsk(trx, courseDateId, actor, when),
  ],
  [
    'course-dates:change',
    'move a course date',
    (trx, actor) => moveCourseDateAndAsk(trx, { courseDate: courseDateId, times: unread, actor }, when),
  ],
  [
    'course-dates:change',
    'set the way in',
    (trx, actor) => setJoiningDetailsAndTell(trx, courseDateId, { joiningDetails: unread, actor }, when),
  ],
  ['course-dates:change', 'hold anyway', (trx, actor) => holdAnyway(trx, unread, { actor, at: when.now })],
  ['money:record', 'record a payment', (trx, actor) => recordPayment(trx, only({ actor }))],
  ['money:record', 'record payments', (trx, actor) => recordUnmatched(trx, [], { actor, at: when.now })],
  ['money:record', 'assign a payment', (trx, actor) => assignPayment(trx, only({ actor }))],
  ['money:record', 'divide a payment', (trx, actor) => dividePayment(trx, only({ actor }))],
  ['money:record', 'set a payment aside', (trx, actor) => setPaymentAside(trx, only({ actor }))],
  ['money:record', 'bring a payment back', (trx, actor) => bringPaymentBack(trx, only({ actor }))],
  ['money:record', 'record a statement', (_, actor) => recordStatement(database.db, [], { actor, at: when.now })],
  ['money:record', 'record what was taken back', (trx, actor) => recordTakenBack(trx, only({ actor }))],
  ['money:record', 'set a line aside', (trx, actor) => dismissLine(trx, only({ actor }))],
  ['money:record', 'keep an upload', (_, actor) => keepUpload(unread, { form: null, actor })],
  ['money:refund', 'record a refund', (trx, actor) => recordRefund(trx, only({ actor }))],
  ['money:refund', 'a refund failed', (trx, actor) => failRefund(trx, only({ actor }))],
  ['enrolments:change', 'place', (trx, actor) => placeEnrolment(trx, only({ actor }), when)],
  ['enrolments:change', 'add', (trx, actor) => addAttendee(trx, only({ actor }), when)],
  ['enrolments:change', 'rename', (trx, actor) => changeAttendee(trx, only({ actor }), when)],
  ['enrolments:change', 'correct the buyer', (trx, actor) => correctBuyer(trx, only({ actor }), when)],
  ['enrolments:change', 'transfer', (trx, actor) => transferPlace(trx, only({ actor }), when)],
  ['enrolments:change', 'cancel places', (trx, actor) => cancelPlaces(trx, only({ why: 'staff', actor }), when)],
  ['enrolments:change', 'give a date', (trx, actor) => datePlaces(trx, only({ actor }), when)],
  ['enrolments:change', 'remind', (trx, actor) => remindNow(trx, { enrolmentId: 1, actor }, when)],
  ['enrolments:change', 'send an invoice again', (trx, actor) => sendInvoiceAgain(trx, only({ actor }), when)],
  ['money:refund', 'give a discount', (trx, actor) => giveDiscount(trx, only({ actor }), when)],
  ['money:agree', 'agree on instalments', (trx, actor) => agreeInstalments(trx, only({ actor }), when)],
  ['money:agree', 'end instalments', (trx, actor) => endInstalments(trx, only({ actor }), when)],
  ['notes:write', 'write a note', (trx, actor) => writeNote(trx, only({ about: {}, actor }), when)],
  ['notes:write', 'change a note', (trx, actor) => changeNote(trx, only({ about: {}, actor }), when)],
  ['notes:write', 'delete a note', (trx, actor) => deleteNote(trx, only({ about: {}, actor }), when)],
  ['money:read', 'who owes', (trx, actor) => listOwed(trx, actor, only({ values: {} }), when.today)],
  ['waiting:change', 'offer', (trx, actor) => offerByHand(trx, only({ by: { actor, reason: '' } }), when)],
  ['waiting:change', 'withdraw', (trx, actor) => withdrawOffer(trx, 1, { actor, reason: '' }, when)],
  ['waiting:change', 'remove', (trx, actor) => removeEntry(trx, 1, { actor }, when)],
  ['waiting:change', 'resume', (trx, actor) => resumeEntry(trx, 1, { actor }, when)],
  ['enquiries:answer', 'answer an enquiry', (trx, actor) => actOnEnquiry(trx, unread, only({ actor }))],
  ['conversations:answer', 'answer a chat', (trx, actor) => actOnConversation(trx, unread, only({ actor }))],
  ['staff:grant', 'invite', (trx, actor) => inviteStaff(trx, unread, { actor, at: when.now })],
  ['staff:grant', 'remove', (trx, actor) => removeStaff(trx, '', { actor, at: when.now })],
  ['inbox:work', 'take in hand', (trx, actor) => holdItem(trx, unread, { was: null, to: 1, actor, ...when })],
  ['inbox:work', 'put off', (trx, actor) => snoozeItem(trx, unread, { until: null, actor, ...when })],
  ['inbox:work', 'be done with a booking', (trx, actor) => finishBooking(trx, unread, { actor, ...when })],
  ['inbox:work', 'who can be given something', (trx, actor) => inboxStaff(trx, actor)],
  ['templates:change', 'write a template', (trx, actor) => writeTemplate(trx, unread, { actor, at: when.now })],
  ['templates:change', 'change a template', (trx, actor) => changeTemplate(trx, unread, actor)],
  ['templates:change', 'retire a template', (trx, actor) => retireTemplate(trx, unread, actor)],
  ['inbox:read', 'templates', (trx, actor) => listTemplates(trx, actor)],
  ['enquiries:answer', 'take an answer back', (trx, actor) => takeBackAnswer(trx, only({ actor }))],
  ['bookings:change', 'book a time', (trx, actor) => bookTime(trx, unread, only({ actor }))],
  ['bookings:change', 'move a booking', (trx, actor) => moveBooking(trx, 1, when.now, only({ actor }))],
  ['bookings:change', 'cancel a booking', (trx, actor) => cancelBooking(trx, 1, { actor, ...when })],
  ['bookings:read', 'a booking', (trx, actor) => findBookingForStaff(trx, actor, '')],
  ['inbox:read', 'all that waits', (trx, actor) => readInbox(trx, actor, unread)],
  ['enquiries:read', 'enquiries that wait', (trx, actor) => enquiriesToAnswer(trx, actor, unread)],
  ['conversations:read', 'chats that wait', (trx, actor) => chatsToAnswer(trx, actor, unread)],
  ['bookings:read', 'bookings to come', (trx, actor) => bookingsSoon(trx, actor, unread)],
  ['enquiries:read', 'the inbox', (trx, actor) => listInbox(trx, actor, unread)],
  ['enquiries:read', 'who has an enquiry in hand', (trx, actor) => holderText(trx, actor, { kind: 'enquiry', id: 1 })],
  ['enquiries:read', 'an enquiry', (trx, actor) => findEnquiryForStaff(trx, actor, '')],
  ['conversations:read', 'chats', (trx, actor) => listConversations(trx, actor, unread)],
  ['conversations:read', 'a chat', (trx, actor) => readForStaff(trx, actor, 1, when.now)],
  ['bookings:read', 'bookings', (trx, actor) => listBookings(trx, actor, { now: when.now })],
  ['waiting:read', 'waiting lists', (trx, actor) => listWaitingLists(trx, actor)],
  ['waiting:read', 'a waiting list', (trx, actor) => readBoard(trx, actor, '', { today: when.today, at: when.now })],
  ['course-dates:read', 'course-dates', (trx, actor) => listCourseDates(trx, actor, unread, when.today)],
  ['course-dates:read', 'a course date', (trx, actor) => findCourseDate(trx, actor, '', when.today)],
  ['attendees:read', 'who attends', (trx, actor) => readAttendees(trx, actor, 1)],
  ['enrolments:read', 'enrolments', (trx, actor) => listEnrolments(trx, actor, unread, when.today)],
  ['people:read', 'people', (trx, actor) => listPeople(trx, actor, unread)],
  ['people:read', 'a person', (trx, actor) => findPerson(trx, actor, 1)],
  ['views:save', 'save a view', (trx, actor) => saveView(trx, unread, { actor, at: when.now })],
  ['views:save', 'rename a view', (trx, actor) => renameView(trx, unread, actor)],
  ['views:save', 'delete a view', (trx, actor) => deleteView(trx, 1, actor)],
  ['enrolments:read', 'an enrolment', (trx, actor) => readEnrolmentForStaff(trx, actor, '', when)],
  ['enrolments:read', 'what cancelling brings', (trx, actor) => readCancelling(trx, actor, unread, when)],
  ['course-dates:read-all', 'courses without dates', (trx, actor) => coursesWithoutDates(trx, actor, when.today)],
  ['money:read', 'money', (trx, actor) => readMoney(trx, actor, when.now, unread)],
  ['money:read', 'a payment', (trx, actor) => readPayment(trx, actor, 1)],
  ['money:read', 'a statement', (_, actor) => previewUpload(unread, actor, '')],
  ['money:read', 'card payments', (trx, actor) => cardTroubles(trx, actor, when.now)],
  ['faults:read', 'faults', (trx, actor) => listFaults(trx, actor)],
  ['course-dates:change', 'who teaches what', (trx, actor) => readTeachable(trx, actor)],
  ['course-dates:change', 'guided courses', (trx, actor) => readGuidedCourses(trx, actor)],
  ['course-dates:change', 'what a change does', (trx, actor) => loadEffects(trx, actor, unread, unread)],
  ['course-dates:change', 'whether days are free', (trx, actor) => checkNewDays(trx, actor, unread, unread)],
  ['course-dates:read', 'the calendar', (trx, actor) => readCalendar(trx, actor, { from: when.today, to: when.today })],
  ['course-dates:read', 'seats', (trx, actor) => readSeats(trx, actor, courseDateId)],
  ['enrolments:read', 'courses to filter by', (trx, actor) => readCourseTitles(trx, actor)],
  ['enrolments:change', 'what is on sale', (trx, actor) => readSaleable(trx, actor)],
  ['enrolments:change', 'a product', (trx, actor) => findProduct(trx, actor, '', when.now)],
  ['enrolments:change', 'quotes', (trx, actor) => readQuotes(trx, actor, [])],
  ['enrolments:change', 'open dates', (trx, actor) => openCourseDatesOf(trx, actor, 1, when.today)],
  ['enrolments:change', 'joining', (trx, actor) => readJoiningForStaff(trx, actor, 1, when)],
  ['enrolments:change', 'a reminder before it goes', (trx, actor) => previewReminder(trx, actor, 1, when)],
  ['enrolments:read', 'terms', (trx, actor) => findTermsForStaff(trx, actor, 1)],
  ['money:agree', 'instalments', (trx, actor) => readAgreed(trx, actor, 1)],
  ['money:read', 'a document', (trx, actor) => findDocumentForStaff(trx, actor, 'tax-invoice', 1)],
  ['money:read', 'what to match', (trx, actor) => countToMatch(trx, actor)],
  ['certificates:read', 'a certificate', (trx, actor) => findCertificateForStaff(trx, actor, '')],
  ['certificates:read', 'whether to look at it', (trx, actor) => reviewReason(trx, actor, 1, when)],
  ['certificates:issue', 'one to print', (trx, actor) => findCertificateToPrint(trx, actor, '')],
  ['exercises:read', 'a thread', (trx, actor) => readThreadForStaff(trx, actor, { place_id: 1, module: 1 })],
  ['waiting:read', 'what was done', (trx, actor) => readSeen(trx, actor, [])],
  ['mail:read', 'mail', (trx, actor) => readMail(trx, actor, { since: null, upTo: when.now })],
  ['trace:read', 'the trace', (trx, actor) => readTraceForStaff(trx, actor, noFilter, { before: null, limit: 1 })],
  ['trace:read', 'the trace as a file', (trx, actor) => everyEntryForStaff(trx, actor, noFilter).next()],
  ['trace:read', 'who acted', (trx, actor) => readActorsForStaff(trx, actor)],
  ['prices:read', 'the promotion', (trx, actor) => readPromotionForStaff(trx, actor)],
  ['prices:read', 'what is unproved', (trx, actor) => countUnproved(trx, actor)],
  ['staff:read', 'instructors', (trx, actor) => readInstructors(trx, actor)],
  ['content:read', 'records counted', (trx, actor) => countRecords(trx, actor)],
  ['content:read', 'records', (trx, actor) => listRecords(trx, actor, 'course', { search: '', state: null })],
  ['content:read', 'drafts', (trx, actor) => listDrafts(trx, actor, 1)],
  ['content:read', 'a record', (trx, actor) => standingAt(trx, actor, { kind: 'course', id: '1' })],
  ['content:read', 'authors', (trx, actor) => readAuthors(trx, actor, [])],
  ['content:change', 'a new record', (trx, actor) => readBlank(trx, actor, 'course')],
  ['content:publish', 'what needs a record', (trx, actor) => readNeeded(trx, actor, unread, when)],
  ['reports:read', 'a report', (trx, actor) => readReport(trx, actor, unread)],
  ['views:save', 'views', (trx, actor) => savedViews(trx, actor)],
  ['certificates:read', 'history', (trx, actor) => readHistory(trx, actor, 'certificate:1')],
];

const staffWith = (...can: Permission[]): StaffActor => ({
  kind: 'staff',
  person: { id: 1, name: 'Ada Byron' },
  roles: [],
  can: new Set(can),
  teachesAs: [],
});

/** The permission that was missing; null when something else became of it. */
async function missing(work: Work, actor: StaffActor): Promise<string | null> {
  const run = async (trx: Trx) => work(trx, actor);
  return database.db
    .transaction()
    .execute(run)
    .then(
      () => null,
      (error: unknown) => (error instanceof NotPermitted ? error.permission : null),
    );
}

test.each(works)('refused without %s: %s', async (permission, _, work) => {
  const others = works.map(([one]) => one).filter((one) => one !== permission);
  expect(await missing(work, staffWith(...others))).toBe(permission);
  expect(await missing(work, staffWith(permission))).not.toBe(permission);
});

test('giving back more than the ladder says moves money', async () => {
  const inFull: Work = (trx, actor) =>
    cancelPlaces(trx, only({ why: 'staff', inFull: { reason: 'Illness' }, actor }), when);
  expect(await missing(inFull, staffWith('enrolments:change'))).toBe('money:refund');
});

test('P68: an instructor reads seats, people and notes of their own course dates only, in every query', async () => {
  const { db } = database;
  const courseDate = await insertCourseDate(db);
  await placeIn(db, courseDate);
  const { instructor_slug: own } = await db
    .selectFrom('course_dates')
    .select('instructor_slug')
    .where('id', '=', courseDate.id)
    .executeTakeFirstOrThrow();
  const about = { kind: 'course-date', id: courseDate.id } as const;
  const ada = await makeStaff(db, { email: 'ada@example.com', name: 'Ada Byron' }, when.now);
  await db.transaction().execute((trx) => writeNote(trx, { about, text: 'Bring chairs.', actor: ada.actor }, when));
  const read = async (teachesAs: string[]) => {
    const actor: StaffActor = { ...staffWith('course-dates:read', 'attendees:read'), teachesAs };
    const { movements } = await readSeats(db, actor, courseDate.id);
    const people = await readAttendees(db, actor, courseDate.id);
    return [movements.length > 0, people.length, (await readNotes(db, about, actor, when.now)).length];
  };
  expect(await read([own])).toEqual([true, 1, 1]);
  expect(await read(['somebody-else'])).toEqual([false, 0, 0]);
});
