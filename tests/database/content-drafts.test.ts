import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  liftDraft,
  newestOf,
  publishedBaseOf,
  readStanding,
  type Standing,
} from '#app/features/content/drafts.server.ts';
import { type Edit, publishEdit, saveDraft } from '#app/features/content/edit.server.ts';
import { exportContent } from '#app/features/content/export-content.server.ts';
import { importContent } from '#app/features/content/import-content.server.ts';
import { findRecord, readDrafts } from '#app/features/content/queries.server.ts';
import type { RecordValue } from '#app/features/content/records.ts';
import { retireRecord } from '#app/features/content/retire-record.server.ts';
import { publishScheduled } from '#app/features/content/scheduled.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import { takeContent } from '#app/features/content/write-plan.server.ts';
import { until } from '#scripts/support/until.ts';
import { momentAt } from '#tests/support/enrolments.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';

let database: SharedDatabase;
let editor: { person: number };
beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty();
  const person = { name: 'Ada Byron', email: 'ada@example.com', email_verified: true };
  const { id } = await database.db
    .insertInto('people')
    .values({ ...person, created_at: at.now, updated_at: at.now })
    .returning('id')
    .executeTakeFirstOrThrow();
  editor = { person: id };
});

const at = { today: '2025-09-08', now: new Date('2025-09-08T00:00:00Z') };
const put = (content: Content) => importContent(database.db, content, at, () => true);
const [a, b] = [sampleCourse('a'), sampleCourse('b')];

async function standingOf(kind: string, key: string): Promise<Standing> {
  const record = await findRecord(database.db, kind, key);
  const standing = record && (await readStanding(database.db, record.id));
  if (!standing) throw new Error(`there is no ${kind} ${key}`);
  return standing;
}
/** What the form of a record sends after some fields were typed. */
const editOf = (standing: Standing, typed: RecordValue): Edit => ({
  id: standing.record.id,
  base: newestOf(standing)?.number ?? 0,
  onto: publishedBaseOf(newestOf(standing)),
  typed: { ...newestOf(standing)?.value, ...typed },
  note: null,
});
const save = (edit: Edit) => database.db.transaction().execute((trx) => saveDraft(trx, edit, { editor, now: at.now }));
const publish = (edit: Edit) => database.db.transaction().execute((trx) => publishEdit(trx, edit, { editor, at }));
const course = async (slug: string) => (await exportContent(database.db))?.courses.find((one) => one.slug === slug);

test('P75: an export has what is published and not the drafts, which are listed', async () => {
  await put(sampleContent([a, b]));
  expect(await save(editOf(await standingOf('course', 'a'), { title: 'A anew' }))).toMatchObject({ ok: true });
  expect(await course('a')).toEqual(a);
  expect(await readDrafts(database.db)).toEqual([{ kind: 'course', key: 'a', publishAt: null }]);
});

test('P75: a draft over a record that an import changes stays, and is merged when it is published', async () => {
  await put(sampleContent([a, b]));
  await save(editOf(await standingOf('course', 'a'), { title: 'A anew' }));
  expect(await put(sampleContent([{ ...a, hours: 31 }, b]))).toMatchObject({ ok: true });
  const standing = await standingOf('course', 'a');
  expect(standing.draft?.value).toMatchObject({ title: 'A anew', hours: 30 });
  expect(await publish(editOf(standing, {}))).toMatchObject({ ok: true });
  expect(await course('a')).toMatchObject({ title: 'A anew', hours: 31 });
  expect((await standingOf('course', 'a')).draft).toBeUndefined();
});

test.each([
  ['mine', 32],
  ['theirs', 31],
  ['before', 30],
] as const)(
  'P71: what an import and a draft both changed is shown with all three; %s is taken',
  async (side, hours) => {
    await put(sampleContent([a, b]));
    await save(editOf(await standingOf('course', 'a'), { title: 'A anew', hours: 32 }));
    await put(sampleContent([{ ...a, hours: 31 }, b]));
    const edit = editOf(await standingOf('course', 'a'), {});
    expect(await publish(edit)).toMatchObject({
      ok: false,
      reason: 'both-changed',
      fields: ['hours'],
      value: { title: 'A anew', hours: 32 },
      theirs: { number: 3, value: { hours: 31 } },
      before: { number: 1, value: { hours: 30 } },
      base: 2,
      onto: 3,
    });
    expect(await course('a')).toMatchObject({ title: a.title, hours: 31 });
    const chosen = { ...edit, onto: 3, chosen: { theirs: 3, before: 1, sides: { hours: side } } };
    expect(await publish(chosen)).toMatchObject({ ok: true });
    expect(await course('a')).toMatchObject({ title: 'A anew', hours });
  },
);

