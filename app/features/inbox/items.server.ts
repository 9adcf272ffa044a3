import { type RawBuilder, sql } from 'kysely';
import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import { hourMs } from '#app/lib/durations.ts';
import { promisedAnswerBy } from '#app/lib/promised-answer.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { bookingKinds } from './bookings/kinds.ts';
import { isVisitorHere } from './conversations/queries.server.ts';
import { kindLabels } from './enquiries/inbox.ts';
import { worksInInbox } from './holds.server.ts';
import type { Show, Whose } from './inbox-address.ts';
import { mostOfAKind, type Needs, needsOf } from './need.ts';

export type ReadItems = {
  now: Date;
  /** Of Queensland. */
  holidays: ReadonlySet<Day>;
  whose: Whose;
  show?: Show;
  /** How many items of a kind are read at most. */
  most?: number;
};

/** Bookings are listed from so long before they begin. */
const bookingAheadMs = 36 * hourMs;
/** And until so long after. */
const bookingAfterMs = 15 * 60_000;

/** Holds count while their holder works in the inbox. */
const isStaff = worksInInbox(sql.ref('hold.held_by'));

/** Whether the row of `hold` is held as asked. */
function heldAs(whose: Whose, actor: StaffActor): RawBuilder<boolean> {
  if (whose === 'mine') return sql<boolean>`hold.held_by = ${actor.person.id}`;
  return whose === 'nobody' ? sql<boolean>`holder.id is null` : sql<boolean>`true`;
}

/** Whether an item is put off at an instant; what happens to it later brings it back. */
export const snoozedAt = (now: Date, changed = sql`null::timestamptz`) =>
  sql<boolean>`(hold.snoozed_until > ${now} and hold.snoozed_at >= coalesce(${changed}, hold.snoozed_at)) is true`;

/** When the visitor of a row of `conversations` wrote last. */
export const lastWritten = sql`(select max(created_at) from conversation_messages
  where conversation_id = conversations.id and kind = 'visitor')`;

/** Enquiries and requests that nobody has answered: each is promised an answer within one business day (P81). */
export async function enquiriesToAnswer(db: Db, actor: StaffActor, at: ReadItems): Promise<Needs> {
  requirePermission(actor, 'enquiries:read');
  const { now, holidays, whose, show = 'open', most = mostOfAKind } = at;
  const isSnoozed = snoozedAt(now);
  const rows = await db
    .selectFrom('enquiries')
    .leftJoin('inbox_holds as hold', 'hold.enquiry_id', 'enquiries.id')
    .leftJoin('people as holder', (join) => join.onRef('holder.id', '=', 'hold.held_by').on(isStaff))
    .leftJoin('people as doer', 'doer.id', 'enquiries.state_by')
    .select(['enquiries.id', 'reference', 'kind', 'first_name', 'last_name', 'enquiries.created_at', 'state_at'])
    .select(['holder.id as holder_id', 'holder.name as holder', 'doer.name as doer', 'snoozed_until'])
    .select(sql<string>`left(message, 120)`.as('beginning'))
    .select(
      sql<number>`(select coalesce(max(id), 0) from enquiry_acts
        where enquiry_id = enquiries.id and enquiry_acts.kind <> 'note')`.as('seen'),
    )
    .where(heldAs(whose, actor))
    .$if(show === 'open', (query) => query.where('state', '=', 'new').where(sql<boolean>`not ${isSnoozed}`))
    .$if(show === 'snoozed', (query) => query.where('state', '=', 'new').where(isSnoozed))
    .$if(show === 'done', (query) => query.where('state', '<>', 'new'))
    .orderBy('enquiries.id', show === 'done' ? 'desc' : 'asc')
    .limit(most + 1)
    .execute();
  const list = { text: 'All new messages', to: `${href('/staff/enquiries')}?state=new` };
  return needsOf(
    rows,
    list,
    (row) => ({
      kind: row.kind === 'enrolment' ? 'Request' : kindLabels[row.kind],
      key: `enquiry:${row.id}`,
      dueAt: promisedAnswerBy(row.created_at, holidays),
      who: showControlCharacters(`${row.first_name} ${row.last_name}`.trim()),
      words: quoted(row.beginning),
      to: href('/staff/enquiries/:reference', { reference: row.reference }),
      holder: row.holder,
      hold: {
        item: `enquiry:${row.reference}`,
        holderId: row.holder_id,
        seen: row.seen,
        snoozedUntil: row.snoozed_until,
        done: show === 'done' ? { at: row.state_at ?? row.created_at, by: row.doer } : null,
      },
    }),
    most,
  );
}

