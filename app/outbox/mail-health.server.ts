import { setTimeout as sleep } from 'node:timers/promises';
import { createContext, type RouterContextProvider } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { type Clock, trueTime } from '#app/lib/clock.ts';
import { brisbaneTime, formatMoment } from '#app/lib/short-dates.ts';

/**
 * Whether mail goes out, from what the attempts of all programs found (P49, P94). Instants are of the true time, as
 * those of the queue are: PostgreSQL's now().
 */
export type MailHealth = {
  /** `unknown`: the server was not asked for long, or the database does not say. */
  state: 'answering' | 'away' | 'unknown';
  /** Since when the server has not answered. */
  awaySince: Date | null;
  /** The error of the last attempt. */
  answer: string | null;
  /** Mails that are due and were not handed over, counted up to ten thousand, and since when the oldest is due. */
  waiting: number;
  oldestAt: Date | null;
  /** The instant at which this was read. */
  at: Date;
};

/** The health of mail, read at most every two seconds. Never throws for a database that is away. */
export type MailHealthReader = () => Promise<MailHealth>;
export const mailHealthContext = createContext<MailHealthReader>();

const freshMs = 2_000;
const patienceMs = 1_500;
/** The server is asked every five minutes at least; an older result is out of date. */
const knownForMs = 15 * 60_000;
const mostCounted = 10_000;

/** A reader for one process. */
export function openMailHealth(db: Db, clock: Clock): MailHealthReader {
  let last: { readAt: number; health: Promise<MailHealth> } | null = null;
  return () => {
    if (last && performance.now() - last.readAt < freshMs) return last.health;
    const late = sleep(patienceMs, unknownAt(trueTime(clock)), { ref: false });
    const health = Promise.race([readMailHealth(db, trueTime(clock)), late]);
    last = { readAt: performance.now(), health };
    return health;
  };
}

const unknownAt = (at: Date): MailHealth => ({
  ...{ state: 'unknown', awaySince: null, answer: null, waiting: 0, oldestAt: null, at },
});

async function readMailHealth(db: Db, now: Date): Promise<MailHealth> {
  try {
    const due = db
      .selectFrom('mails')
      .select('tries_from')
      .where('settled_at', 'is', null)
      .where('state', '=', 'queued')
      .where('tries_from', '<=', now)
      .limit(mostCounted);
    const found = await db
      .selectFrom('mail_server')
      .select((row) => [
        'away_since',
        'answer',
        'answered_at',
        row
          .selectFrom(due.as('due'))
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .as('waiting'),
        row
          .selectFrom(due.as('due'))
          .select(({ fn }) => fn.min('tries_from').as('oldest'))
          .as('oldest'),
      ])
      .executeTakeFirstOrThrow();
    const known = found.answered_at && now.getTime() - found.answered_at.getTime() < knownForMs;
    return {
      state: found.away_since ? 'away' : known ? 'answering' : 'unknown',
      awaySince: found.away_since,
      answer: found.answer,
      waiting: found.waiting ?? 0,
      oldestAt: found.oldest,
      at: now,
    };
  } catch (error) {
    if (!isConnectionFailure(error)) throw error;
    return unknownAt(now);
  }
}

/** Since when the mail server has not answered, for a page, such as `2:05 PM`; null unless it is known to be away. */
export async function mailAwaySince(context: Readonly<RouterContextProvider>): Promise<string | null> {
  return awaySinceText(await context.get(mailHealthContext)());
}

/** The same in words, with the day when that is another than today's in Brisbane. */
export function awaySinceText({ awaySince, at }: MailHealth): string | null {
  if (!awaySince) return null;
  if (academyDay(awaySince) !== academyDay(at)) return formatMoment(awaySince);
  return brisbaneTime(awaySince);
}
