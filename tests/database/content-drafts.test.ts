import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { type Edit, liftDraft, makeRecord, type Standing } from '#app/features/content/drafts.server.ts';
import {
  draftFromRevision,
  publishEdit,
  retireRecord,
  saveRecordDraft,
  throwDraftAway,
} from '#app/features/content/edit.server.ts';
import { exportContent, readDrafts } from '#app/features/content/export.server.ts';
import { fillDatabase } from '#app/features/content/fill.server.ts';
import { revertTo } from '#app/features/content/publish.server.ts';
import type { RecordKind, RecordValue } from '#app/features/content/records.ts';
import { lockContent } from '#app/features/content/revisions.server.ts';
import { publishScheduled } from '#app/features/content/scheduled.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import { until } from '#scripts/support/until.ts';
import { type Change, editOf, publishChange, standingIn } from '#tests/support/content-edits.ts';
import { momentAt } from '#tests/support/enrolments.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { anOwner, staffActor } from '#tests/support/staff.ts';

let database: SharedDatabase;
let editor: { person: number };
beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty();
  const person = { name: 'Ada Byron', email: 'ada@example.com' };
  const { id } = await database.db
    .insertInto('people')
    .values({ ...person, created_at: at.now })
    .returning('id')
    .executeTakeFirstOrThrow();
  editor = { person: id };
});

const at = momentAt('2025-09-08T10:00');
const put = (content: Content) => fillDatabase(database.db, content, at);
/** What somebody else publishes meanwhile. */
const change = (key: string, to: Change['to'], kind: Change['kind'] = 'course') =>
  publishChange(database.db, { kind, key, to }, at);
const [a, b] = [sampleCourse('a'), sampleCourse('b')];

const standingOf = (kind: string, key: string) => standingIn(database.db, kind, key);
const save = (edit: Edit) =>
  database.db.transaction().execute((trx) => saveRecordDraft(trx, edit, { editor, now: at.now }));
const publish = (edit: Edit) =>
  database.db.transaction().execute((trx) => publishEdit(trx, edit, { editor, at, can: anOwner.can }));
const course = async (slug: string) => (await exportContent(database.db))?.courses.find((one) => one.slug === slug);

test('P95: an export has the published content and no drafts, which are listed', async () => {
  await put(sampleContent([a, b]));
  expect(await save(editOf(await standingOf('course', 'a'), { title: 'A anew' }))).toMatchObject({ ok: true });
  expect(await course('a')).toEqual(a);
  expect(await readDrafts(database.db)).toEqual([{ kind: 'course', key: 'a', publishAt: null }]);
});

