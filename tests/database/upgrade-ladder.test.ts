import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findTermsVersion, readLadders, readTermsVersion } from '#app/features/site/agreement.server.ts';
import { ladderOn } from '#app/features/site/agreement.ts';
import { migrateBetween } from '#tests/support/migrate-to.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase('template', 'owner');
});
afterEach(() => database.drop());

test('P40: enrolments from before have the ladder they were made under, and no course of a combo that is kept costs more', async () => {
  const { db } = database;
  await sql`drop schema public cascade; create schema public`.execute(db);
  await migrateBetween(db, 1, 27);
  await sql
    .raw(
      `insert into enrolments (reference, title, buyer_name, email, mailbox, payer, terms_version, placed_at, changed_at)
         values ('BB-222222', 'Before', 'Ada', 'ada@example.com', 'ada@example.com', 'person', '2025-09-08', now(), now());`,
    )
    .execute(db);
  await migrateBetween(db, 28, 55);
  // Contracts with today's ladder, with a third one, and under terms whose text is known.
  await sql
    .raw(
      `insert into site_content (name, body) values ('pages', '[{"slug": "help", "body": "Help"}, {"slug": "terms",
           "body": "New terms", "inForceFrom": "2026-11-22", "earlier": [{"inForceFrom": "2026-11-21", "body": "Old terms"}]}]');
       insert into enrolments (reference, title, buyer_name, email, mailbox, payer, terms_version, ladder, placed_at, changed_at)
         select 'BB-22222' || n, title, 'Ada', 'ada@example.com', 'ada@example.com', 'person', day::date, ladder::jsonb, now(), now()
         from (values
           (3, 'Today', '2026-11-22', '{"fullDays": 14, "halfDays": 7, "fullHours": 24, "repricesKept": true}'),
           (4, 'Other', '2026-11-21', '{"fullDays": 21, "halfDays": 10, "fullHours": 2, "repricesKept": true}')
         ) as made (n, title, day, ladder);`,
    )
    .execute(db);
  await migrateBetween(db, 56, 9999);
  const carried = await db
    .selectFrom('enrolments')
    .innerJoin('refund_ladders', 'refund_ladders.id', 'ladder_id')
    .innerJoin('terms_versions', 'terms_versions.id', 'terms_id')
    .select(['title', 'full_days', 'half_days', 'full_hours', 'reprices_kept', 'in_force_from', 'terms_versions.body'])
    .orderBy('reference')
    .execute();
  expect(carried.map((row) => Object.values(row))).toEqual([
    ['Before', 14, 7, 24, false, '2025-09-08', null],
    ['Today', 14, 7, 24, true, '2026-11-22', 'New terms'],
    ['Other', 21, 10, 2, true, '2026-11-21', 'Old terms'],
  ]);
  const { id, from, ...numbers } = ladderOn(await readLadders(db), '2025-09-08');
  expect(numbers).toEqual({ fullDays: 14, halfDays: 7, fullHours: 24, repricesKept: true, capsResale: true });
  const now = { id: (await readTermsVersion(db))?.id, inForceFrom: '2026-11-22' };
  expect(await readTermsVersion(db)).toEqual(now);

  const without = sql`insert into enrolments
    (reference, title, buyer_name, email, mailbox, payer, terms_id, placed_at, changed_at)
    values ('BB-333333', 'After', 'Ada', 'ada@example.com', 'ada@example.com', 'person', ${now.id}, now(), now())`;
  await expect(without.execute(db)).rejects.toThrow('ladder_id');
});

test('P28: every text of the terms is kept as it was, also when it changes without a new day', async () => {
  const { db } = database;
  const terms = (body: string) => JSON.stringify([{ slug: 'terms', body, inForceFrom: '2026-11-22' }]);
  await db
    .insertInto('site_content')
    .values({ name: 'pages', body: terms('One') })
    .execute();
  const first = await readTermsVersion(db);
  await db
    .updateTable('site_content')
    .set({ body: terms('Two') })
    .where('name', '=', 'pages')
    .execute();
  const second = await readTermsVersion(db);
  await db
    .updateTable('site_content')
    .set({ body: terms('One') })
    .where('name', '=', 'pages')
    .execute();
  expect(await readTermsVersion(db)).toEqual(first);
  expect(await findTermsVersion(db, second?.id ?? 0)).toEqual({ inForceFrom: '2026-11-22', body: 'Two' });
  await expect(sql`update terms_versions set body = 'Three'`.execute(db)).rejects.toThrow('only added to');
  await expect(sql`update refund_ladders set full_days = 30`.execute(db)).rejects.toThrow('only added to');
});
