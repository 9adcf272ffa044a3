import { href } from 'react-router';
import type { Db, Trx } from '#app/db/client.server.ts';
import { seatTransaction } from '#app/features/course-dates/seat-gate.server.ts';
import { stepPath } from '#app/features/enrolments/enrolling/steps.ts';
import { type TooManyUnpaid, unpaidInWords, whatHelps } from '#app/features/enrolments/limits.server.ts';
import { type Academy, type Moment, momentOf } from '#app/http/academy.server.ts';
import { courseDateBusyText, twiceIsHarmless } from '#app/http/database-away.server.ts';
import { type Asked, askLimits, type FormLimit, type Room } from '#app/http/form-limit.server.ts';
import { type SubmitResult, takeVisitorForm } from '#app/http/forms.server.ts';
import { blankForm, type FormWords, type Refusal, takeForm } from '#app/http/take-form.server.ts';
import { dayMs } from '#app/lib/durations.ts';
import { mailDomainOf } from '#app/lib/mail-domain.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { makeLinkLike } from '#app/outbox/private-links.server.ts';
import { readWaitingPage } from './board.server.ts';
import { readMovable } from './date-places.server.ts';
import {
  changePreferences,
  confirmEntry,
  joinWaitingList,
  leaveWaitingList,
  type NotJoined,
} from './entries.server.ts';
import { readWaitingCourseDate } from './mails.server.ts';
import { acceptWaitingOffer } from './offers.server.ts';
import { findWaitingEntry, readEntry } from './queries.server.ts';
import { anyDate, type Preferences, preferenceFields, preferencesIn, type WaitingEntry, waitingPath } from './rules.ts';
import { parseWaiting, type WaitingForm, waitingFields } from './schema.ts';

/** The list somebody joins; on a course's own `courseDateId` is null. */
type List = { courseId: number; courseDateId: number | null };

/** Takes the form of a waiting list; what `takeVisitorForm` says of refusals holds. */
export function submitWaiting(
  academy: Academy,
  list: List,
  { form, address }: { form: FormData | null; address: string },
): Promise<SubmitResult> {
  const { today } = momentOf(academy);
  return takeVisitorForm<WaitingForm & { preferences: Preferences }>(
    academy.forms,
    { form, address },
    {
      name: 'waiting-list',
      busy: courseDateBusyText('What you wrote is still below.'),
      inTransaction: (work) => seatTransaction(academy.db, list.courseDateId === null ? [] : [list.courseDateId], work),
      fields: [...waitingFields, ...preferenceFields(today)],
      parse(values) {
        const parsed = parseWaiting(values);
        const preferences = list.courseDateId === null ? preferencesIn(values, today) : anyDate;
        return parsed.ok ? { ok: true, data: { ...parsed.data, preferences } } : parsed;
      },
      async store(trx, request) {
        // Forms are stored in a transaction, whatever the type says.
        const joined = await joinWaitingList(trx as Trx, { ...request, ...list }, momentOf(academy));
        return joined.ok ? joined : { errors: { seats: refusals(joined) } };
      },
      findRepeat: (trx, { email }) => findOpen(trx, list, email),
    },
  );
}

