import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { recordEnquiry } from '#app/features/enquiries/commands.server.ts';
import { eraseEnquiry } from '#app/features/enquiries/erase.server.ts';
import { queueEnquiryMails } from '#app/features/enquiries/mails.server.ts';
import { expireMailDaily, expireMailFiles } from '#app/outbox/erase-mail.server.ts';
import { isUnsubscribeToken, queueMarketingMail, recordConsent, unsubscribe } from '#app/outbox/marketing.server.ts';
import { temporaryFolder } from '#scripts/support/program.ts';
import { erasePerson, exportPerson } from '#server/personal-records.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let data: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  database = await createTestDatabase();
  data = temporaryFolder();
});
afterEach(async () => {
  await database.drop();
  data.remove();
});

const academy: MailAcademy = { name: 'A', address: 'B', phone: 'C', email: 'hello@academy.example', url: 'http://x' };
const at = new Date('2025-09-08T00:00:00Z');
const forms = { ada: crypto.randomUUID(), bob: crypto.randomUUID() };

/** Sends a message as a form does: stored, acknowledged, handed to the academy. */
async function sent(who: keyof typeof forms, email: string, message: string): Promise<string> {
  const { db } = database;
  const person = { kind: 'contact', firstName: who, lastName: 'Person', email, phone: '' } as const;
  const enquiry = { ...person, message, consent: false, details: {} };
  const recorded = await recordEnquiry(db, enquiry, { idempotencyKey: forms[who], at });
  await queueEnquiryMails(db, enquiry, recorded, academy, at);
  return recorded.reference;
}

test('all that is held about an address can be read and erased, and nothing of others', async () => {
  const { db } = database;
  // A correction in which even the address was corrected belongs to the same person.
  const references = [await sent('ada', 'Ada@example.com', 'First'), await sent('ada', 'ada.b@example.com', 'Second')];
  const other = await sent('bob', 'bob@example.com', 'Third');
  await recordConsent(db, { address: 'ada@example.com', wording: 'Tell me', at });
  await recordConsent(db, { address: 'bob@example.com', wording: 'Tell me', at });
  const [mail] = await db.selectFrom('mails').select('id').where('recipient', '=', 'Ada@example.com').execute();
  mkdirSync(path.join(data.folder, 'mail'));
  const file = path.join(data.folder, `mail/${mail?.id}.eml`);
  writeFileSync(file, 'First');

  const held = await exportPerson(db, 'ADA@example.com');
  expect(held).toMatchObject({
    enquiries: references.map((reference) => ({ reference })),
    mails: [{ kind: 'contact-acknowledgement' }, { kind: 'enquiry-message', attempts: [] }],
    marketing: [{ wording: 'Tell me' }],
  });
  expect(JSON.stringify(held)).not.toContain('bob');

  expect(await erasePerson(db, 'ada@EXAMPLE.com', data.folder)).toEqual({
    enquiries: 2,
    bookings: 0,
    conversations: 0,
    mails: 2,
    marketing: 1,
  });
  expect(existsSync(file)).toBe(false);
  const empty = { enquiries: [], bookings: [], conversations: [], mails: [], marketing: [] };
  expect(await exportPerson(db, 'ada@example.com')).toEqual(empty);
  expect(await exportPerson(db, 'bob@example.com')).toMatchObject({
    enquiries: [{ reference: other }],
    marketing: [{}],
  });
});

test('erasing keeps the note that somebody wants no marketing', async () => {
  const { db } = database;
  await recordConsent(db, { address: 'ada@example.com', wording: 'Tell me', at });
  const links: string[] = [];
  await queueMarketingMail(db, {
    to: 'ada@example.com',
    kind: 'news',
    baseUrl: '',
    render(link) {
      links.push(link);
      return { subject: 'News', text: 'News', html: 'News' };
    },
  });
  const token = links[0]?.split('/').at(-1) ?? '';
  expect(await isUnsubscribeToken(db, token)).toBe(true);
  expect(await unsubscribe(db, token, at)).toBe(true);
  await erasePerson(db, 'ada@example.com', data.folder);
  expect(await exportPerson(db, 'ada@example.com')).toEqual({
    enquiries: [],
    bookings: [],
    conversations: [],
    mails: [],
    marketing: [{ unsubscribed: at }],
  });
});

test('erasing an enquiry erases the mails about it', async () => {
  const reference = await sent('ada', 'ada@example.com', 'First');
  await sent('bob', 'bob@example.com', 'Second');
  const { enquiries, mails } = await eraseEnquiry(database.db, reference);
  expect([enquiries, mails.length]).toEqual([1, 2]);
  expect(await database.db.selectFrom('mails').select('reply_to').distinct().orderBy('reply_to').execute()).toEqual([
    { reply_to: 'bob@example.com' },
    { reply_to: 'hello@academy.example' },
  ]);
});

test('mails and their files are kept as long as the settings say, once a day', async () => {
  const { db } = database;
  const [sentDays, failedDays] = [30, 90];
  const day = (count: number) => new Date(at.getTime() + count * 24 * 60 * 60 * 1000);
  await sent('ada', 'ada@example.com', 'First');
  await sent('bob', 'bob@example.com', 'Second');
  await db.updateTable('mails').set({ tries_from: at, settled_at: at, state: 'failed' }).execute();
  await db.updateTable('mails').set({ state: 'sent' }).where('kind', '=', 'enquiry-message').execute();
  const expire = (now: Date) => expireMailDaily(db, { sentDays, failedDays }, now);
  expect(await expire(day(30))).toBe(0);
  expect(await expire(day(31))).toBe(2);
  expect(await expire(day(31))).toBeNull();
  expect(await expire(day(90))).toBe(0);
  expect(await expire(day(91))).toBe(2);

  for (const name of ['old.eml', 'old.eml.part', 'new.eml', 'other.txt']) {
    writeFileSync(path.join(data.folder, name), '');
    const time = name.startsWith('new') ? day(1) : at;
    utimesSync(path.join(data.folder, name), time, time);
  }
  expect(await expireMailFiles(data.folder, sentDays, day(30.5))).toBe(2);
  expect(readdirSync(data.folder).sort()).toEqual(['new.eml', 'other.txt']);
  expect(await expireMailFiles(path.join(data.folder, 'none'), sentDays, day(31))).toBe(0);
});
