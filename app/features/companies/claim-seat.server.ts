import { createHmac, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { href } from 'react-router';
import { z } from 'zod';
import type { Db, Trx } from '#app/db/client.server.ts';
import { seatClaimed } from '#app/emails/companies.ts';
import { seatTransaction } from '#app/features/course-dates/seat-gate.server.ts';
import { changeAttendee } from '#app/features/enrolments/attendees.server.ts';
import {
  type CodeAsked,
  sendCode,
  tryCode,
  wasCodeUsed,
} from '#app/features/enrolments/enrolling/email-codes.server.ts';
import { refusedCode } from '#app/features/enrolments/enrolling/review-step.server.ts';
import type { Enrolment } from '#app/features/enrolments/enrolment.ts';
import { enrolmentLink } from '#app/features/enrolments/links.server.ts';
import { courseDatesOf, lockEnrolment } from '#app/features/enrolments/lock-enrolment.server.ts';
import { mayGiveAway } from '#app/features/enrolments/may-change.ts';
import { nobodyYet } from '#app/features/enrolments/order.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { longestName } from '#app/features/enrolments/schema.ts';
import { placeWhen } from '#app/features/enrolments/words.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { verifyAddress } from '#app/features/people/addresses.server.ts';
import { type Academy, type Moment, momentOf } from '#app/http/academy.server.ts';
import { courseDateBusyText } from '#app/http/database-away.server.ts';
import { emailField, firstFaults, requiredLine } from '#app/http/form-texts.ts';
import { blankForm, type FormWords, type Refusal, takeForm } from '#app/http/take-form.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { canBeName } from '#app/lib/link-in-text.ts';
import { mailDomainOf } from '#app/lib/mail-domain.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { sixDigits } from '#app/lib/six-digits.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { FieldErrors, FormValues } from '#app/ui/form-state.ts';

const keyOf = (secret: string, reference: string): string =>
  createHmac('sha256', secret).update(`claim:${reference}`).digest('hex').slice(0, 48);

/** The claim link of an enrolment, which its buyer copies for colleagues (P115). Nothing of it is stored. */
export const claimPath = (secret: string, reference: string): string =>
  href('/claim/:reference/:key', { reference: reference.toLowerCase(), key: keyOf(secret, reference) });

export type ClaimLink = { reference: string; key: string };

/** The enrolment of a claim link; null for a link that is none, or whose enrolment is gone. */
async function findClaimed(db: Db, secret: string, { reference, key }: ClaimLink): Promise<number | null> {
  const wanted = Buffer.from(keyOf(secret, reference.toUpperCase()));
  const given = Buffer.from(key);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
  const query = db.selectFrom('enrolments').select('id').where('reference', '=', reference.toUpperCase());
  return (await query.executeTakeFirst())?.id ?? null;
}

/** Attendees without a name whose place has not begun, in order. */
const freeAttendees = ({ places }: Enrolment, today: Day): number[] => [
  ...new Set(
    places.flatMap((place) =>
      place.state === 'active' && place.attendee.name === null && mayGiveAway(place, today) === 'yes'
        ? place.attendee.id
        : [],
    ),
  ),
];

/** What the page of a claim link shows; null when the link opens nothing. It names nobody who attends. */
export async function readClaimPage({ db, forms, clock, academy }: Academy, link: ClaimLink) {
  const enrolmentId = await findClaimed(db, forms.secret, link);
  if (enrolmentId === null) return null;
  const enrolment = await db.transaction().execute((trx) => readEnrolment(trx, enrolmentId));
  const active = enrolment.places.filter(({ state }) => state === 'active');
  return {
    enrolmentId,
    title: enrolment.title,
    buyer: enrolment.organisation ?? enrolment.buyerName,
    when: [
      ...new Set(
        active.map((place) =>
          enrolment.comboId === null ? placeWhen(place) : `${place.courseTitle}: ${placeWhen(place)}`,
        ),
      ),
    ],
    free: freeAttendees(enrolment, momentOf({ clock, academy }).today).length,
    domains: await domainsOf(db, enrolmentId),
  };
}

/** The mail domains of the organisation that bought an enrolment, by its offer or its ABN (P110). */
async function domainsOf(db: Db, enrolmentId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('organisations')
    .select('mail_domains')
    .where(
      sql<boolean>`id in (select organisation_id from offers where enrolment_id = ${enrolmentId})
        or abn = (select abn from enrolments where id = ${enrolmentId})`,
    )
    .execute();
  return rows.flatMap((row) => row.mail_domains);
}

const person = z.object({
  name: requiredLine('your name, as the certificate should have it', longestName).refine(
    canBeName,
    'Enter a name with letters only.',
  ),
  email: emailField,
});

type Sent = { link: ClaimLink; form: FormData | null; address: string };
type Asked = { ok: true; values: FormValues; enrolmentId: number; email: string; asked: CodeAsked };

/** How many codes a day are asked for by the link of an enrolment with so many seats: four each, and some for mistakes. */
const mostCodesOf = (seats: number): number => 10 + 4 * seats;

/**
 * Mails the code by which somebody who claims a seat proves their address. It counts against the link, not against the
 * network that all colleagues share (P24). Nothing of the form is stored.
 */
export function askForClaimCode(academy: Academy, { link, form, address }: Sent): Promise<Asked | Refusal> {
  const { db, forms } = academy;
  return takeForm({ form, fresh: blankForm(), words }, async (values, refuse): Promise<Asked | Refusal> => {
    const enrolmentId = await findClaimed(db, forms.secret, link);
    if (enrolmentId === null) return refuse(404, gone);
    const parsed = person.safeParse(values);
    if (!parsed.success) return refuse(400, { errors: firstFaults(parsed.error) });
    const { email } = parsed.data;
    const asked = await db.transaction().execute(async (trx) => {
      const { places } = await readEnrolment(trx, enrolmentId);
      const seats = new Set(places.flatMap(({ state, attendee }) => (state === 'active' ? attendee.id : []))).size;
      return sendCode(trx, academy, { enrolmentId, email, address, mostOfLink: mostCodesOf(seats) });
    });
    return { ok: true, values: { ...values, code: '' }, enrolmentId, email, asked };
  });
}

type Claimed = { ok: true; done: 'taken' | 'asked' } | Refusal;

/**
 * Claims a seat (P115). Somebody with an address of the organisation's domains takes the first one without a name; of
 * everybody else the buyer says yes or no. Sent twice, or by somebody who attends already, it changes nothing.
 */
export function claimSeat(academy: Academy, { link, form }: Sent): Promise<Claimed> {
  const { db, forms } = academy;
  return takeForm({ form, fresh: blankForm(), words }, async (values, refuse): Promise<Claimed> => {
    const enrolmentId = await findClaimed(db, forms.secret, link);
    if (enrolmentId === null) return refuse(404, gone);
    const parsed = person.safeParse(values);
    const errors: FieldErrors = parsed.success ? {} : firstFaults(parsed.error);
    // On its own: a code that was tried counts, whatever becomes of the rest.
    const proof = parsed.success
      ? await db.transaction().execute((trx) => prove(trx, academy, { enrolmentId, email: parsed.data.email, values }))
      : null;
    if (proof) errors.code = proof;
    if (!parsed.success || Object.keys(errors).length > 0) return refuse(400, { errors });
    const dates = await courseDatesOf(db, enrolmentId);
    return seatTransaction(db, dates, async (trx): Promise<Claimed> => {
      const result = await takeSeat(trx, { enrolmentId, ...parsed.data }, momentOf(academy));
      if (result === 'full') return refuse(409, 'Every seat has a name now. Ask the person who sent you the link.');
      if (result === 'refused')
        return refuse(409, 'The buyer said no to this address. Ask the person who sent you the link.');
      return { ok: true, done: result };
    });
  });
}

async function prove(
  trx: Trx,
  { forms: { secret }, clock }: Academy,
  { enrolmentId, email, values }: { enrolmentId: number; email: string; values: FormValues },
): Promise<string | null> {
  const code = sixDigits(values.code ?? '');
  if (code === null) return 'Enter the six digits of the code that we email to this address.';
  const of = { enrolmentId, email, code, secret, at: clock.now() };
  if (await wasCodeUsed(trx, of)) return null;
  const result = await tryCode(trx, of);
  return result.ok ? null : refusedCode(result);
}

type Claim = { enrolmentId: number; name: string; email: string };

async function takeSeat(
  trx: Trx,
  { enrolmentId, name, email }: Claim,
  moment: Moment,
): Promise<'taken' | 'asked' | 'full' | 'refused'> {
  const locked = await lockEnrolment(trx, enrolmentId, moment.now);
  if (!locked.ok) return 'full';
  const { enrolment } = locked;
  await verifyAddress(trx, email, moment.now);
  const mailbox = mailboxOf(email);
  const attends = enrolment.places.some(
    ({ state, attendee }) => state === 'active' && mailboxOf(attendee.email ?? '') === mailbox,
  );
  if (attends) return 'taken';
  const [attendeeId] = freeAttendees(enrolment, moment.today);
  if (attendeeId === undefined) return 'full';
  const domain = mailDomainOf(email);
  if (domain !== null && (await domainsOf(trx, enrolmentId)).includes(domain)) {
    const attendee = { ...nobodyYet, name, email };
    const named = await changeAttendee(
      trx,
      { enrolmentId, attendeeId, attendee, actor: theProgram, tellBuyer: false },
      moment,
    );
    return named.ok ? 'taken' : 'full';
  }
  return askBuyer(trx, enrolment, { enrolmentId, name, email }, moment);
}

async function askBuyer(
  trx: Trx,
  { id, reference, title, email: buyer }: Enrolment,
  { name, email }: Claim,
  { now, academy }: Moment,
): Promise<'asked' | 'refused'> {
  const mailbox = mailboxOf(email);
  const claim = { enrolment_id: id, name, email, mailbox, claimed_at: now };
  const made = await trx
    .insertInto('seat_claims')
    .values(claim)
    .onConflict((conflict) => conflict.columns(['enrolment_id', 'mailbox']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) {
    const before = trx.selectFrom('seat_claims').select('answer').where('enrolment_id', '=', id);
    const answer = (await before.where('mailbox', '=', mailbox).executeTakeFirst())?.answer;
    return answer === 'no' ? 'refused' : 'asked';
  }
  const link = enrolmentLink(id);
  await queueMail(trx, {
    kind: 'seat-claimed',
    about: { kind: 'enrolment', id },
    links: [link],
    to: buyer,
    replyTo: academy.email,
    ...seatClaimed({ reference, title, name, email, link: placeholderOf(link), academy }),
  });
  return 'asked';
}

/** Who waits for the answer of a buyer, oldest first. */
export const openClaims = (db: Db, enrolmentId: number) =>
  db
    .selectFrom('seat_claims')
    .select(['id', 'name', 'email'])
    .where('enrolment_id', '=', enrolmentId)
    .where('answer', 'is', null)
    .orderBy('id')
    .execute();

/** Gives somebody who asked a seat, or does not, for the buyer. What was answered before stays. */
export async function answerClaim(
  trx: Trx,
  { enrolmentId, claimId, answer }: { enrolmentId: number; claimId: number; answer: 'yes' | 'no' },
  moment: Moment,
): Promise<'done' | 'full'> {
  const locked = await lockEnrolment(trx, enrolmentId, moment.now);
  if (!locked.ok) return 'full';
  const claim = await trx
    .updateTable('seat_claims')
    .set({ answer })
    .where('id', '=', claimId)
    .where('enrolment_id', '=', enrolmentId)
    .where('answer', 'is', null)
    .returning(['name', 'email'])
    .executeTakeFirst();
  if (!claim || answer === 'no') return 'done';
  const [attendeeId] = freeAttendees(locked.enrolment, moment.today);
  if (attendeeId === undefined) return 'full';
  const attendee = { ...nobodyYet, ...claim };
  const change = { enrolmentId, attendeeId, attendee, actor: theProgram, tellBuyer: false };
  return (await changeAttendee(trx, change, moment)).ok ? 'done' : 'full';
}

const gone = 'This link does not open anything any more. Ask the person who sent it to you.';
const words: FormWords = {
  unreadable: 'Part of the form was missing. Nothing was claimed. Please send it again.',
  notSaved: 'Our system is not available, so nothing was claimed. Please send it again in a few minutes.',
  away: unconfirmedText('that you have a seat', 'Please send it again in a few minutes; you get one seat only.'),
  busy: courseDateBusyText('What you wrote is still below.'),
};
