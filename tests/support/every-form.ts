import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { expect } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { claimPath } from '#app/features/companies/claim-seat.server.ts';
import { keepDraft, readStanding } from '#app/features/content/drafts.server.ts';
import { cancelCourseDateAndAsk } from '#app/features/enrolments/course-date-changes.server.ts';
import { makeEnrolmentLink } from '#app/features/enrolments/links.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { makeWaitingToken } from '#app/features/enrolments/waiting/mails.server.ts';
import { makeBookingLink } from '#app/features/inbox/bookings/links.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { makeLink } from '#app/outbox/private-links.server.ts';
import type { AcademyApp } from './academy-app.ts';
import { attends as attendsClass, issued, makeClass, pageOf } from './certificates.ts';
import { visitor } from './enrolling.ts';
import { attendee, makeCourseDate, momentAt, placeIn } from './enrolments.ts';
import { formsOf, type PageForm } from './forms-of.ts';
import type { SignedIn } from './staff.ts';

/** A page with forms; where the form is shown by scripts only, its fields. `kept` false: nothing typed is shown again. */
export type FormPage = { address: string; fields?: Record<string, string>; kept?: false };
export type FormPages = Map<string, FormPage[]>;

/** Makes one record of every kind that has a page, and lists the pages with forms of each route file with an action. */
export async function everyForm(academy: AcademyApp, staff: SignedIn, from: () => string): Promise<FormPages> {
  const { db } = academy.database;
  const pages: FormPages = new Map();
  const add = (file: string, address: string, fields?: Record<string, string>, kept?: false) =>
    pages.set(file, [
      ...(pages.get(file) ?? []),
      { address, ...(fields && { fields }), ...(kept === false && { kept }) },
    ]);
  const post = async (address: string, fields: Record<string, string>) => {
    const answer = await staff.post(address, { ...fields, form: crypto.randomUUID(), seen: '0' });
    expect([address, answer.status]).toEqual([address, 303]);
    return answer.headers.get('Location') ?? '';
  };
  const one = visitor(academy, from());
  const started = await one.choose('course=cissp', { 'way-cissp': 'guided', 'monday-cissp': '2025-09-22' });
  const ready = await one.choose('course=cissp', { 'way-cissp': 'guided', 'monday-cissp': '2025-09-22' });
  await one.fillIn(ready, 'grace@drafts.example');
  add('enrol/enrol.tsx', '/enrol?course=cissp');
  add('enrol/review.tsx', `${ready}/review`, undefined, false);
  add('enrol/earlier-step.ts', `${started}/attendees`, { 'name-1': 'Ada' }, false);
  add('enrol/request.tsx', `${ready}/request`, { message: '', form: '' }, false);
  // After the last step, which opens only while the payer is complete.
  add('enrol/payer.tsx', `${ready}/payer`);
  add('enrol/choice.tsx', started);
  add('enrol/quote.tsx', '/quote?course=cissp');
  add('enrol/ask-employer.tsx', '/ask-employer?course=cissp');
  add('enrol/quote-code.tsx', ready.replace('/enrol/', '/quote/'), { code: '123456', intent: 'make' }, false);
  add('enrol/waiting-list.tsx', '/waiting-list?course=cissp');
  add('storefront/book.tsx', '/book/career-counseling');
  add('storefront/chat.tsx', '/chat');
  add('storefront/contact.tsx', '/contact');
  add('links/enrolment/links.tsx', '/enrolments');
  add('api/close-promotion.ts', '/promotion/close', { to: '/courses' }, false);
  add('storefront/unsubscribe.tsx', '/unsubscribe/abc', { confirm: 'on' }, false);
  add('staff/sign-in.tsx', '/staff/sign-in', { email: 'ada@example.com' });
  add('staff/sign-in-confirm.tsx', '/staff/sign-in/confirm?token=x', undefined, false);
  for (const step of ['code', 'factor', 'set-up']) {
    add(`staff/sign-in-${step}.tsx`, `/staff/sign-in/${step}`, { code: '123456' }, false);
  }
  add('storefront/login.tsx', '/login', { email: 'ada@example.com', to: '/account' });
  add('storefront/login-code.tsx', '/login/code', { code: '123456' }, false);
  add('storefront/login-undo.tsx', '/login/undo?token=x', undefined, false);
  add('account/login-passkey.ts', '/login/passkey', { step: 'answer', response: '{"id":"x"}', to: '/' }, false);
  add('staff/sign-in-passkey.ts', '/staff/sign-in/passkey', { step: 'answer', response: '{"id":"x"}', to: '/' }, false);
  // From the side of somebody who is not logged in as a player.
  add('account/settings.tsx', '/account/settings', { act: 'remove-passkey', passkey: 'x' }, false);
  add('account/passkey.ts', '/account/settings/passkey', { step: 'options', response: '{}' }, false);
  add('account/leave.tsx', '/account/leave', { act: 'leave', word: 'x' }, false);
  add('account/address.tsx', '/account/address?token=x', { token: 'x' }, false);
  add('storefront/login-link.tsx', '/login/link?token=x', undefined, false);
  add('account/bower.tsx', '/account/bower', { avenue: 'cissp' }, false);
  add('company/company.tsx', '/company/1', { act: 'add-manager', email: 'ada@example.org' }, false);
  add('account/logout.ts', '/logout', { to: '/' }, false);
  add('staff/mail.tsx', '/staff/mail', { mail: 'x' }, false);
  add('staff/faults.tsx', '/staff/faults', { job: 'send receipts' }, false);
  add('staff/mail-send-now.ts', '/staff/mail/send-now', { mail: 'x' }, false);
  add(
    'staff/payments/statement.tsx',
    '/staff/payments/statements/none',
    { act: 'record', form: crypto.randomUUID(), seen: '0', key: 'none' },
    false,
  );
  add('links/enrolment/accounts.tsx', '/accounts/none', { intent: 'agree' }, false);
  add('links/enrolment/card.tsx', '/enrolment/none/card', { intent: 'pay', shown: '1' }, false);

  const anonymous = { name: 'Ada Byron', email: 'ada@example.org' };
  const sent = await academy.submit('/contact', {
    ...anonymous,
    firstName: 'Ada',
    lastName: 'Byron',
    message: 'Hello',
  });
  add('staff/enquiry.tsx', `/staff/enquiries/${/BB-\w+/.exec(sent.headers.get('Location') ?? '')?.[0]}`);
  const chat = await academy.submit('/chat', { message: 'Hello' });
  add('links/chat/conversation.tsx', chat.headers.get('Location') ?? '');
  const conversation = await db.selectFrom('conversations').select('id').executeTakeFirstOrThrow();
  add('staff/inbox/inbox.tsx', '/staff/inbox');
  add('staff/conversation.tsx', `/staff/conversations/${conversation.id}`);
  const booking = await academy.submit('/book/career-counseling', { ...anonymous, start: '2025-09-10T00:30:00.000Z' });
  expect(booking.status).toBe(303);
  const booked = await db.selectFrom('bookings').select(['id', 'reference']).executeTakeFirstOrThrow();
  add('staff/booking.tsx', `/staff/bookings/${booked.reference}`);
  add('staff/booking-new.tsx', '/staff/bookings/new');
  add('staff/inbox/templates.tsx', '/staff/inbox/templates');
  add('staff/inbox/template.tsx', '/staff/inbox/templates/1');
  add('links/booking/booking.tsx', `/booking/${await makeBookingLink(db, booked.id)}?date=2025-09-11`);
  const full = await makeCourseDate(db, { capacity: 1 });
  await placeIn(db, full);
  const { slug: fullSlug } = await db
    .selectFrom('course_dates')
    .select('slug')
    .where('id', '=', full.id)
    .executeTakeFirstOrThrow();
  const joined = await academy.submit('/waiting-list?course=cissp', { ...anonymous, seats: '1' });
  expect(joined.status).toBe(303);
  const entry = await db.selectFrom('waiting_entries').select(['id', 'reference']).executeTakeFirstOrThrow();
  add('links/waiting.tsx', `/waiting/${await makeWaitingToken(db, entry.id)}`, { intent: 'confirm' }, false);
  add(
    'staff/waiting-course-date.tsx',
    `/staff/waiting/${fullSlug}`,
    { act: 'offer', form: crypto.randomUUID(), seen: '0', entry: '1' },
    false,
  );

  const courseDate = await makeCourseDate(db, { course: 'cissp' });
  await makeCourseDate(db, { course: 'cissp', startsOn: '2025-12-01' });
  const placed = await placeIn(db, courseDate, {
    attendees: [attendee(), attendee({ name: null }), attendee({ name: 'Grace Hopper', email: 'g@place.example' })],
  });
  const cancelled = await makeCourseDate(db, { course: 'cissp', startsOn: '2025-11-10' });
  const asked = await placeIn(db, cancelled);
  await db
    .transaction()
    .execute((trx) => cancelCourseDateAndAsk(trx, cancelled.id, theProgram, momentAt('2025-09-08T09:00')));
  const { places } = await readEnrolment(db, placed.enrolmentId);
  const [place] = places;
  const [choosing] = (await readEnrolment(db, asked.enrolmentId)).places;
  const person = await db
    .selectFrom('attendees')
    .select('id')
    .where('enrolment_id', '=', placed.enrolmentId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  const own = `/enrolment/${placed.token}`;
  add('links/enrolment/cancel.tsx', `${own}/cancel`, { places: String(place?.id), shown: '0', intent: 'x' }, false);
  add('links/enrolment/transfer.tsx', `${own}/transfer/${place?.id}`, { to: 'x', shown: '0' }, false);
  add(
    'links/enrolment/choose.tsx',
    `/enrolment/${asked.token}/choose/${choosing?.id}`,
    { place: `${choosing?.id}` },
    false,
  );
  // Before the page that gives all of them names.
  add('links/enrolment/claim.tsx', claimPath(academy.services.academy.forms.secret, placed.reference));
  add('links/enrolment/names.tsx', `${own}/names`);
  add('links/enrolment/attendee.tsx', `${own}/attendee/${person.id}`);
  add('links/enrolment/add.tsx', `${own}/add`);
  add('links/enrolment/details.tsx', `${own}/details`);
  add('links/enrolment/organisation.tsx', `${own}/organisation`, { act: 'set-up' }, false);
  const attends = await makeEnrolmentLink(db, placed.enrolmentId, person.id);
  add('links/enrolment/module.tsx', `/place/${attends}/${place?.id}/module/1`, { agreed: 'on', shown: '1' }, false);

  add('links/enrolment/module.tsx', `/place/${attends}/${place?.id}/module/1`, { act: 'hand-in', answer: '' }, false);

  add('links/enrolment/cannot-come.tsx', `/place/${attends}/${places.at(-1)?.id}/cannot-come`);

  const enrolment = `/staff/enrolments/${placed.reference}`;
  add('staff/enrolments/enrolment.tsx', enrolment);
  add('staff/enrolments/buyer.tsx', `${enrolment}/buyer`);
  for (const one of ['add', 'discount', 'instalments']) add(`staff/enrolments/${one}.tsx`, `${enrolment}/${one}`);
  add('staff/enrolments/remind.tsx', `${enrolment}/remind`, undefined, false);
  add(
    'staff/enrolments/cancel.tsx',
    `${enrolment}/cancel`,
    {
      act: 'cancel',
      form: crypto.randomUUID(),
      seen: '0',
      places: `${place?.id}`,
      shown: '0',
      how: 'terms',
      reason: '',
    },
    false,
  );
  add('staff/enrolments/transfer.tsx', `${enrolment}/places/${place?.id}/transfer`);
  add('staff/enrolments/attendee.tsx', `${enrolment}/attendees/${person.id}`);
  add(
    'staff/bulk-actions/buyers.tsx',
    `/staff/bulk-actions/buyers/remind?row=${placed.reference}`,
    { act: 'remind', form: crypto.randomUUID(), seen: '0', expects: '' },
    false,
  );
  add('staff/bulk-actions/message.tsx', `/staff/bulk-actions/message/enrolments?row=${placed.reference}`, {
    ...{ act: 'preview', form: crypto.randomUUID(), seen: '0', expects: '', buyers: 'on', purpose: 'service' },
    ...{ subject: 'Hello', body: 'Hello' },
  });
  add('staff/enrolments/enrol.tsx', '/staff/enrolments/new?item=course:cissp');
  const { slug } = await db
    .selectFrom('course_dates')
    .select('slug')
    .where('id', '=', courseDate.id)
    .executeTakeFirstOrThrow();
  add('staff/course-dates/course-date.tsx', `/staff/course-dates/${slug}`);
  const takeBack = { act: 'take-back', form: crypto.randomUUID(), seen: '0' };
  add('staff/bulk-actions/bulk-action.tsx', '/staff/bulk-actions/1', takeBack, false);
  add('staff/course-dates/course-date-move.tsx', `/staff/course-dates/${slug}/move`);
  add('staff/course-dates/course-date-change.tsx', `/staff/course-dates/${slug}/cancel`);
  add('staff/course-dates/course-date-new.tsx', '/staff/course-dates/new');
  const { instructor } = await db
    .selectFrom('instructors')
    .select('slug as instructor')
    .orderBy('slug')
    .executeTakeFirstOrThrow();
  const planned = { course: 'cissp', instructor, startDate: '2026-03-02', endDate: '2026-03-06', startTime: '09:00' };
  const series = { ...planned, endTime: '17:00', breakMinutes: '60', delivery: 'online', capacity: '8', minimum: '1' };
  const days = { enrolmentEnds: '2026-02-27', decidedBy: '2026-02-16', count: '2', everyWeeks: '2' };
  const many = new URLSearchParams({ ...series, ...days, venue: '', room: '', street: '' });
  add('staff/course-dates/series.tsx', `/staff/course-dates/series?${many}`);
  add('staff/course-dates/copy-term.tsx', '/staff/course-dates/copy?from=2025-11-01&to=2025-12-31&weeks=20');
  const hours = { course: 'ccsp', instructor, firstOn: '2025-10-14', lastOn: '2026-03-24', startsAt: '18:00' };
  const live = { minutes: '60', zone: 'Australia/Brisbane', link: 'https://live.example/ccsp' };
  const hour = await post('/staff/live-hours/new', { act: 'new', ...hours, ...live });
  add('staff/live-hours/live-hour-new.tsx', '/staff/live-hours/new');
  add('staff/live-hours/live-hour.tsx', hour);
  const view = { act: 'save', name: 'Late', list: 'enrolments', query: '' };
  await post('/staff/views', view);
  // The name is in the form of a view that is there.
  add('staff/lists/views.tsx', '/staff/views', undefined, false);
  const toAda = {
    name: 'Ada',
    email: 'ada@quotes.example',
    organisation: '',
    abn: '',
    address: '',
    people: '1',
    words: '',
  };
  const unsent = {
    ...toAda,
    discountPercent: '0',
    lastDay: '2025-09-22',
    hold: 'no',
    organisationId: '',
    replaces: '',
  };
  const cissp = await db.selectFrom('courses').select('id').where('slug', '=', 'cissp').executeTakeFirstOrThrow();
  const way = { [`way-${cissp.id}`]: `course-date:${courseDate.id}` };
  const quotes = '/staff/offers/new?item=course:cissp';
  add('staff/offers/offer.tsx', await post(quotes, { act: 'draft', draft: '', ...unsent, ...way }));
  const idOf = (path: string) => Number(path.slice(path.lastIndexOf('/') + 1));
  const open = await post(quotes, { act: 'send', draft: '', ...unsent, ...way });
  const declined = { act: 'decline', form: crypto.randomUUID(), seen: '0', answer: '' };
  add('staff/offers/offer.tsx', await post(quotes, { act: 'send', draft: '', ...unsent, ...way }), declined, false);
  add('staff/offers/offer-new.tsx', quotes);
  add('links/offer/offer.tsx', `/offer/${await makeLink(db, { offer_id: idOf(open) })}`);
  const toEmployer = { name: 'Ada', email: 'ada@quotes.example', offer_id: idOf(open), made_at: academy.now() };
  const request = await db
    .insertInto('employer_requests')
    .values({ ...toEmployer, followed_up_at: academy.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  add('links/offer/employer.tsx', `/employer/${await makeLink(db, { employer_request_id: request.id })}`);
  const company = { legalName: 'Councilworks Ltd', tradingName: '', abn: '', mailDomains: '', address: '', notes: '' };
  const terms = { accountsEmail: '', termsDays: '', creditSeats: '0', discountPercent: '0' };
  const organisation = await post('/staff/organisations/new', { act: 'make', ...company, ...terms });
  add('staff/offers/organisation.tsx', organisation);
  const again = await post('/staff/organisations/new', { act: 'make', ...company, legalName: 'Council', ...terms });
  const joining = { act: 'join', form: crypto.randomUUID(), seen: '0', other: String(idOf(again)) };
  add('staff/offers/organisation-join.tsx', `${organisation}/join?other=${idOf(again)}`, joining, false);
  add('staff/offers/organisation-new.tsx', '/staff/organisations/new');
  add('staff/prices/prices.tsx', '/staff/prices');
  add('staff/prices/course-prices.tsx', '/staff/prices/ccsp');
  // The one of the brief runs, so its page shows no form.
  const promotion = { act: 'start', form: crypto.randomUUID(), seen: '0', subject: 'x', until: '2026-01-31' };
  add('staff/prices/promotion.tsx', '/staff/prices/promotion', promotion, false);
  // Its days are still to come, so its pages show no form.
  const marking = { form: crypto.randomUUID(), seen: '0', day: '2025-11-03' };
  add('staff/classes/class.tsx', `/staff/classes/${slug}`, { act: 'save', ...marking }, false);
  const late = { act: 'details', ...marking, [`mark-${place?.id}`]: 'present', [`late-${place?.id}`]: '', reason: '' };
  add('staff/classes/class-details.tsx', `/staff/classes/${slug}/details`, late, false);
  const tap = { key: crypto.randomUUID(), slug, placeId: place?.id, day: '2025-11-03', mark: 'present', tappedMs: 0 };
  const taps = JSON.stringify({ sentMs: 0, taps: [tap] });
  add('staff/classes/class-taps.ts', '/staff/class-taps', { taps }, false);
  const mark = { act: 'accept', form: crypto.randomUUID(), seen: '0', comment: '' };
  add('staff/classes/answer.tsx', '/staff/answers/1', mark, false);
  const module = { act: 'hand-out', form: crypto.randomUUID(), seen: '0', reading: 'Read this.', exercise: 'Do this.' };
  add('staff/classes/hand-out.tsx', '/staff/modules/cissp/1', module, false);
  add('staff/payments/payments.tsx', '/staff/payments');
  const picks = { act: 'accept', form: crypto.randomUUID(), seen: '0', picks: '1 BB-222222 100' };
  add('staff/payments/suggested.tsx', '/staff/payments/suggested', picks, false);
  const body = new FormData();
  body.set('act', 'preview');
  body.set('file', new File([`08/09/2025,"+2000.00","from Jane","+1.00"`], 'statement.csv', { type: 'text/csv' }));
  const headers = { Cookie: staff.cookie, 'Sec-Fetch-Site': 'same-origin' };
  const uploaded = await academy.request('/staff/payments', { method: 'POST', headers, body });
  add('staff/payments/statement.tsx', uploaded.headers.get('Location') ?? '', undefined, false);
  const payment = await db
    .insertInto('payments')
    .values({
      amount_cents: 2000,
      received_on: '2025-09-08',
      method: 'bank',
      words: 'from Jane',
      created_at: new Date(),
    } as never)
    .returning('id')
    .executeTakeFirst()
    .catch(() => undefined);
  add(
    'staff/payments/payment.tsx',
    `/staff/payments/${payment?.id ?? 1}`,
    { act: 'assign', form: crypto.randomUUID(), seen: '0', reference: '' },
    false,
  );
  const group = await makeClass(db);
  const there = await attendsClass(db, group, { email: 'there@class.example' });
  const { number } = await issued(db, there.placeId);
  const next = await attendsClass(db, group, { email: 'ready@class.example' });
  add('links/certificate/own-certificate.tsx', `${await pageOf(db, there)}/${there.placeId}/certificate`);
  const act = { form: crypto.randomUUID(), seen: '0' };
  add('staff/certificates/certificate.tsx', `/staff/certificates/${number}`, { ...act, act: 'revoke', why: '' }, false);
  const work = { [`was-work-${next.placeId}`]: '', [`work-${next.placeId}`]: 'on' };
  const issue = { ...act, act: 'issue', [`place-${next.placeId}`]: 'on', ...work, number: '' };
  add('staff/certificates/place-certificate.tsx', `/staff/places/${next.placeId}/certificate`, issue, false);
  add('staff/course-dates/certificates.tsx', `/staff/course-dates/${group.courseDate.slug}/certificates`, issue, false);
  const [word, drafted] = await db
    .selectFrom('content_records')
    .select('id')
    .where('kind', '=', 'synonym')
    .orderBy('id')
    .limit(2)
    .execute();
  if (!word || !drafted) throw new Error('the academy has fewer than two synonyms');
  const synonym = `/staff/content/synonym/${word.id}`;
  add('staff/content/record.tsx', synonym);
  add('staff/content/record-new.tsx', '/staff/content/synonym/new');
  // With two revisions there is one to go back to.
  const standing = await readStanding(db, drafted.id);
  if (!standing?.current) throw new Error('the synonym is not published');
  const { value, number: base } = standing.current;
  const draft = { value, base, author: { person: staff.id }, at: academy.now(), note: null, publishAt: null };
  await keepDraft(db, standing, draft);
  add('staff/content/record-history.tsx', `/staff/content/synonym/${drafted.id}/history`);
  add('staff/content/record-preview.ts', `${synonym}/preview`, { 'v.means.0': 'cissp' }, false);
  add('staff/content/record-retire.tsx', `${synonym}/retire`);
  add('staff/accountant/accountant.tsx', '/staff/money/accountant', undefined, false);
  add('staff/people/team.tsx', '/staff/people/staff', undefined, false);
  const { person_id: member } = await db.selectFrom('staff_roles').select('person_id').executeTakeFirstOrThrow();
  add('staff/people/member.tsx', `/staff/people/staff/${member}`, undefined, false);
  // Last, because it ends the sign-in.
  add('staff/sign-out.ts', '/staff/sign-out', { to: '/' }, false);
  return pages;
}

/** The files of all routes with an action, from the list of addresses. */
export function filesWithAction(entries: readonly RouteConfigEntry[]): string[] {
  return entries.flatMap(({ file, children = [] }) => {
    const source = readFileSync(path.join(projectRoot, 'app', file), 'utf8');
    const own = /^export (?:async function|function|const) action\b/m.test(source) ? [file.replace('routes/', '')] : [];
    return [...own, ...filesWithAction(children)];
  });
}

/** The forms of a page as staff see it. */
export async function formsAt(
  academy: AcademyApp,
  staff: SignedIn,
  { address, fields }: FormPage,
): Promise<PageForm[]> {
  if (fields) return [{ to: address, fields, typed: [] }];
  const page = await academy.request(address, { headers: { Cookie: staff.cookie } });
  // Nobody sends a form within two seconds.
  academy.setNow(new Date(academy.services.academy.clock.now().getTime() + 5000));
  return formsOf(await page.text(), address).filter(({ to }) => !/promotion\/close|sign-out/.test(to));
}