async function findOpen(db: Db, { courseId, courseDateId }: List, email: string): Promise<string | null> {
  const row = await db
    .selectFrom('waiting_entries')
    .select('reference')
    .where('mailbox', '=', mailboxOf(email))
    .where('course_id', '=', courseId)
    .where('course_date_id', 'is not distinct from', courseDateId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return row?.reference ?? null;
}

function refusals(refused: NotJoined): string {
  switch (refused.reason) {
    case 'course-date-closed':
      return 'This date can no longer be booked, so it has no waiting list. Let us tell you about other dates instead.';
    case 'course-date-cancelled':
      return 'This date was cancelled, so it has no waiting list. Let us tell you about other dates instead.';
    case 'too-many':
      return `This date has ${refused.capacity} seats in all. Ask for fewer, or email us about your group.`;
    case 'seats-free':
      return `${refused.left === 1 ? '1 seat is' : `${refused.left} seats are`} free on this date now: you can enrol at once.`;
    case 'seats-held':
      return heldText(refused);
  }
}

/** A sentence that seats may come free: others hold them while they fill in their forms. */
export const heldText = ({ left, held }: { left: number; held: number }): string =>
  `${left > 0 ? `${left === 1 ? '1 seat is' : `${left} seats are`} free now. ` : ''}The ${left > 0 ? 'other ' : ''}seats are held by other people for a few minutes: ${held === 1 ? '1 is' : `${held} are`} free again, usually within 15 minutes, if they do not enrol. Please try again then.`;

type Changed =
  | { ok: true; draftToken?: string | null; movePath?: string }
  | TooManyUnpaid
  | { ok: false; reason: keyof typeof faults };

/**
 * Takes the buttons of an entry's private page: confirm its address, say what suits, accept or decline an offer, or leave
 * the list. `to` is where that leads, null when the page itself shows the result.
 */
export function changeWaiting(
  academy: Academy,
  { token, form, address }: { token: string; form: FormData | null; address: string },
): Promise<{ ok: true; to: string | null } | Refusal> {
  const moment = momentOf(academy);
  return takeForm({ form, fresh: blankForm('Nothing was changed'), words }, async (values, refuse) => {
    const { intent = '', date = '' } = values;
    const entry = await findWaitingEntry(academy.db, token);
    if (!entry) return refuse(404, faults.unknown);
    // Sent again after its answer was lost.
    if (intent === 'accept' && entry.closedWhy === 'bought') return { ok: true, to: null };
    if (intent === 'save') {
      const preferences = preferencesIn(values, moment.today);
      await academy.db.transaction().execute((trx) => changePreferences(trx, entry.id, preferences));
      return { ok: true, to: `${waitingPath(token)}?saved` };
    }
    if (!['confirm', 'accept', 'move', 'decline', 'leave'].includes(intent)) return refuse(400, words.unreadable);
    const result = await seatTransaction(academy.db, courseDatesOf(entry), async (trx): Promise<Changed> => {
      if (intent === 'accept') {
        // Accepting a date for a place that was bought binds, so it is the date that the page showed (P31).
        const page = await readWaitingPage(trx, entry, moment);
        if (page.bought && page.offer && page.offer.date !== date) return { ok: false, reason: 'moved' };
        return acceptWaitingOffer(trx, entry.id, academy.forms.secret, moment);
      }
      if (intent === 'move') return linkToMove(trx, entry, { token, moment });
      if (intent === 'confirm') return confirmWithin(trx, entry, { limit: academy.forms.limit, address, moment });
      return leaveWaitingList(trx, entry.id, intent === 'decline' ? 'declined' : 'left', moment);
    });
    if (!result.ok) {
      return refuse(409, result.reason === 'too-many-unpaid' ? unpaidFault(result) : faults[result.reason]);
    }
    return { ok: true, to: result.draftToken ? stepPath(result.draftToken, 'payer') : (result.movePath ?? null) };
  });
}

/** Confirms an entry unless its mail domain or the network has asked for many seats today (P48). */
async function confirmWithin(
  trx: Trx,
  { id, email, seats, confirmed }: WaitingEntry,
  { limit, address, moment }: { limit: FormLimit; address: string; moment: Moment },
): Promise<Changed> {
  if (confirmed) return { ok: true };
  const room = await askSeats(trx, { limit, email, address, seats }, moment.now);
  if (!room.ok) return { ok: false, reason: 'many-seats' };
  const done = await confirmEntry(trx, id, moment);
  if (done.ok) await room.count();
  return done;
}

/**
 * A link to the page that moves a place to the offered date and first shows what that means (P31); with several places,
 * to their enrolment. A person with the entry's link by mail reads the mailbox to which the enrolment's own links are
 * sent; in an account, the new link ends with that sign-in too.
 */
async function linkToMove(
  trx: Trx,
  entry: WaitingEntry,
  { token: ofEntry, moment }: { token: string; moment: Moment },
): Promise<Changed> {
  const now = await readEntry(trx, entry.id);
  const [first, ...more] = now ? await readMovable(trx, now, moment.today) : [];
  if (!first || !now?.offer) return { ok: false, reason: 'not-movable' };
  const token = await makeLinkLike(trx, ofEntry, { enrolment_id: first.enrolmentId });
  if (more.length > 0) return { ok: true, movePath: href('/enrolment/:token', { token }) };
  const { slug } = await readWaitingCourseDate(trx, now.offer.courseDateId);
  const path = href('/enrolment/:token/transfer/:placeId', { token, placeId: String(first.placeId) });
  return { ok: true, movePath: `${path}?to=${slug}` };
}

const unpaidFault = (refused: TooManyUnpaid) =>
  `Nothing was accepted: ${unpaidInWords(refused)} The seats stay kept for you until the time below. ${whatHelps(refused, 'Pay for some of those seats first and accept then, or email', 'Email')} or call us.`;

const courseDatesOf = ({ courseDateId, offer }: WaitingEntry): number[] =>
  [courseDateId, offer?.courseDateId].flatMap((id) => id ?? []);

const words: FormWords = {
  unreadable: 'Part of the form was missing. Nothing was changed.',
  away: unconfirmedText(
    'that this was done',
    `If you accepted dates, they may be yours already: this page shows it. ${twiceIsHarmless}`,
  ),
  busy: courseDateBusyText('Nothing was changed.'),
};
const faults = {
  unknown: 'This entry is no longer here. Nothing was changed.',
  meanwhile: 'Something changed just now. Nothing was done yet. Please press the button again.',
  'many-seats':
    'Today many seats were asked for from your network or by addresses of this domain. Your entry waits for your confirmation: press the button again tomorrow, or call us.',
  over: 'This offer is over: its time has passed, you declined it, or we withdrew it. Nothing was changed, and you owe nothing.',
  moved: 'The date that we offer you has changed. Nothing was accepted. Please look at it below before you accept it.',
  'not-movable':
    'There is no place any more that you can move to this date, or the offer is over. Nothing was changed.',
  'no-offer': 'There is no longer an offer to decline. Nothing was changed.',
  bought:
    'You have bought this place. To take it off the list, cancel it: use the link in the email about your enrolment.',
};

/** Seats on waiting lists that one mail domain and one network confirm in a day, as enrolling counts unpaid ones (P28). */
const mostOfDomain = 6;
const mostOfNetwork = 12;

/**
 * Whether somebody may wait for further seats today (P48): made-up addresses cost nothing, and each offer keeps its seats
 * from others for 72 hours. Counted when the address is confirmed, so nobody uses up what is another domain's; large
 * public providers are left out.
 */
function askSeats(
  trx: Trx,
  { limit, email, address, seats }: { limit: FormLimit; email: string; address: string; seats: number },
  at: Date,
): Promise<Room> {
  const most = (attempts: number, of: string) => ({
    attempts,
    attemptsOfWideNetwork: attempts,
    windowMs: dayMs,
    key: `${limit.key}:waiting-seats-${of}`,
  });
  const asked: Asked[] = [{ limit: most(mostOfNetwork, 'network'), by: address, weight: seats }];
  const domain = mailDomainOf(email);
  if (domain !== null) asked.push({ limit: most(mostOfDomain, 'domain'), by: domain, weight: seats });
  return askLimits(trx, asked, at);
}
