import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Edit, makeRecord } from '#app/features/content/drafts.server.ts';
import { publishEdit, saveRecordDraft } from '#app/features/content/edit.server.ts';
import { exportContent } from '#app/features/content/export.server.ts';
import { fillDatabase } from '#app/features/content/fill.server.ts';
import { revertTo } from '#app/features/content/publish.server.ts';
import { publishScheduled } from '#app/features/content/scheduled.server.ts';
import { permissionsOf } from '#app/features/people/permissions.ts';
import { hasPermissionNow } from '#app/features/people/queries.server.ts';
import { editOf, standingIn } from '#tests/support/content-edits.ts';
import { momentAt } from '#tests/support/enrolments.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { makeStaff } from '#tests/support/staff.ts';

let database: SharedDatabase;
let [editor, owner] = [{ person: 0 }, { person: 0 }];
const at = momentAt('2025-09-08T10:00');
const [editorCan, ownerCan] = [permissionsOf(['editor']), permissionsOf(['owner'])];
beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty();
  const mara = { email: 'mara@example.com', name: 'Mara Whitlock', role: 'editor' as const };
  editor = { person: (await makeStaff(database.db, mara, at.now)).id };
  owner = { person: (await makeStaff(database.db, { email: 'ada@example.com', name: 'Ada Byron' }, at.now)).id };
  await fillDatabase(database.db, sampleContent([sampleCourse('a'), sampleCourse('b')]), at);
});

const settings = () => standingIn(database.db, 'site', 'site');
const bank = { accountName: 'Somebody else', bsb: '064-000', accountNumber: '12345678' };
const publish = (edit: Edit, who: { person: number }, can: typeof ownerCan) =>
  database.db.transaction().execute((trx) => publishEdit(trx, edit, { editor: who, at, can }));
const account = async () => (await exportContent(database.db))?.site.bank.accountName;
const refusedFor = (field: string) => ({
  ok: false,
  reason: 'faults',
  examined: { faults: [{ path: [field], message: expect.stringContaining('by an owner') }] },
});

test('P68: an editor drafts another bank account, and only an owner publishes it', async () => {
  const before = await account();
  const edit = editOf(await settings(), { bank });
  expect(await publish(edit, editor, editorCan)).toMatchObject(refusedFor('bank'));
  const saved = await database.db
    .transaction()
    .execute((trx) => saveRecordDraft(trx, edit, { editor, now: at.now, can: editorCan }));
  expect(saved).toMatchObject({ ok: true });
  // Publishing another field does not take the draft's account along.
  expect(await publish(editOf(await settings(), { copyrightYear: 2031 }), editor, editorCan)).toMatchObject(
    refusedFor('bank'),
  );
  expect(await account()).toBe(before);
  expect(await publish(editOf(await settings(), {}), owner, ownerCan)).toMatchObject({ ok: true });
  expect(await account()).toBe('Somebody else');

  const back = { id: edit.id, number: 1, author: editor, note: null };
  const reverted = (can: typeof ownerCan) => database.db.transaction().execute((trx) => revertTo(trx, back, at, can));
  expect(await reverted(editorCan)).toMatchObject({ ok: false, reason: 'unsound' });
  expect(await reverted(ownerCan)).toMatchObject({ ok: true });
  expect(await account()).toBe(before);
});

test('P68: an editor publishes other settings', async () => {
  const edit = editOf(await settings(), { copyrightYear: 2031 });
  expect(await publish(edit, editor, editorCan)).toMatchObject({ ok: true });
  expect(await told()).toEqual([]);
});

const told = async () => {
  const mails = database.db
    .selectFrom('mails')
    .select(['recipient', 'body_text'])
    .where('kind', '=', 'settings-changed');
  return (await mails.orderBy('recipient').execute()).map(({ recipient }) => recipient);
};

test('P68: only owners publish names and addresses of the academy, and all owners and the old address are told', async () => {
  const before = (await exportContent(database.db))?.site.email ?? '';
  const others = {
    email: 'mallory@evil.example',
    phone: '07 5550 0199',
    name: 'Evil Academy',
    address: { street: '1 A', city: 'B', state: 'C', postcode: '4000' },
    social: { x: 'https://evil.example/' },
  };
  for (const [field, value] of Object.entries(others)) {
    const edit = editOf(await settings(), { [field]: value });
    expect(await publish(edit, editor, editorCan)).toMatchObject(refusedFor(field));
  }
  expect(await publish(editOf(await settings(), { email: others.email }), owner, ownerCan)).toMatchObject({ ok: true });
  expect(await told()).toEqual(['ada@example.com', before, 'mara@example.com'].toSorted());
});

test('P76: the first price of a course is for an owner to publish', async () => {
  await database.db.transaction().execute((trx) => makeRecord(trx, 'course', 'c'));
  const edit = editOf(await standingIn(database.db, 'course', 'c'), { ...sampleCourse('c'), price: 1 });
  expect(await publish(edit, editor, editorCan)).toMatchObject(refusedFor('price'));
  expect(await publish(edit, owner, ownerCan)).toMatchObject({ ok: true });
});

test('P73: an editor schedules no other bank account, nor does one whose role ended since publish it', async () => {
  const publishAt = new Date('2025-09-09T00:00:00Z');
  const schedule = async (who: { person: number }, can: typeof ownerCan) => {
    const edit = editOf(await settings(), { bank });
    return database.db
      .transaction()
      .execute((trx) => saveRecordDraft(trx, edit, { editor: who, now: at.now, publishAt, can }));
  };
  expect(await schedule(editor, editorCan)).toMatchObject(refusedFor('bank'));
  expect(await schedule(owner, ownerCan)).toMatchObject({ ok: true });
  await database.db.updateTable('staff_roles').set({ role: 'editor' }).where('person_id', '=', owner.person).execute();
  const before = await account();
  expect(await publishScheduled(database.db, momentAt('2025-09-09T10:30'), hasPermissionNow)).toBe(0);
  expect(await account()).toBe(before);
});
