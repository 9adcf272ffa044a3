import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeAttendee } from '#app/features/enrolments/attendees.server.ts';
import { findLink } from '#app/features/enrolments/links.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { beginAttempt, endAttempt, markFailed } from '#app/outbox/attempts.server.ts';
import { countFailedMail, listFailedMail, resendAll, resendMail } from '#app/outbox/failed-mail.server.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { filledIn } from '#app/outbox/private-links.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { Answer } from '#app/outbox/transport.server.ts';
import { attendee, makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { countLinks, mailLinks } from '#tests/support/mail-links.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { torture } from '#tests/support/torture.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

const links = mailLinks();
const opening = momentAt('2025-09-08T09:00');
const now = new Date();
const mail = { kind: 'sample', about: 'nothing' as const, subject: 'Hello' };
const wordsWith = (name: string) => ({ text: `At ${placeholderOf(name)}`, html: `<p>${placeholderOf(name)}</p>` });

/** An enrolment with an attendee of another address; without the mails it caused. */
async function enrolled(name: string) {
  const { db } = database;
  const [email, theirs] = [`${name}-buys@example.com`, `${name}-attends@example.com`];
  const { enrolmentId: id } = await placeIn(db, await makeCourseDate(db), {
    buyer: { name: 'Grace Hopper', email, phone: null },
    attendees: [attendee({ email: theirs })],
  });
  await db.deleteFrom('mails').execute();
  const { places } = await readEnrolment(db, id);
  return { id, email, theirs, attendeeId: places[0]?.attendee.id ?? 0 };
}
const tokens = (enrolmentId: number) => countLinks(database.db, enrolmentId);
const begin = (mailId: string | null, at = now) =>
  beginAttempt(database.db, { mailId: mailId ?? '', domain: 'academy.example', links }, at);
/** An attempt with this outcome; what was handed over. */
async function attempt(mailId: string | null, outcome: Answer['outcome']) {
  const begun = await begin(mailId);
  if (!begun.go) return expect.unreachable(begun.why);
  const { number, filled, mail: row } = begun;
  const answer = { outcome, text: `${outcome} by the test` };
  const ended = { mailId: row.id, number, answer, keepsSecrets: false, links, filled };
  await endAttempt(database.db, ended, now);
  return filledIn({ text: row.body_text, html: row.body_html }, filled);
}

test('a link is made for each attempt, and stays when the server may have it', async () => {
  const { db } = database;
  const { id, email } = await enrolled('attempts');
  const name = `enrolment:${id}`;
  const mailId = await queueMail(db, { ...mail, to: email, links: [name], ...wordsWith(name) });
  // The one of the page that was answered at once.
  const before = await tokens(id);
  const counts: number[] = [];
  for (const outcome of ['deferred', 'refused', 'deferred', 'unknown', 'deferred', 'delivered'] as const) {
    const sent = await attempt(mailId, outcome);
    const token = /\/enrolment\/([0-9a-f]{48})$/.exec(sent.text)?.[1] ?? '';
    expect(sent.html).toBe(`<p>http://localhost:3000/enrolment/${token}</p>`);
    const leads = await findLink(db, token);
    expect(leads).toEqual(
      ['unknown', 'delivered'].includes(outcome) ? { enrolmentId: id, attendeeId: null, managerId: null } : null,
    );
    counts.push((await tokens(id)) - before);
    if (outcome === 'refused') {
      expect(await resendMail(db, mailId ?? '', now, links)).toEqual({ ok: true });
    }
  }
  expect(counts).toEqual([0, 0, 0, 1, 1, 2]);
  const row = await db.selectFrom('mails').selectAll().executeTakeFirstOrThrow();
  expect([row.state, row.body_text]).toEqual(['sent', `At {${name}}`]);
});

test('typed text never becomes a link, and a link that is not in the words is a fault', async () => {
  const { db } = database;
  const [mine, other] = [await enrolled('typing'), await enrolled('victim')];
  const name = `enrolment:${mine.id}`;
  const typed = { text: `{${name}} and {enrolment:${other.id}}`, html: `<p>{${name}} {enrolment:${other.id}}</p>` };
  const sent = await attempt(await queueMail(db, { ...mail, to: mine.email, links: [name], ...typed }), 'delivered');
  expect(sent.text).toMatch(
    new RegExp(`^http://localhost:3000/enrolment/[0-9a-f]{48} and \\{enrolment:${other.id}\\}$`),
  );
  await expect(queueMail(db, { ...mail, to: mine.email, links: [name], text: 'x', html: 'x' })).rejects.toThrow();
});

test('a mail whose subject was erased or belongs to another address by now is dropped, and not sent again', async () => {
  const { db } = database;
  const { id, theirs, attendeeId } = await enrolled('changing');
  const name = `place:${id}:${attendeeId}`;
  const queued = await queueMail(db, { ...mail, to: theirs, links: [name], ...wordsWith(name) });
  const failed = await queueMail(db, { ...mail, to: theirs, links: [name], ...wordsWith(name) });
  await attempt(failed, 'refused');
  await markFailed(db, failed ?? '', now);
  const attendeeNow = attendee({ email: 'somebody-else@example.com' });
  const change = { enrolmentId: id, attendeeId, attendee: attendeeNow, actor: theProgram } as const;
  await db.transaction().execute((trx) => changeAttendee(trx, change, opening));
  const before = await tokens(id);

  expect(await begin(queued)).toMatchObject({ go: false, why: 'leads-nowhere' });
  const dropped = await db.selectFrom('mails').select(['state', 'reason']).where('id', '=', queued).execute();
  expect(dropped).toEqual([
    { state: 'dropped', reason: 'What it is about was deleted, is over, or now belongs to another address' },
  ]);
  expect(await resendMail(db, failed ?? '', now, links)).toEqual({ ok: false, reason: 'leads-nowhere' });
  expect(await tokens(id)).toBe(before);
  for (const gone of ['booking:1', 'conversation:1', 'waiting:1', 'waiting-offer:1', 'enrolment-draft:1']) {
    const mailId = await queueMail(db, { ...mail, to: theirs, links: [gone], ...wordsWith(gone) });
    expect(await begin(mailId), gone).toMatchObject({ go: false, why: 'leads-nowhere' });
  }
  await db.deleteFrom('mails').execute();
});

test('a mail that somebody is changing is tried later, and no link is made for it', async () => {
  const { db } = database;
  const { id, email } = await enrolled('locked');
  const name = `enrolment:${id}`;
  const mailId = await queueMail(db, { ...mail, to: email, links: [name], ...wordsWith(name) });
  const before = await tokens(id);
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('mails').select('id').forUpdate().execute();
    expect(await begin(mailId)).toEqual({ go: false, why: 'busy' });
  });
  expect(await tokens(id)).toBe(before);
  await db.deleteFrom('mails').execute();
});

