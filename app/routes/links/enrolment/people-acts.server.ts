import type { Trx } from '#app/db/client.server.ts';
import { answerClaim } from '#app/features/companies/claim-seat.server.ts';
import {
  addAttendee,
  changeAttendee,
  mostWithoutDate,
  nameAttendees,
} from '#app/features/enrolments/attendees.server.ts';
import { correctBuyer, readBuyerEmail } from '#app/features/enrolments/buyer.server.ts';
import { readAttendees, readPayer } from '#app/features/enrolments/enrolling/schema.ts';
import type { Attendee, Enrolment } from '#app/features/enrolments/enrolment.ts';
import { joinField, shownField } from '#app/features/enrolments/join-field.ts';
import { joinChoice, newestAttendee, readJoining } from '#app/features/enrolments/joining.server.ts';
import { unpaidInWords, whatHelps } from '#app/features/enrolments/limits.server.ts';
import { lockEnrolment } from '#app/features/enrolments/lock-enrolment.server.ts';
import { readNameList } from '#app/features/enrolments/name-list.ts';

import { type AttendeeWish, type CourseChoice, nobodyYet } from '#app/features/enrolments/order.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { theBuyer } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { formatMoney } from '#app/lib/money.ts';
import { shownPhone } from '#app/lib/phone-number.server.ts';
import type { FormValues } from '#app/ui/form-state.ts';
import { type ActOutcome, meanwhile, tooOften } from './take-buyer-act.server.ts';

type Sent = { enrolmentId: number; values: FormValues };

/** An attendee as the form of one attendee has it. */
export const attendeeValues = (attendee: Attendee): FormValues => ({
  'name-1': attendee.name ?? '',
  'email-1': attendee.email ?? '',
  'needs-1': attendee.needs ?? '',
  'under18-1': attendee.under18 ? 'on' : '',
  'guardianName-1': attendee.guardianName ?? '',
  'guardianEmail-1': attendee.guardianEmail ?? '',
});

type ReadOne = { ok: true; attendee: AttendeeWish } | Extract<ActOutcome, { errors: object }>;

function readOne(values: FormValues): ReadOne {
  const read = readAttendees(values, 1);
  if (!read.ok) return read;
  const [attendee] = read.data;
  if (!attendee) throw new Error('one attendee was asked for');
  return { ok: true, attendee };
}

/** Names or renames the attendee of the form: free, and no move (P40). */
export async function nameAttendeeForBuyer(
  trx: Trx,
  { enrolmentId, values }: Sent,
  moment: Moment,
): Promise<ActOutcome> {
  const read = readOne(values);
  if (!read.ok) return read;
  const attendeeId = Number(values.attendee);
  const change = { enrolmentId, attendeeId, attendee: read.attendee, actor: theBuyer } as const;
  return namedOutcome(await changeAttendee(trx, change, moment), moment);
}

/** Answers somebody who asks for a seat by the claim link (P115). */
async function answerClaimForBuyer(trx: Trx, { enrolmentId, values }: Sent, moment: Moment): Promise<ActOutcome> {
  const answer = values.answer === 'yes' ? 'yes' : 'no';
  const result = await answerClaim(trx, { enrolmentId, claimId: Number(values.claim), answer }, moment);
  if (result === 'full') return { ok: false, fault: 'Every seat has a name now, so nothing was changed.' };
  return { ok: true, done: answer === 'yes' ? 'named' : 'kept-free' };
}

/** Names those of the form's attendees of whom something was typed, and then, in order, the people of a list (P115). */
export async function nameAllForBuyer(trx: Trx, { enrolmentId, values }: Sent, moment: Moment): Promise<ActOutcome> {
  if (/^\d{1,15}$/.test(values.claim ?? '')) return answerClaimForBuyer(trx, { enrolmentId, values }, moment);
  const ids = /^\d{1,15}(,\d{1,15}){0,99}$/.test(values.attendees ?? '') ? (values.attendees ?? '').split(',') : [];
  const read = readAttendees({ ...values, self: '' }, ids.length);
  if (!read.ok) return read;
  const typed = read.data.map((attendee, at) => ({ attendeeId: Number(ids[at]), attendee }));
  const isTyped = ({ attendee: { name, email } }: (typeof typed)[number]) => name !== null || email !== null;
  const listed = await nameListed(trx, enrolmentId, {
    list: values.list ?? '',
    ids: typed.flatMap((one) => (isTyped(one) ? [] : one.attendeeId)),
  });
  if (!listed.ok) return listed;
  const wishes = [...typed.filter(isTyped), ...listed.wishes];
  if (wishes.length === 0 && listed.repeated) return { ok: true, done: 'named' };
  if (wishes.length === 0) return { ok: false, errors: { 'name-1': 'Enter at least one name.' } };
  return namedOutcome(await nameAttendees(trx, { enrolmentId, wishes, actor: theBuyer }, moment), moment);
}