test('P71: a draft over a record that somebody else changes stays, and is merged when it is published', async () => {
  await put(sampleContent([a, b]));
  await save(editOf(await standingOf('course', 'a'), { title: 'A anew' }));
  expect(await change('a', { hours: 31 })).toMatchObject({ ok: true });
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
  'P71: what somebody else and a draft both changed is shown with all three; %s is taken',
  async (side, hours) => {
    await put(sampleContent([a, b]));
    await save(editOf(await standingOf('course', 'a'), { title: 'A anew', hours: 32 }));
    await change('a', { hours: 31 });
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

test('P70: a claim that a page asks for cannot be retired, by a form or otherwise', async () => {
  await put(sampleContent([a, b]));
  const { record, current } = await standingOf('claim', 'trainee-goal');
  const wish = { id: record.id, base: current?.number ?? 0, note: null };
  const retired = await database.db.transaction().execute((trx) => retireRecord(trx, wish, { editor, at }));
  expect(retired).toEqual({ ok: false, reason: 'needed' });
  expect(await change('trainee-goal', null, 'claim')).toEqual({
    ok: false,
    reason: 'unsound',
    faults: ['claims : the site needs the claim "trainee-goal"'],
  });
});

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
  database.db.transaction().execute((trx) => saveRecordDraft(trx, edit, { editor, now: at.now, publishAt }));

test('P73: the job skips a text that somebody publishes by hand at that moment, and records no fault', async () => {
  await put(sampleContent([a, b]));
  await schedule(editOf(await standingOf('course', 'b'), { title: 'B anew' }), new Date('2025-09-09T00:00:00Z'));
  const { record } = await standingOf('course', 'b');
  let job: Promise<number> = Promise.resolve(0);
  await database.db.transaction().execute(async (trx) => {
    await lockContent(trx);
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

test('P73: a scheduled text whose course was retired since is not published; its editor gets a mail that says so', async () => {
  await put(sampleContent([a, b]));
  const due = new Date('2025-09-09T00:00:00Z');
  await schedule(editOf(await standingOf('course', 'b'), { title: 'B anew' }), due);
  expect(await change('b', null)).toMatchObject({ ok: true });
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

test('P71: a record retired while somebody typed comes back only after they read that it was', async () => {
  await put(sampleContent([a, b]));
  const typed = editOf(await standingOf('course', 'b'), { title: 'B anew' });
  await retire('b');
  const retired = { ok: false, reason: 'retired', number: 2 };
  expect(await publish(typed)).toEqual(retired);
  expect(await schedule(typed, new Date('2025-09-09T00:00:00Z'))).toEqual(retired);
  expect(await course('b')).toBeUndefined();
  // Kept unread, the next press of Publish would bring it back.
  expect(await save(typed)).toEqual(retired);
  expect(await save({ ...typed, retired: 2 })).toMatchObject({ ok: true });
  expect(await publish({ ...editOf(await standingOf('course', 'b'), {}), retired: 2 })).toMatchObject({ ok: true });
  expect(await course('b')).toMatchObject({ title: 'B anew' });
});

test('P76: neither a form nor a draft changes the price of a course that is for sale', async () => {
  await put(sampleContent([a, b]));
  await save(editOf(await standingOf('course', 'a'), { title: 'A anew', price: 1 }));
  await change('a', { price: 1700 });
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

/** A draft of a new record, as its first save makes it. */
async function draftNew(kind: RecordKind, key: string, value: RecordValue): Promise<Standing> {
  await database.db.transaction().execute(async (trx) => {
    const record = await makeRecord(trx, kind, key);
    if (!record) throw new Error(`${kind} ${key} is taken`);
    const edit = { id: record.id, base: 0, onto: 0, typed: value, note: null };
    expect(await saveRecordDraft(trx, edit, { editor, now: at.now })).toMatchObject({ ok: true });
  });
  return standingOf(kind, key);
}
const nine = new Date('2025-09-08T23:00:00Z');
const job = (now = '2025-09-09T10:00') => publishScheduled(database.db, momentAt(now), async () => true);

test('P73: a scheduled text of a course that was renamed since is published under the new address', async () => {
  await put(sampleContent([a, b]));
  await schedule(editOf(await standingOf('course', 'b'), { title: 'B anew' }), nine);
  expect(await change('b', { slug: 'c' })).toMatchObject({ ok: true });
  expect(await job()).toBe(1);
  expect(await course('c')).toMatchObject({ title: 'B anew', aliases: ['b'] });
});

test('P3: a course does not take the address of a draft', async () => {
  await put(sampleContent([a, b]));
  await draftNew('course', 'c', { ...a, slug: 'c', title: 'C' });
  const renamed = await change('b', { slug: 'c' });
  const why = 'course b: cannot become c: a draft or a retired course has this address';
  expect(renamed).toEqual({ ok: false, reason: 'unsound', faults: [why] });
  expect(await course('b')).toEqual(b);
});

test('P70: a draft with the former address of a course is not published over it', async () => {
  await put(sampleContent([a, { ...b, slug: 'c', aliases: ['b'] }]));
  const draft = await draftNew('course', 'b', { ...a, slug: 'b', title: 'B once more' });
  expect(await publish(editOf(draft, {}))).toMatchObject({ ok: false, reason: 'faults' });
  await schedule(editOf(await standingOf('course', 'b'), {}), nine);
  expect(await job()).toBe(0);
  expect((await standingOf('course', 'b')).draft).toMatchObject({ state: 'draft', publishAt: null });
  expect(await database.db.selectFrom('job_faults').selectAll().execute()).toEqual([]);
});

test('P73: texts that are due together may name each other in any order', async () => {
  await put(sampleContent([a, b]));
  const fresh = await draftNew('course', 'c', { ...a, slug: 'c', title: 'C' });
  // The older record comes first, and names one that is not there yet.
  await schedule(editOf(await standingOf('course', 'a'), { needs: ['c'] }), nine);
  await schedule(editOf(fresh, {}), nine);
  expect(await job()).toBe(2);
  expect(await course('a')).toMatchObject({ needs: ['c'] });
  expect(await course('c')).toMatchObject({ title: 'C' });
  expect(await database.db.selectFrom('mails').select('kind').execute()).toEqual([]);
});

test('P73: two new courses that name each other go out together, and one with a fault of its own stays behind', async () => {
  await put(sampleContent([a, b]));
  const first = await draftNew('course', 'c', { ...a, slug: 'c', title: 'C', leadsTo: ['d'] });
  const second = await draftNew('course', 'd', { ...a, slug: 'd', title: 'D', needs: ['c'] });
  await schedule(editOf(first, {}), nine);
  await schedule(editOf(second, {}), nine);
  await schedule(editOf(await standingOf('course', 'a'), { leadsTo: ['nowhere'] }), nine);
  await schedule(editOf(await standingOf('course', 'b'), { title: 'B anew' }), nine);
  expect(await job()).toBe(3);
  expect(await course('b')).toMatchObject({ title: 'B anew' });
  expect(await course('c')).toMatchObject({ title: 'C', leadsTo: ['d'] });
  expect(await course('d')).toMatchObject({ title: 'D', needs: ['c'] });
  expect((await standingOf('course', 'c')).draft).toBeUndefined();
  expect((await standingOf('course', 'a')).draft).toMatchObject({ state: 'draft', publishAt: null });
  expect(await database.db.selectFrom('mails').select('kind').execute()).toEqual([{ kind: 'content-not-published' }]);
  const traced = database.db.selectFrom('audit_entries').select('id').where('action', '=', 'publish-scheduled');
  expect(await traced.execute()).toHaveLength(3);
});

test('P73: a text that names a record that never comes is refused with a mail, and the others are published', async () => {
  await put(sampleContent([a, b]));
  await schedule(editOf(await standingOf('course', 'a'), { needs: ['nowhere'] }), nine);
  await schedule(editOf(await standingOf('course', 'b'), { title: 'B anew' }), nine);
  expect(await job()).toBe(1);
  expect(await course('b')).toMatchObject({ title: 'B anew' });
  expect((await standingOf('course', 'a')).draft).toMatchObject({ state: 'draft', publishAt: null });
  expect(await database.db.selectFrom('mails').select('kind').execute()).toEqual([{ kind: 'content-not-published' }]);
});

test('P70: a text that names missing records comes back as a draft, and is not published', async () => {
  const c = sampleCourse('c');
  await put(sampleContent([a, { ...b, needs: ['c'] }, c]));
  await change('b', { needs: undefined });
  expect(await retire('c')).toMatchObject({ ok: true });
  const { record } = await standingOf('course', 'b');
  const back = { id: record.id, number: 1, author: editor, note: null };
  const reverted = await database.db.transaction().execute((trx) => revertTo(trx, back, at, anOwner.can));
  expect(reverted).toMatchObject({ ok: false, reason: 'unsound', faults: [expect.stringContaining('needs')] });
  const drafted = await database.db
    .transaction()
    .execute((trx) => draftFromRevision(trx, { id: record.id, number: 1 }, { editor, now: at.now }));
  expect(drafted).toMatchObject({ ok: true });
  expect(await course('b')).toEqual(b);
});

test('P73: a record that was reverted is not overwritten by a text that was scheduled before', async () => {
  await put(sampleContent([a, b]));
  await publish(editOf(await standingOf('course', 'b'), { title: 'B second' }));
  await schedule(editOf(await standingOf('course', 'b'), { title: 'B third' }), nine);
  const { record } = await standingOf('course', 'b');
  const back = { id: record.id, number: 1, author: editor, note: null };
  expect(await database.db.transaction().execute((trx) => revertTo(trx, back, at, anOwner.can))).toMatchObject({
    ok: true,
  });
  expect(await job()).toBe(0);
  expect(await course('b')).toMatchObject({ title: b.title });
  expect((await standingOf('course', 'b')).draft?.value).toMatchObject({ title: 'B third' });
});

test('P73: a record has one scheduled text: scheduling again changes it and its instant', async () => {
  await put(sampleContent([a, b]));
  await schedule(editOf(await standingOf('course', 'b'), { title: 'B first' }), nine);
  await schedule(editOf(await standingOf('course', 'b'), { title: 'B later' }), new Date('2025-09-10T23:00:00Z'));
  expect(await job()).toBe(0);
  expect(await course('b')).toMatchObject({ title: b.title });
  expect(await job('2025-09-11T10:00')).toBe(1);
  expect(await course('b')).toMatchObject({ title: 'B later' });
});

const both = { slug: 'both', title: 'Both', description: 'Two courses together.', courses: ['a', 'b'] };
const anEditor = staffActor({ id: 0, name: 'Ben Tran' }, 'editor').can;

test('P3: a course or combo that is renamed knows its former slug, and can have it back', async () => {
  await put({ ...sampleContent([a, b]), combos: [{ ...both, discountPercent: 20 }] });
  const rename = async (kind: string, from: string, to: string) => {
    expect(await publish(editOf(await standingOf(kind, from), { slug: to }))).toMatchObject({ ok: true });
    return (await standingOf(kind, to)).current?.value.aliases;
  };
  for (const [kind, slug] of [
    ['course', 'a'],
    ['combo', 'both'],
  ] as const) {
    expect(await rename(kind, slug, 'typo')).toEqual([slug]);
    expect(await rename(kind, 'typo', slug)).toEqual(['typo']);
    // Whoever adds another former slug contradicts nobody, and breaks no link.
    const more = editOf(await standingOf(kind, slug), { aliases: ['typo', 'other'] });
    expect(await publish(more)).toMatchObject({ ok: true });
    const { revisions } = await standingOf(kind, slug);
    // The combo follows each new name of its course.
    const followed = kind === 'combo' ? [editor, editor] : [];
    expect(revisions.map(({ author }) => author)).toEqual(['files', ...followed, editor, editor, editor]);
  }
  expect(await course('a')).toMatchObject({ slug: 'a', aliases: ['typo', 'other'] });
});

test('P68: a combo that an owner retired is brought back by nobody who may not set its discount', async () => {
  await put({ ...sampleContent([a, b]), combos: [{ ...both, discountPercent: 20 }] });
  await change('both', null, 'combo');
  const back = { ...editOf(await standingOf('combo', 'both'), {}), retired: 2 };
  const needsOwner = {
    ok: false,
    reason: 'faults',
    examined: { faults: [{ path: ['courses'] }, { path: ['discountPercent'] }] },
  };
  const { db } = database;
  const write = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
  expect(await write((trx) => publishEdit(trx, back, { editor, at, can: anEditor }))).toMatchObject(needsOwner);
  const out = { editor, now: at.now, publishAt: nine, can: anEditor };
  expect(await write((trx) => saveRecordDraft(trx, back, out))).toMatchObject(needsOwner);
  expect((await exportContent(db))?.combos).toEqual([]);
  expect(await publish(back)).toMatchObject({ ok: true });
});

test('P71: a typed position counts, also where a neighbour moved since', async () => {
  const content = sampleContent([a]);
  const icon = content.tracks[0]?.icon ?? 'shield';
  const more = ['x', 'y', 'z'].map((slug) => ({ slug, name: slug.toUpperCase(), icon }));
  await put({ ...content, categories: [...content.categories, ...more] });
  const opened = editOf(await standingOf('category', 'y'), { at: 0 });
  expect(await publish(editOf(await standingOf('category', 'z'), { at: 1 }))).toMatchObject({ ok: true });
  expect(await publish(opened)).toMatchObject({ ok: true });
  expect((await exportContent(database.db))?.categories[0]).toMatchObject({ slug: 'y' });
});

test('P70: a new record whose draft is thrown away gives its name back; another draft than the one shown stays', async () => {
  const { db } = database;
  await put(sampleContent([a, b]));
  const draft = await draftNew('course', 'c', { ...a, slug: 'c', title: 'C' });
  const throwAway = (base: number) =>
    db.transaction().execute((trx) => throwDraftAway(trx, { id: draft.record.id, base }));
  await save(editOf(draft, { title: 'C anew' }));
  expect(await throwAway(1)).toEqual({ ok: false, reason: 'other-draft' });
  expect(await throwAway(2)).toMatchObject({ ok: true });
  expect(await throwAway(2)).toEqual({ ok: false, reason: 'no-draft' });
  const again = await draftNew('course', 'c', { ...a, slug: 'c', title: 'C once more' });
  expect(again.record.id).not.toBe(draft.record.id);
  // A draft whose address was emptied keeps the one that it had.
  expect(await save(editOf(again, { slug: '' }))).toMatchObject({ ok: true });
  expect((await standingOf('course', 'c')).record.id).toBe(again.record.id);
});

test('P47: a new course has no original price, whatever the form sends', async () => {
  await put(sampleContent([a, b]));
  const draft = await draftNew('course', 'c', { ...a, slug: 'c', title: 'C' });
  const { published: _, learners: __, ...value } = a;
  const edit = editOf(draft, { ...value, slug: 'c', title: 'C', price: 1500, originalPrice: 2900 });
  expect(await publish(edit)).toMatchObject({ ok: true });
  expect((await course('c'))?.originalPrice).toBeUndefined();
});