test('mail from before with a link in its words goes out as it is, and keeps it until it is sent', async () => {
  const { db } = database;
  const old = { kind: 'enrolment-placed', subject: 'You are enrolled', headers: '{}', secret: true };
  const words = { body_text: 'At http://localhost:3000/enrolment/abc', body_html: 'x' };
  const rows = await db
    .insertInto('mails')
    .values([
      { ...old, ...words, recipient: 'queued@example.com' },
      { ...old, body_text: '', body_html: '', recipient: 'erased@example.com', state: 'failed', settled_at: now },
    ])
    .returning('id')
    .execute();
  const [queued, erased] = rows.map((row) => row.id);
  await attempt(queued ?? '', 'refused');
  await markFailed(db, queued ?? '', now);
  expect(await countFailedMail(db, { since: null }, now)).toEqual({ again: 1, stale: 0, erased: 1 });
  const listed = new Map((await listFailedMail(db, now)).map((one) => [one.to, one.ended]));
  expect(Object.fromEntries(listed)).toEqual({ 'queued@example.com': null, 'erased@example.com': 'erased' });
  expect(await resendMail(db, erased ?? '', now, links)).toEqual({ ok: false, reason: 'erased' });
  expect(await resendMail(db, queued ?? '', now, links)).toEqual({ ok: true });
  expect((await attempt(queued ?? '', 'delivered')).text).toBe(words.body_text);
  const after = await db
    .selectFrom('mails')
    .select('body_text')
    .where('id', '=', queued ?? '')
    .execute();
  expect(after).toEqual([{ body_text: '' }]);
  await db.deleteFrom('mails').execute();
});

torture('all mail of an outage is queued again once, in batches, the oldest first, up to 500 at a time', async () => {
  const { db } = database;
  const { id, email } = await enrolled('outage');
  const at = (minute: number) => new Date(now.getTime() + minute * 60_000);
  const row = (minute: number, more: object) => ({
    ...{ kind: 'sample', recipient: email, subject: `${minute}`, headers: '{}', body_text: 'x', body_html: 'x' },
    ...{ state: 'failed' as const, reason: '451', queued_at: at(minute), settled_at: at(minute) },
    ...more,
  });
  const numbered = Array.from({ length: 520 }, (_, minute) => row(minute, { links: [`enrolment:${id}`] }));
  await db
    .insertInto('mails')
    .values([...numbered, row(1, { links: ['booking:1'] }), row(2, { stale_after: at(3) }), row(-9, {})])
    .execute();
  const batches: number[] = [];
  const press = () =>
    resendAll(
      db,
      { since: at(0), upTo: at(600) },
      { now: at(700), links, record: async (_trx, queued) => void batches.push(queued) },
    );
  expect(await press()).toEqual({ queued: 500, stale: 1, erased: 0, leadsNowhere: 1, again: 20 });
  const failed = () => db.selectFrom('mails').select('subject').where('state', '=', 'failed').execute();
  expect(
    (await failed())
      .filter(({ subject }) => Number(subject) < 500)
      .map(({ subject }) => subject)
      .sort(),
  ).toEqual(['-9', '1', '2']);
  const both = await Promise.all([press(), press()]);
  expect(both.reduce((sum, { queued }) => sum + queued, 0)).toBe(20);
  expect((await press()).queued).toBe(0);
  expect(batches.reduce((sum, count) => sum + count, 0)).toBe(520);
  expect(Math.max(...batches)).toBe(100);
});
