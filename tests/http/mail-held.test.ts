import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Db } from '#app/db/client.server.ts';
import { holdMail } from '#app/outbox/held-mail.server.ts';
import { queues } from '#app/outbox/queue.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { startSmtpServer } from '#scripts/support/smtp-server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { sampleMail } from '#tests/support/deliver-mail.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { openBrowser } from '#tests/support/sign-in.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
let owner: SignedIn;
let smtp: Awaited<ReturnType<typeof startSmtpServer>>;
beforeAll(async () => {
  smtp = await startSmtpServer({});
  academy = await openAcademyApp({ env: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` }, jobs: true });
  owner = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
});
afterAll(async () => {
  await academy.close();
  await smtp.close();
});
beforeEach(() => holdMail(academy.database.db));

/** How often mails were put back into the queue. */
async function retries(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(retry_count), 0)::integer + count(*) filter (where state = 'retry')::integer as count
    from pgboss.job where name = ${queues.mail}`.execute(db);
  return rows[0]?.count ?? 0;
}

const start = async (who: SignedIn) => (await who.get('/staff')).text();
const isHeld = async (who: SignedIn) => (await mainText(new Response(await start(who)))).includes('Email waits since');

test('P92: after a restore no mail goes out until an owner sends it again', async () => {
  const { db } = academy.database;
  await db.transaction().execute((trx) => queueMail(trx, { ...sampleMail, to: 'grace@example.com' }));
  const shown = await start(owner);
  expect(await mainText(new Response(shown))).toContain('Email waits since');
  // The mail was looked at, and put back.
  await expect.poll(() => retries(db)).toBeGreaterThan(0);
  expect(smtp.taken).toEqual([]);
  const sent = await owner.post('/staff/mail/send-now', carriedBy(shown, 'held'));
  expect([sent.status, sent.headers.get('Location')]).toEqual([303, '/staff']);
  await expect.poll(() => smtp.taken.map(({ recipient }) => recipient)).toEqual(['grace@example.com']);
  expect(await isHeld(owner)).toBe(false);
});

test('P92: who asks for a link to log in gets it all the same', async () => {
  await openBrowser(academy).post('/login', { email: 'edith@example.com' });
  await expect.poll(() => smtp.taken.map(({ recipient }) => recipient)).toContain('edith@example.com');
});

test('P92: only an owner lets it go', async () => {
  const admissions = await signInStaff(academy, 'mary@example.com', 'Mary Shelley', { role: 'admissions' });
  const shown = await start(owner);
  const refused = await admissions.post('/staff/mail/send-now', carriedBy(shown, 'held'));
  expect(refused.status).toBe(403);
  expect(await mainText(new Response(await start(admissions)))).toMatch(/Owners can send the mail again/);
  expect(await isHeld(owner)).toBe(true);
});