const waitingForLocks = async () => {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(database.owner);
  return rows[0]?.count ?? 0;
};
const retire = async (slug: string) => {
  const { record, current } = await standingOf('course', slug);
  const wish = { id: record.id, base: current?.number ?? 0, note: null };
  return database.db.transaction().execute((trx) => retireRecord(trx, wish, { editor, at }));
};
const schedule = (edit: Edit, publishAt: Date) =>
  database.db.transaction().execute((trx) => saveDraft(trx, edit, { editor, now: at.now, publishAt }));

test('P73: who publishes a record by hand while the job is about to does not wait for it in vain, nor it for them', async () => {
  await put(sampleContent([a, b]));
  await schedule(editOf(await standingOf('course', 'b'), { title: 'B anew' }), new Date('2025-09-09T00:00:00Z'));
  const { record } = await standingOf('course', 'b');
  let job: Promise<number> = Promise.resolve(0);
  await database.db.transaction().execute(async (trx) => {
    await takeContent(trx);
    job = publishScheduled(database.db, momentAt('2025-09-09T10:00'), async () => true);
    await until(async () => (await waitingForLocks()) > 0);
    // What publishing does to the draft.
    await liftDraft(trx, record.id);
  });
  expect(await job).toBe(0);
  expect(await database.db.selectFrom('job_faults').selectAll().execute()).toEqual([]);
});

test('P73: a text that was scheduled before its course was retired is a draft again, and brings nothing back', async () => {
  await put(sampleContent([a, b]));
  const due = new Date('2025-09-09T00:00:00Z');
  await schedule(editOf(await standingOf('course', 'b'), { title: 'B anew' }), due);
  expect(await retire('b')).toMatchObject({ ok: true });
  expect((await standingOf('course', 'b')).draft).toMatchObject({
    state: 'draft',
    publishAt: null,
    value: { title: 'B anew' },
    author: editor,
  });
  expect(await publishScheduled(database.db, momentAt('2025-09-09T10:00'), async () => true)).toBe(0);
  expect(await course('b')).toBeUndefined();
});

test('P73: nor does one whose course the files retired; its editor gets a mail that says so', async () => {
  await put(sampleContent([a, b]));
  const due = new Date('2025-09-09T00:00:00Z');
  await schedule(editOf(await standingOf('course', 'b'), { title: 'B anew' }), due);
  expect(await put(sampleContent([a]))).toMatchObject({ ok: true });
  expect(await publishScheduled(database.db, momentAt('2025-09-09T10:00'), async () => true)).toBe(0);
  expect(await course('b')).toBeUndefined();
  const { body_text } = await database.db
    .selectFrom('mails')
    .select('body_text')
    .where('kind', '=', 'content-not-published')
    .executeTakeFirstOrThrow();
  expect(body_text).toContain('It was retired after this text was scheduled');
  expect(body_text).not.toContain('visitors still see');
});

test('P71: what was retired while somebody typed comes back only when they have read that it was', async () => {
  await put(sampleContent([a, b]));
  const typed = editOf(await standingOf('course', 'b'), { title: 'B anew' });
  await retire('b');
  const retired = { ok: false, reason: 'retired', number: 2 };
  expect(await publish(typed)).toEqual(retired);
  expect(await schedule(typed, new Date('2025-09-09T00:00:00Z'))).toEqual(retired);
  expect(await course('b')).toBeUndefined();
  // A draft brings nothing back.
  expect(await save(typed)).toMatchObject({ ok: true });
  expect(await publish({ ...editOf(await standingOf('course', 'b'), {}), retired: 2 })).toMatchObject({ ok: true });
  expect(await course('b')).toMatchObject({ title: 'B anew' });
});

test('P76: neither a form nor a draft changes the price of a course that is for sale', async () => {
  await put(sampleContent([a, b]));
  await save(editOf(await standingOf('course', 'a'), { title: 'A anew', price: 1 }));
  await database.db.updateTable('courses').set({ price_cents: 170_000 }).where('slug', '=', 'a').execute();
  expect(await publish(editOf(await standingOf('course', 'a'), { price: 2 }))).toMatchObject({ ok: true });
  expect(await course('a')).toMatchObject({ title: 'A anew', price: 1700 });
});

test('P74: a record that comes to another place in its list moves the others', async () => {
  const names = async () => (await exportContent(database.db))?.categories.map(({ slug }) => slug);
  const content = sampleContent([a]);
  const more = ['x', 'y', 'z'].map((slug) => ({
    slug,
    name: slug.toUpperCase(),
    icon: content.tracks[0]?.icon ?? 'shield',
  }));
  await put({ ...content, categories: [...content.categories, ...more] });
  const before = (await names()) ?? [];
  expect(await publish(editOf(await standingOf('category', 'z'), { at: 0 }))).toMatchObject({ ok: true });
  expect(await names()).toEqual(['z', ...before.filter((slug) => slug !== 'z')]);
  expect(await publish(editOf(await standingOf('category', 'z'), { at: 99 }))).toMatchObject({ ok: true });
  expect(await names()).toEqual(before);
});
