import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Edit } from '#app/features/content/drafts.server.ts';
import { publishEdit, saveRecordDraft } from '#app/features/content/edit.server.ts';
import { exportContent } from '#app/features/content/export.server.ts';
import { fillDatabase } from '#app/features/content/fill.server.ts';
import { publishScheduled } from '#app/features/content/scheduled.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import { editOf, publishChange, standingIn } from '#tests/support/content-edits.ts';
import { momentAt } from '#tests/support/enrolments.ts';
import { sampleContent, sampleCourse, samplePage } from '#tests/support/sample-content.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { anOwner, makeStaff } from '#tests/support/staff.ts';

let database: SharedDatabase;
let editor: { person: number };
beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty();
  const staff = await makeStaff(database.db, { email: 'ada@example.com', name: 'Ada Byron' }, at.now);
  editor = { person: staff.id };
});

const at = momentAt('2025-09-08T10:00');
const content = sampleContent([sampleCourse('a')]);
const put = (parts: Partial<Content>) => fillDatabase(database.db, { ...content, ...parts }, at);
const bodyOf = (word: string) => `## Terms\n\n${`${word} `.repeat(60).trim()}`;
const [one, two, three] = [bodyOf('one'), bodyOf('two'), bodyOf('three')];
const withTerms = (parts: Partial<Content['pages'][number]>) => ({
  pages: content.pages.map((page) => (page.slug === 'terms' ? samplePage('terms', parts) : page)),
});
const first = { inForceFrom: '2025-06-01', body: one };
const second = { inForceFrom: '2025-09-01', body: two, earlier: [first] };
const terms = async () => (await exportContent(database.db))?.pages.find(({ slug }) => slug === 'terms');
const openTerms = () => standingIn(database.db, 'page', 'terms');

const publish = (edit: Edit) =>
  database.db.transaction().execute((trx) => publishEdit(trx, edit, { editor, at, can: anOwner.can }));
const save = (edit: Edit, publishAt?: Date) =>
  database.db.transaction().execute((trx) => saveRecordDraft(trx, edit, { editor, now: at.now, publishAt }));
const runJob = () => publishScheduled(database.db, momentAt('2025-09-10T12:00'), async () => true);
const tomorrow = new Date('2025-09-09T00:00:00Z');

/** Somebody else publishes the second text of the terms. */
const publishSecond = () => publishChange(database.db, { kind: 'page', key: 'terms', to: second }, at);

test('P28: a scheduled title of the terms leaves the earlier texts that somebody published meanwhile', async () => {
  await put(withTerms(first));
  await save(editOf(await openTerms(), { title: 'Terms of sale' }), tomorrow);
  await publishSecond();
  expect(await runJob()).toBe(1);
  expect(await terms()).toMatchObject({ title: 'Terms of sale', ...second });
});

test('P28, P71: who keeps their own text over a published one keeps that one and those before it', async () => {
  await put(withTerms(first));
  await save(editOf(await openTerms(), { body: three, inForceFrom: '2025-10-01' }));
  await publishSecond();
  const edit = editOf(await openTerms(), {});
  const both = await publish(edit);
  if (both.ok || both.reason !== 'both-changed') throw new Error('nothing was in conflict');
  expect(both.fields.toSorted()).toEqual(['body', 'inForceFrom']);
  const { base, onto, theirs, before } = both;
  const sides = { body: 'mine', inForceFrom: 'mine' } as const;
  const chosen = { theirs: theirs.number, before: before?.number ?? 0, sides };
  expect(await publish({ ...edit, base, onto, chosen })).toMatchObject({ ok: true });
  expect(await terms()).toMatchObject({
    body: three,
    earlier: [{ inForceFrom: '2025-09-01', body: two }, first],
  });
});

test.each(['2025-12-01', '2020-01-01'])(
  'P28: the terms of 1 June 2025 are not put under %s without another text',
  async (inForceFrom) => {
    await put(withTerms(first));
    expect(await publish(editOf(await openTerms(), { inForceFrom }))).toMatchObject({
      ok: false,
      reason: 'faults',
      examined: {
        faults: [{ path: ['inForceFrom'], message: 'must stay Sunday 1 June 2025 as long as the text is the same' }],
      },
    });
    expect(await terms()).toMatchObject(first);
    expect(await publish(editOf(await openTerms(), { title: 'Terms of sale' }))).toMatchObject({ ok: true });
  },
);

test('P28: a text is in force from the day on which it is published at the earliest', async () => {
  await put(withTerms(first));
  const back = { body: two, inForceFrom: '2025-09-07' };
  const message = 'must be Monday 8 September 2025 or later: before it is published nobody can read this text';
  expect(await publish(editOf(await openTerms(), back))).toMatchObject({
    examined: { faults: [{ path: ['inForceFrom'], message }] },
  });
  // Nor is it scheduled for a later day than it names.
  expect(await save(editOf(await openTerms(), { ...back, inForceFrom: '2025-09-08' }), tomorrow)).toMatchObject({
    reason: 'faults',
  });
  expect(await save(editOf(await openTerms(), { ...back, inForceFrom: '2025-09-09' }), tomorrow)).toMatchObject({
    ok: true,
  });
  // After an outage of a day it is a draft again, and its editor gets a mail.
  expect(await runJob()).toBe(0);
  expect(await terms()).toMatchObject(first);
  const mails = await database.db.selectFrom('mails').select(['kind', 'body_text']).execute();
  expect(mails).toMatchObject([{ kind: 'content-not-published' }]);
  expect(mails[0]?.body_text).toContain('must be Wednesday 10 September 2025 or later');
  const now = { body: two, inForceFrom: at.today };
  expect(await publish(editOf(await openTerms(), now))).toMatchObject({ ok: true });
  expect(await terms()).toMatchObject({ ...now, earlier: [first] });
});
