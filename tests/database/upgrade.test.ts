import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DB } from '#app/db/schema.ts';
import { exportContent } from '#app/features/content/export-content.server.ts';
import { importContent } from '#app/features/content/import-content.server.ts';
import { makeSession, placeIn } from '#tests/support/enrolments.ts';
import { migrateBetween } from '#tests/support/migrate-to.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase('template', 'owner');
});
afterEach(() => database.drop());

const list = (value: unknown) => `'${JSON.stringify(value).replaceAll("'", "''")}'::jsonb`;

test('a catalogue from before courses had ids is migrated completely, and can be imported into', async () => {
  const course = sampleCourse('a', { aliases: ['old-a'], leadsTo: ['b'] });
  const content = sampleContent([course, sampleCourse('b', { needs: ['a'] })]);
  const combo = { slug: 'pair', title: 'Pair', description: 'Both.', courses: ['b', 'a'], discountPercent: 20 };
  const slide = {
    course: 'a',
    title: 'Slide',
    subtitle: 'Under it',
    description: 'What it is.',
    buttonText: 'Enroll Now' as const,
    icon: 'eye' as const,
    emoji: '👁',
    badge: 'Badge',
  };
  const expected = { ...content, combos: [combo], heroSlides: [slide] };
  const { icon, ...slideBefore } = slide;
  const documents = { ...expected, heroSlides: [{ ...slideBefore, treasure: icon }] };

  const { db } = database;
  await sql`drop schema public cascade; create schema public`.execute(db);
  await migrateBetween(db, 1, 3);
  const names = ['site', 'heroSlides', 'partners', 'combos', 'questLines', 'exams', 'promotion', 'claims', 'pages'];
  await sql
    .raw(
      `insert into categories values ('soc', 'SOC', 'eye', 1, 0), ('siem', 'SIEM', 'eye', null, 1);
       insert into tracks values ('soc', 'SOC', 'eye', 'Watch and triage.', 0),
         ('offensive', 'Offensive', 'terminal', 'Attack with permission.', 1);
       insert into instructors values ('mara', 'Mara Whitlock', 'SOC', '16 years', 'Mara ran a SOC.', 0);
       ${content.courses
         .map(
           (one) => `insert into courses (slug, title, category_slug, level, price_cents, hours, learners, rating,
             published_on, instructor_slug, description, overview, objectives, curriculum, prerequisites, certification,
             needs, leads_to)
           values ('${one.slug}', '${one.title}', 'soc', 'Beginner', 150000, 30, 100, 4.7, '2025-01-06', 'mara',
             '${one.description}', '${one.overview}', '{One,Two,Three,Four,Five}', ${list(one.curriculum)}, '{None.}',
             '${one.credential}', '{${(one.needs ?? []).join()}}', '{${[...(one.leadsTo ?? []), 'gone'].join()}}');
           insert into course_tracks values ('${one.slug}', 'soc', 0);`,
         )
         .join('\n')}
       insert into course_aliases values ('old-a', 'a', 0);
       insert into certification_groups values ('foundation', 'Foundation', 'First ones.', 0);
       insert into certifications select 'first', 'foundation', 'a', 'First', 'Body', 'A first certification.', 90,
         '{Analyst,Engineer}', 'What it proves.', ${list(content.certifications[0]?.certifications[0]?.exam)},
         '{One,Two,Three}', '{Beginners,Changers}', 0;
       insert into training_sessions values
         ('first-session', 'a', '2025-09-15', '2025-09-19', '09:00', '17:00', 'Australia/Brisbane', 'Online', 'mara', 12),
         ('room', 'b', '2025-10-06', '2025-10-10', '09:00', '17:00', 'Australia/Sydney', 'In-Person Sydney', 'mara', 6);
       ${[...names, 'faq', 'resources']
         .map(
           (name) =>
             `insert into site_documents values ('${name}', ${list(documents[name as keyof typeof documents])});`,
         )
         .join('\n')}
       update catalogue_state set as_of = '2025-09-08', shift_weeks = 0, first_imported_at = now(), imported_at = now();`,
    )
    .execute(db);
  // Seats were summed before they were counted: one is sold of two, one is held for a quote and two for an offer.
  await migrateBetween(db, 4, 32);
  await sql`insert into seat_holds (training_session_id, seats, purpose, made_at)
    select id, seats, purpose, now() from training_sessions, (values (1, 'quote'), (2, 'offer'), (3, 'enrolment')) hold (seats, purpose)
    where slug = 'first-session'`.execute(db);
  await sql`insert into seat_movements (training_session_id, kind, seats, hold_id, at)
    select training_session_id, 'hold', seats, id, now() from seat_holds`.execute(db);
  await sql`insert into seat_movements (training_session_id, kind, seats, hold_id, at)
    select training_session_id, 'release', -seats, id, now() from seat_holds where purpose = 'enrolment'`.execute(db);
  await sql`insert into seat_movements (training_session_id, kind, seats, place_id, at)
    select id, 'sale', 1, place, now() from training_sessions, (values (1), (2)) sold (place) where slug = 'first-session'`.execute(
    db,
  );
  await sql`insert into seat_movements (training_session_id, kind, seats, place_id, at)
    select id, 'cancellation', -1, 2, now() from training_sessions where slug = 'first-session'`.execute(db);
  await migrateBetween(db, 33, 9999);
  const counted = await database.db
    .selectFrom('session_seats')
    .innerJoin('training_sessions', 'id', 'training_session_id')
    .select(['slug', 'sold', 'held', 'offered'])
    .orderBy('slug')
    .execute();
  expect(counted).toEqual([
    { slug: 'first-session', sold: 1, held: 1, offered: 2 },
    { slug: 'room', sold: 0, held: 0, offered: 0 },
  ]);

  const [online] = content.trainingSessions;
  if (!online) throw new Error('The sample has no training session');
  const room = {
    ...online,
    slug: 'room',
    course: 'b',
    startDate: '2025-10-06',
    enrolmentEnds: '2025-10-05',
    endDate: '2025-10-10',
    zone: 'Australia/Sydney' as const,
    delivery: 'in-person' as const,
    venue: 'Sydney',
    capacity: 6,
  };
  const whole = { ...expected, trainingSessions: [online, room] };
  expect(await exportContent(database.db)).toEqual(whole);

  const at = { today: '2025-09-08', now: new Date('2025-09-08T00:00:00Z') };
  const edited = { ...whole, courses: whole.courses.map((one) => ({ ...one, hours: 31 })) };
  const result = await importContent(database.db, edited, at, () => true);
  expect(result).toMatchObject({ ok: true, plan: { added: [], retired: [], conflicts: [], kept: [] } });
  expect(await exportContent(database.db)).toEqual(edited);
});

