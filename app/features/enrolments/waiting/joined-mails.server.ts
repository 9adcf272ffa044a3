import type { Db, Trx } from '#app/db/client.server.ts';
import { waitingJoined } from '#app/emails/waiting-joined.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { eachItem, limitOf } from '#app/jobs/each-item.server.ts';
import { claimAcknowledgement, nextAcknowledgement } from '#app/outbox/acknowledge.server.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { waitingLink } from './links.server.ts';
import { readCourse, readWaitingCourseDate } from './mails.server.ts';
import { readEntry } from './read-entry.server.ts';
import { confirmDays, type WaitingEntry } from './rules.ts';

/** Entries that one mail lists at most; the others follow in the next hour. */
const mostListed = 20;

/**
 * Mails the private link of a new entry to its address, with all other entries not mailed to it yet, if no such mail
 * went to it within the hour (P24). Otherwise `tellJoined` mails it when the hour is over, unless the entry was mailed
 * before.
 */
export async function queueJoined(
  trx: Trx,
  entry: WaitingEntry,
  { again }: { again: boolean },
  moment: Moment,
): Promise<void> {
  const { now } = moment;
  const others = await lockUntold(trx, entry.email);
  if (await claimAcknowledgement(trx, entry.email, now)) {
    await queueList(trx, [entry.id, ...others.filter((id) => id !== entry.id)], moment);
  } else if (!again) {
    await putOff(trx, [entry.id], entry.email, now);
  }
}

/**
 * The periodic job: when the hour of an address is over, mails it all lists that it joined meanwhile, in one mail.
 * Several processes may do so at once. Returns how many mails it queued.
 */
export async function tellJoined(db: Db, moment: Moment): Promise<number> {
  const { now } = moment;
  const items = await untold(db)
    .select('id')
    .distinctOn('mailbox')
    .where('tell_from', '<=', now)
    .orderBy('mailbox')
    .orderBy('id')
    .limit(limitOf(job, 200))
    .execute();
  const keyOf = ({ id }: { id: number }) => `waiting-entry:${id}`;
  return eachItem(db, { job, items, keyOf, at: now }, async (trx, { id }) => {
    const entry = await readEntry(trx, id);
    const ids = entry ? await lockUntold(trx, entry.email) : [];
    // None when another process is faster.
    if (!entry || ids.length === 0) return false;
    if (await claimAcknowledgement(trx, entry.email, now)) {
      await queueList(trx, ids, moment);
      return true;
    }
    await putOff(trx, ids, entry.email, now);
    return false;
  });
}

const job = 'tell of waiting lists';

const untold = (db: Db) =>
  db
    .selectFrom('waiting_entries')
    .where('tell_from', 'is not', null)
    .where('confirmed_at', 'is', null)
    .where('closed_at', 'is', null);

/**
 * The entries that an address was not told of, oldest first. Links go only to the address that was typed, never to
 * another spelling of its mailbox. Those that somebody else changes at this moment are told of later.
 */
async function lockUntold(trx: Trx, email: string): Promise<number[]> {
  const rows = await untold(trx)
    .select('id')
    .where((row) => row(row.fn<string>('lower', ['email']), '=', email.toLowerCase()))
    .orderBy('id')
    .limit(mostListed)
    .forNoKeyUpdate()
    .skipLocked()
    .execute();
  return rows.map(({ id }) => id);
}

async function putOff(trx: Trx, ids: readonly number[], email: string, at: Date): Promise<void> {
  const from = await nextAcknowledgement(trx, email, at);
  await trx.updateTable('waiting_entries').set({ tell_from: from }).where('id', 'in', ids).execute();
}

async function queueList(trx: Trx, ids: readonly number[], { academy, now }: Moment): Promise<void> {
  const entries = [];
  const links: string[] = [];
  let to = '';
  for (const id of ids.slice(0, mostListed)) {
    const entry = await readEntry(trx, id);
    if (!entry) continue;
    to ||= entry.email;
    const { title } = await readCourse(trx, entry.courseId);
    const courseDate = entry.courseDateId === null ? null : await readWaitingCourseDate(trx, entry.courseDateId);
    const { reference, seats, confirmed } = entry;
    const link = placeholderOf(waitingLink(id));
    links.push(waitingLink(id));
    entries.push({
      id,
      reference,
      title,
      when: courseDate?.when ?? null,
      day: courseDate?.day ?? null,
      seats,
      confirmed,
      link,
    });
    await trx.updateTable('waiting_entries').set({ tell_from: null, told_at: now }).where('id', '=', id).execute();
  }
  const [first, ...others] = entries;
  if (!first) return;
  await queueMail(trx, {
    kind: 'waiting-joined',
    about: { kind: 'waiting-entry', id: first.id },
    to,
    replyTo: academy.email,
    links,
    ...waitingJoined({
      entries: [first, ...others],
      days: confirmDays,
      academy,
    }),
  });
}
