import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { queuePlaceReminders } from '#app/features/enrolments/jobs.server.ts';
import { readEnrolmentForStaff } from '#app/features/study/enrolment-for-staff.server.ts';
import { eraseMails } from '#app/outbox/erase-mail.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { anOwner } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
afterEach(() => database.drop());
const start = momentAt('2025-09-08T09:00');

test('staff see the mails about an enrolment by any subject', async () => {
  database = await createTestDatabase('academyTemplate');
  const { db } = database;
  const courseDate = await makeCourseDate(db);
  const one = await placeIn(db, courseDate);
  const other = await placeIn(db, courseDate);
  const read = async (id: number) =>
    db.selectFrom('enrolments').select(['reference', 'email']).where('id', '=', id).executeTakeFirstOrThrow();
  const { reference, email } = await read(one.enrolmentId);
  const body = { replyTo: 'a@academy.example', text: 'Text', html: '<p>Text</p>' };
  const about = { kind: 'enrolment', id: one.enrolmentId } as const;
  await queueMail(db, { ...body, kind: 'sample', about, to: email, subject: 'No reference' });
  await queueMail(db, { ...body, kind: 'sample', about: 'nothing', to: email, subject: `Something of ${reference}` });
  // Somebody else's enrolment, to the same address.
  const elsewhere = { ...about, id: other.enrolmentId };
  await queueMail(db, { ...body, kind: 'sample', about: elsewhere, to: email, subject: `Like ${reference}` });
  const listing = (ids: number[]) => {
    const links = ids.map((id) => `enrolment:${id}`);
    const text = links.map((name) => `{${name}}`).join();
    return { kind: 'enrolment-links', about: 'nothing', to: email, links, text, html: text } as const;
  };
  await queueMail(db, { ...listing([other.enrolmentId, one.enrolmentId]), subject: 'Your links' });
  await queueMail(db, { ...listing([other.enrolmentId]), subject: 'The links of others' });
  const whole = await readEnrolmentForStaff(db, anOwner, reference, start);
  expect(whole?.mails.map(({ kind, subject }) => (kind === 'enrolment-placed' ? kind : subject)).sort()).toEqual([
    'No reference',
    'Your links',
    'enrolment-placed',
  ]);
});

test('P31: a reminder of a place is not sent again when its mail was erased', async () => {
  database = await createTestDatabase('academyTemplate');
  const { db } = database;
  const courseDate = await makeCourseDate(db, { startsOn: '2025-09-15' });
  await placeIn(db, courseDate);
  await sql`update places set placed_at = '2025-09-01T09:00:00+10:00'`.execute(db);
  expect(await queuePlaceReminders(db, start)).toBe(1);
  await eraseMails(db, (mail) => mail('kind', '=', 'place-reminder'));
  expect(await queuePlaceReminders(db, start)).toBe(0);
});