type Wishes = { ok: true; wishes: { attendeeId: number; attendee: AttendeeWish }[]; repeated: boolean };

/**
 * Gives the people of a pasted list to those of some attendees who still have no name. Who attends already, because the
 * same list was sent before, is left out.
 */
async function nameListed(
  trx: Trx,
  enrolmentId: number,
  { list, ids }: { list: string; ids: readonly number[] },
): Promise<Wishes | Extract<ActOutcome, { errors: object }>> {
  if (list.trim() === '') return { ok: true, wishes: [], repeated: false };
  const read = readNameList(list, ids.length);
  const refuse = (fault: string) => ({ ok: false, errors: { list: `Nobody was named. ${fault}` } }) as const;
  if (!read.ok) return refuse(read.fault);
  const { places } = await readEnrolment(trx, enrolmentId);
  const attendees = new Map(places.map(({ attendee }) => [attendee.id, attendee]));
  const attending = new Set([...attendees.values()].flatMap(({ email }) => (email === null ? [] : mailboxOf(email))));
  const people = read.people.filter(({ email }) => !attending.has(mailboxOf(email)));
  const free = ids.filter((id) => attendees.get(id)?.name === null);
  if (people.length > free.length)
    return refuse('Some seats were named in the meantime. Please look at the enrolment.');
  const wishes = people.map((person, at) => ({ attendeeId: free[at] ?? 0, attendee: { ...nobodyYet, ...person } }));
  return { ok: true, wishes, repeated: wishes.length === 0 };
}

function namedOutcome(result: Awaited<ReturnType<typeof nameAttendees>>, moment: Moment): ActOutcome {
  if (result.ok) return { ok: true, done: 'named' };
  if (result.reason === 'too-many-mails') return tooOften(result, moment);
  if (result.reason === 'begun') return { ok: false, fault: begun };
  return { ok: false, fault: result.reason === 'meanwhile' ? meanwhile : noPlace };
}

const begun =
  'What this person is enrolled for has begun, so it stays theirs and nothing was changed. You can correct their name or address. To have someone else attend, add them to the enrolment.';
const noPlace =
  'This person no longer has a place in this enrolment, so nothing was changed. What you wrote is still below. To have someone else attend, add them to the enrolment.';

/**
 * Adds the attendee of the form (P39). `shown` is the price that stood on the page, in cents, and `seen` the newest
 * attendee then: the same sent twice adds one. Of each way it sends what the page showed, so that it binds (P31).
 */
