import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { sessionNotice } from '#app/emails/session-notice.ts';
import { wayInKnown } from '#app/features/sessions/way-in.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import { formatDay, formatDays } from '#app/lib/dates.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { sessionsBelowMinimum, sessionsWithoutWayIn } from './session-attention.server.ts';

/**
 * Mails the academy once when a session that sales confirmed falls below its minimum (P39), and again only after it was
 * above in between. Returns how many. Several processes may do so at once.
 */
export async function tellBelowMinimum(db: Db, moment: Moment): Promise<number> {
  const { today, now } = moment;
  const below = (await sessionsBelowMinimum(db, today)).filter(({ confirmedOn }) => confirmedOn !== null);
  await db
    .updateTable('session_notices')
    .set({ below_minimum_at: null })
    .where('below_minimum_at', 'is not', null)
    .where('training_session_id', 'not in', [0, ...below.map(({ id }) => id)])
    .execute();
  const told = await db
    .selectFrom('session_notices')
    .select('training_session_id as id')
    .where('below_minimum_at', 'is not', null)
    .execute();
  const items = below.filter(({ id }) => told.every((one) => one.id !== id));
  const job = 'tell of sessions below their minimum';
  return eachItem(
    db,
    { job, items, keyOf: ({ id }) => `session:${id}`, at: now },
    async (trx, { id, sold, minimum, confirmedOn: _, ...session }) => {
      const first = await trx
        .insertInto('session_notices')
        .values({ training_session_id: id, below_minimum_at: now })
        .onConflict((conflict) =>
          conflict
            .column('training_session_id')
            .doUpdateSet({ below_minimum_at: now })
            .where('session_notices.below_minimum_at', 'is', null),
        )
        .returning('training_session_id')
        .executeTakeFirst();
      if (!first) return false;
      const text = [
        `${sold} of at least ${minimum} people are left in it: others cancelled after it was confirmed. It stays confirmed: the people in it rely on that.`,
        'You can run it anyway, move it, or cancel it: then each buyer chooses another date or a full refund.',
      ];
      await queueNotice(trx, { id, matter: 'Below its minimum', ...session, text }, moment);
      return true;
    },
  );
}

/**
 * Asks the academy once for the room or link of a session with people in it, three business days before its first day
 * (P39): reminders of places wait for it. A session that moved is asked for again, and so is one whose way in was set and
 * is missing anew. Returns how many.
 */
export async function askForWayIn(db: Db, moment: Moment): Promise<number> {
  const { today, now } = moment;
  await db
    .updateTable('session_notices')
    .from('training_sessions as session')
    .set({ way_in_for: null })
    .whereRef('session.id', '=', 'training_session_id')
    .where('way_in_for', 'is not', null)
    .where(wayInKnown('session'))
    .execute();
  const items = await sessionsWithoutWayIn(db, today);
  const job = 'ask for rooms and links';
  return eachItem(
    db,
    { job, items, keyOf: ({ id }) => `session:${id}`, at: now },
    async (trx, { id, missing, ...session }) => {
      const first = await trx
        .insertInto('session_notices')
        .values({ training_session_id: id, way_in_for: session.startsOn })
        .onConflict((conflict) =>
          conflict
            .column('training_session_id')
            .doUpdateSet({ way_in_for: session.startsOn })
            .where(sql<boolean>`session_notices.way_in_for is distinct from excluded.way_in_for`),
        )
        .returning('training_session_id')
        .executeTakeFirst();
      if (!first) return false;
      const text = [
        `It starts on ${formatDay(session.startsOn)}, people are in it, and its ${missing} is not set yet.`,
        'Please set it on the page of the course date. We then email everyone in it at once, and send the reminders.',
      ];
      await queueNotice(trx, { id, matter: 'Room or link is missing', ...session, text }, moment);
      return true;
    },
  );
}

/** Has staff asked again for the way into a session that is to be taught in another place or way: they need another one. */
export async function askAgainForWayIn(trx: Trx, sessionId: number): Promise<void> {
  await trx
    .updateTable('session_notices')
    .set({ way_in_for: null })
    .where('training_session_id', '=', sessionId)
    .execute();
}

type Notice = {
  id: number;
  matter: string;
  slug: string;
  title: string;
  startsOn: string;
  endsOn: string;
  text: string[];
};

async function queueNotice(
  trx: Trx,
  { id, matter, slug, title, startsOn, endsOn, text }: Notice,
  { academy }: Moment,
): Promise<void> {
  await queueMail(trx, {
    kind: 'session-notice',
    about: { kind: 'session', id },
    to: academy.email,
    replyTo: academy.email,
    ...sessionNotice({
      matter,
      course: title,
      when: formatDays(startsOn, endsOn),
      text,
      link: `${academy.url}/staff/sessions/${slug}`,
      academy,
    }),
  });
}