test('P48: an entry from before addresses were confirmed goes on as confirmed; a later one is not confirmed', async () => {
  const { db } = database;
  await sql`drop schema public cascade; create schema public`.execute(db);
  await migrateBetween(db, 1, 27);
  const join = (reference: string) =>
    db.connection().execute(async (one) => {
      // Without the course that it refers to.
      await sql`set session_replication_role = replica`.execute(one);
      await sql`insert into waiting_entries (reference, course_id, seats, name, email, mailbox, joined_at)
        values (${reference}, 1, 2, 'Mary', ${reference}, ${reference}, '2025-09-01T00:00:00Z')`.execute(one);
      await sql`set session_replication_role = default`.execute(one);
    });
  await join('BB-222222');
  await migrateBetween(db, 28, 34);
  await join('BB-333333');
  const { rows } = await sql`select reference, confirmed_at is not null as confirmed from waiting_entries
    order by reference`.execute(db);
  expect(rows).toEqual([
    { reference: 'BB-222222', confirmed: true },
    { reference: 'BB-333333', confirmed: false },
  ]);
});

test('0030: open choices about moved sessions end before they begin, and what staff confirmed themselves is held anyway', async () => {
  const academy = await createTestDatabase('academyTemplate', 'owner');
  const { db } = academy;
  try {
    const [moved, soon, cancelled] = [await makeSession(db), await makeSession(db), await makeSession(db)];
    for (const session of [moved, soon, cancelled]) await placeIn(db, session);
    await sql`
      drop trigger hold_extended on seat_holds;
      drop table session_notices;
      alter table training_sessions drop column room cascade, drop column street cascade, drop column joining_link,
        drop column held_anyway_at;
      create trigger snapshot_changed after insert on training_sessions
        for each statement execute function snapshot_part_changed('catalogue')`.execute(db);
    const choose = (id: number, by: string, why: DB['places']['choose_why']) =>
      db.updateTable('places').set({ choose_by: by, choose_why: why }).where('training_session_id', '=', id).execute();
    await choose(moved.id, '2025-11-13', 'session-moved');
    await choose(soon.id, '2025-10-20', 'session-moved');
    await choose(cancelled.id, '2025-11-13', 'session-cancelled');
    await sql`insert into audit_entries (at, action, subject, details)
      select '2025-09-09T00:00:00Z', 'confirm-session', 'training-session:' || slug, '{}'
      from training_sessions where id = ${moved.id}`.execute(db);

    await migrateBetween(db, 30, 30);
    const rows = await db
      .selectFrom('places')
      .innerJoin('training_sessions', 'training_sessions.id', 'training_session_id')
      .select(['training_session_id as id', 'choose_by', 'held_anyway_at', 'room', 'joining_link'])
      .where('training_session_id', 'in', [moved.id, soon.id, cancelled.id])
      .orderBy('training_session_id')
      .execute();
    const unset = { held_anyway_at: null, room: null, joining_link: null };
    expect(rows).toEqual([
      { ...unset, id: moved.id, choose_by: '2025-11-02', held_anyway_at: new Date('2025-09-09T00:00:00Z') },
      { ...unset, id: soon.id, choose_by: '2025-10-20' },
      { ...unset, id: cancelled.id, choose_by: '2025-11-13' },
    ]);
  } finally {
    await academy.drop();
  }
});