export async function addAsAsked(trx: Trx, { enrolmentId, values }: Sent, moment: Moment): Promise<ActOutcome> {
  const read = readOne(values);
  if (!read.ok) return read;
  const asked = Object.values(values).flatMap((value) => (/^course-date-\d{1,15}$/.test(value) ? [value] : []));
  const wanted = asked.map((value) => Number(value.slice('course-date-'.length)));
  const locked = await lockEnrolment(trx, enrolmentId, moment.now, wanted);
  if (!locked.ok) return { ok: false, fault: meanwhile };
  const { enrolment } = locked;
  if (newestAttendee(enrolment) !== Number(values.seen)) {
    const same = enrolment.places.some(
      ({ attendee }) => attendee.id > Number(values.seen) && isSame(attendee, read.attendee),
    );
    return same ? { ok: true, done: 'added' } : { ok: false, fault: addedMeanwhile };
  }
  const joining = await readJoining(trx, enrolment, moment);
  if (!joining) return { ok: false, fault: notAdded['not-offered'] };
  const choices: CourseChoice[] = [];
  for (const { courseId, title, ways } of joining.courses) {
    const field = joinField(courseId);
    const way = ways.find(({ value }) => value === values[field]) ?? (ways.length === 1 ? ways[0] : undefined);
    if (!way) return { ok: false, errors: { [field]: `Choose how ${title} is taken.` } };
    if (values[shownField(way.value)] !== way.shown) return { ok: false, fault: otherDate };
    choices.push(joinChoice(courseId, way.value));
  }
  const addition = { enrolmentId, choices, attendee: read.attendee, shownCents: Number(values.shown), actor: theBuyer };
  const result = await addAttendee(trx, addition, moment);
  if (result.ok) return { ok: true, done: 'added' };
  if (result.reason === 'price-changed') {
    const { nowCents, shownCents } = result;
    const fault = `The price changed while this page was open: it is now ${formatMoney(nowCents)}, not ${formatMoney(shownCents)}. Nobody was added. What you wrote is still below; send it again to add them at that price.`;
    return { ok: false, fault };
  }
  if (result.reason === 'too-many-mails') return tooOften(result, moment);
  if (result.reason === 'too-many-unpaid') {
    const fault = `Nobody was added: ${unpaidInWords(result)} What you wrote is still below. Please ${whatHelps(result, 'pay an invoice first, or call', 'call')} us: staff can add the person at once.`;
    return { ok: false, fault };
  }
  return { ok: false, fault: notAdded[result.reason] };
}

const isSame = (before: Attendee, { name, email }: AttendeeWish) => before.name === name && before.email === email;

const kept = 'Nobody was added, and what you wrote is still below.';
const otherDate = `One of these dates changed while you had this page open. ${kept} Please look at it, and send it again if it suits.`;
const addedMeanwhile = `Someone has just been added to this enrolment. ${kept} Send it again if you still want one more.`;
const notAdded = {
  meanwhile,
  'not-offered': `We no longer offer this course in this way. ${kept} Please start a new enrolment, or call us.`,
  'course-date-full': `No seat on this date is free now. ${kept} You can put the person on its waiting list, by the link below, or enrol them for another date.`,
  'course-date-closed': `This date is closed for enrolment. ${kept} Please enrol the person for another date.`,
  'below-minimum': `This date is held for a group, and nobody is on it yet. ${kept} Please call us about it.`,
  'course-date-cancelled': `This date has been cancelled. ${kept} Please enrol the person for another date.`,
  'not-guided': `We no longer offer this course as guided study. ${kept} Please start a new enrolment, or call us.`,
  'no-such-monday': `Guided study can no longer begin on that Monday. ${kept} Please start a new enrolment, or call us.`,
  'too-many-without-date': `More than ${mostWithoutDate} people for a date that is not set: write to us, and we’ll find a date for your group. ${kept}`,
  'too-many-added': `Six people were added to this enrolment within the last hour, which is the most. ${kept} Please send it again in an hour, or call us.`,
} as const;

/** The buyer's details as their form has them. */
export const buyerValues = (enrolment: Enrolment): FormValues => ({
  buyerName: enrolment.buyerName,
  phone: shownPhone(enrolment.phone),
  payer: enrolment.payer,
  organisation: enrolment.organisation ?? '',
  abn: enrolment.abn ?? '',
  address: enrolment.address ?? '',
  purchaseOrder: enrolment.purchaseOrder ?? '',
  accountsEmail: enrolment.accountsEmail ?? '',
});

/** Corrects the buyer's details (P30). The email address is not changed here: its owner confirmed it. */
export async function correctDetailsForBuyer(
  trx: Trx,
  { enrolmentId, values }: Sent,
  moment: Moment,
): Promise<ActOutcome> {
  const email = await readBuyerEmail(trx, enrolmentId);
  const read = readPayer({ ...values, email });
  if (!read.ok) return read;
  const { buyer, payer } = read.data;
  const correction = { enrolmentId, name: buyer.name, phone: buyer.phone, payer, actor: theBuyer } as const;
  const result = await correctBuyer(trx, correction, moment);
  if (result.ok) return { ok: true, done: 'corrected' };
  return result.reason === 'too-many-mails' ? tooOften(result, moment) : { ok: false, fault: meanwhile };
}
