import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { mostOfAKind, type Needs, needsOf } from '#app/features/inbox/need.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { type Day, shortMonth } from '#app/lib/dates.ts';
import { dayMs } from '#app/lib/durations.ts';
import { promisedAnswerBy } from '#app/lib/promised-answer.ts';
import { nameWithin } from '#app/lib/short-name.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';

type At = { now: Date; holidays: ReadonlySet<Day> };

/** Offers of a seat are listed from so long before they end. */
const offerAheadMs = dayMs;

/** Seats that somebody on a waiting list was offered, whose offer ends within a day. */
export async function offersEnding(db: Db, actor: StaffActor, { now }: At): Promise<Needs> {
  requirePermission(actor, 'waiting:read');
  const rows = await db
    .selectFrom('waiting_offers')
    .innerJoin('seat_holds', 'seat_holds.id', 'hold_id')
    .innerJoin('waiting_entries', 'waiting_entries.id', 'entry_id')
    .innerJoin('course_dates', 'course_dates.id', 'waiting_offers.course_date_id')
    .innerJoin('courses', 'courses.id', 'course_dates.course_id')
    .select(['waiting_offers.id', 'waiting_entries.name', 'expires_at', 'course_dates.slug', 'title', 'starts_on'])
    .where('waiting_offers.ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where('expires_at', '<', new Date(now.getTime() + offerAheadMs))
    .orderBy('expires_at')
    .limit(mostOfAKind + 1)
    .execute();
  return needsOf(rows, { text: 'All waiting lists', to: href('/staff/waiting') }, (row) => ({
    kind: 'Seat offered',
    key: `offer:${row.id}`,
    dueAt: row.expires_at ?? now,
    who: showControlCharacters(row.name),
    words: `The offer ends: ${dated(row.title, row.starts_on)}`,
    to: href('/staff/waiting/:courseDate', { courseDate: row.slug }),
    holder: null,
  }));
}

/** Mails that came back or were refused, the latest first. */
export async function mailsThatCameBack(db: Db, actor: StaffActor, { holidays, now }: At): Promise<Needs> {
  requirePermission(actor, 'mail:read');
  const rows = await db
    .selectFrom('mails')
    .select(['id', 'recipient', 'subject', 'queued_at', 'settled_at'])
    .where('state', '=', 'failed')
    .orderBy('queued_at', 'desc')
    .limit(mostOfAKind + 1)
    .execute();
  return needsOf(rows, { text: 'All mail that came back', to: href('/staff/mail') }, (row) => ({
    kind: 'Mail came back',
    key: `mail:${row.id}`,
    dueAt: promisedAnswerBy(row.settled_at ?? now, holidays),
    who: showControlCharacters(row.recipient),
    words: showControlCharacters(row.subject),
    to: href('/staff/mail'),
    holder: null,
  }));
}

/** `CISSP, 11 Jan`. */
export const dated = (title: string, startsOn: Day): string =>
  `${nameWithin(title, 30)}, ${Number(startsOn.slice(8))} ${shortMonth(startsOn)}`;