/** Chats that wait for an answer: at once while the visitor is there, otherwise within one business day. */
export async function chatsToAnswer(db: Db, actor: StaffActor, at: ReadItems): Promise<Needs> {
  requirePermission(actor, 'conversations:read');
  const { now, holidays, whose, show = 'open', most = mostOfAKind } = at;
  const isSnoozed = snoozedAt(now, lastWritten);
  const rows = await db
    .selectFrom('conversations')
    .leftJoin('inbox_holds as hold', 'hold.conversation_id', 'conversations.id')
    .leftJoin('people as holder', (join) => join.onRef('holder.id', '=', 'hold.held_by').on(isStaff))
    .leftJoin('people as doer', 'doer.id', 'conversations.state_by')
    .select(['conversations.id', 'conversations.name', 'about', 'state_at', 'visitor_at'])
    .select(['holder.id as holder_id', 'holder.name as holder', 'doer.name as doer', 'snoozed_until'])
    .select((row) =>
      row
        .selectFrom('conversation_messages')
        .select(sql<string>`left(body, 120)`.as('body'))
        .whereRef('conversation_id', '=', 'conversations.id')
        .where('kind', '=', 'visitor')
        .orderBy('id', 'desc')
        .limit(1)
        .as('beginning'),
    )
    .select(
      sql<number>`(select coalesce(max(id), 0) from conversation_messages
        where conversation_id = conversations.id and kind <> 'note')`.as('seen'),
    )
    .where(heldAs(whose, actor))
    .$if(show === 'open', (query) => query.where('state', '=', 'waiting').where(sql<boolean>`not ${isSnoozed}`))
    .$if(show === 'snoozed', (query) => query.where('state', '=', 'waiting').where(isSnoozed))
    .$if(show === 'done', (query) => query.where('state', '<>', 'waiting'))
    .orderBy('last_at', show === 'done' ? 'desc' : 'asc')
    .limit(most + 1)
    .execute();
  const list = { text: 'All chats', to: href('/staff/conversations') };
  const needOf = (row: (typeof rows)[number]) => {
    const isHere = isVisitorHere(row.visitor_at, now);
    const minutes = Math.max(0, Math.floor((now.getTime() - row.state_at.getTime()) / 60_000));
    const waits = isHere && show === 'open' ? ` Waiting ${minutes} min` : '';
    return {
      kind: 'Chat',
      key: `chat:${row.id}`,
      dueAt: isHere ? row.state_at : promisedAnswerBy(row.state_at, holidays),
      who: showControlCharacters(row.name ?? 'A visitor'),
      words: `${quoted(row.beginning)}${waits}`,
      to: href('/staff/conversations/:id', { id: String(row.id) }),
      holder: row.holder,
      hold: {
        item: `conversation:${row.id}`,
        holderId: row.holder_id,
        seen: row.seen,
        snoozedUntil: row.snoozed_until,
        done: show === 'done' ? { at: row.state_at, by: row.doer } : null,
      },
    };
  };
  return needsOf(rows, list, needOf, most);
}

/** Staff were done with a booking as it is now: one that its holder moved since counts as new. */
const isDone = sql<boolean>`(hold.done_at >= bookings.changed_at) is true`;

/** Conversations by phone or video of today and the next day. */
export async function bookingsSoon(db: Db, actor: StaffActor, at: ReadItems): Promise<Needs> {
  requirePermission(actor, 'bookings:read');
  const { now, whose, show = 'open', most = mostOfAKind } = at;
  const isSnoozed = snoozedAt(now, sql.ref('bookings.changed_at'));
  const from = new Date(now.getTime() - bookingAfterMs);
  const rows = await db
    .selectFrom('bookings')
    .leftJoin('inbox_holds as hold', 'hold.booking_id', 'bookings.id')
    .leftJoin('people as holder', (join) => join.onRef('holder.id', '=', 'hold.held_by').on(isStaff))
    .leftJoin('people as doer', 'doer.id', 'hold.done_by')
    .select(['bookings.id', 'reference', 'kind', 'bookings.name', 'starts_at', 'ends_at'])
    .select(['holder.id as holder_id', 'holder.name as holder', 'doer.name as doer', 'snoozed_until', 'done_at'])
    .where('cancelled_at', 'is', null)
    .where(heldAs(whose, actor))
    .$if(show === 'done', (query) => query.where(isDone))
    .$if(show !== 'done', (query) =>
      query
        .where(sql<boolean>`not ${isDone}`)
        .where('starts_at', '>', from)
        .where('starts_at', '<', new Date(now.getTime() + bookingAheadMs))
        .where(show === 'open' ? sql<boolean>`not ${isSnoozed}` : isSnoozed),
    )
    .orderBy('starts_at', show === 'done' ? 'desc' : 'asc')
    .orderBy('bookings.id')
    .limit(most + 1)
    .execute();
  const needOf = (row: (typeof rows)[number]) => {
    const minutes = Math.round((row.ends_at.getTime() - row.starts_at.getTime()) / 60_000);
    return {
      kind: 'Booking',
      key: `booking:${row.id}`,
      dueAt: row.starts_at,
      who: showControlCharacters(row.name),
      words: `${bookingKinds[row.kind as keyof typeof bookingKinds].title}, ${minutes} minutes`,
      to: href('/staff/bookings/:reference', { reference: row.reference }),
      holder: row.holder,
      hold: {
        item: `booking:${row.reference}`,
        holderId: row.holder_id,
        seen: 0,
        snoozedUntil: row.snoozed_until,
        done: show === 'done' && row.done_at ? { at: row.done_at, by: row.doer } : null,
      },
    };
  };
  return needsOf(rows, { text: 'All bookings', to: href('/staff/bookings') }, needOf, most);
}

const quoted = (text: string | null): string => {
  const line = showControlCharacters(text ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line === '' ? '' : `“${line}”`;
};
