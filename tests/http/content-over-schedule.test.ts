import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStanding } from '#app/features/content/drafts.server.ts';
import { exportContent } from '#app/features/content/export.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { standingIn } from '#tests/support/content-edits.ts';
import { sentForm } from '#tests/support/sent-form.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
let editor: SignedIn;
let other: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  editor = await signInStaff(academy, 'mara@example.com', 'Mara Whitlock', { role: 'editor' });
  other = await signInStaff(academy, 'jonas@example.com', 'Jonas Weir', { role: 'editor' });
});
afterAll(() => academy.close());

const fieldsAt = async (by: SignedIn, page: string) => sentForm(await (await by.get(page)).text(), 'content-form');
const courseOf = async (slug: string) =>
  (await exportContent(academy.database.db))?.courses.find((one) => one.slug === slug);

/** A course over which Jonas scheduled other hours for January. */
async function scheduledOver(slug: string) {
  const { record } = await standingIn(academy.database.db, 'course', slug);
  const page = `/staff/content/course/${record.id}`;
  const typed = { ...(await fieldsAt(other, page)), 'v.hours': '77', day: '2026-01-05', time: '09:00' };
  expect((await other.post(page, { ...typed, act: 'schedule' })).status).toBe(303);
  return { page, draft: async () => (await readStanding(academy.database.db, record.id))?.draft };
}

test('P73: nothing is published over a scheduled text until somebody says whether it goes out as well', async () => {
  const { page, draft } = await scheduledOver('cissp');
  const before = await courseOf('cissp');
  const typed = { ...(await fieldsAt(editor, page)), 'v.learners': '4321' };
  const refused = await editor.post(page, { ...typed, act: 'publish' });
  expect(refused.status).toBe(409);
  const html = await refused.text();
  expect(html).toContain('A text is scheduled for Monday 5 January 2026, 9:00 AM in Brisbane.');
  expect(html).toContain('Publish all of it now, not on 5 January');
  expect(sentForm(html, 'content-form')).toMatchObject({ 'v.learners': '4321', 'v.hours': '77' });
  expect(await courseOf('cissp')).toEqual(before);
  expect(await draft()).toMatchObject({ state: 'scheduled', value: { hours: 77 } });
});

test('P73: text typed over a scheduled text is published alone, and the scheduled text keeps its day', async () => {
  const { page, draft } = await scheduledOver('cism');
  const { hours } = (await courseOf('cism')) ?? {};
  const scheduled = await draft();
  const typed = { ...(await fieldsAt(editor, page)), 'v.learners': '4321', 'v.slug': 'cism-anew' };
  expect((await editor.post(page, { ...typed, act: 'publish-beside' })).status).toBe(303);
  expect(await courseOf('cism-anew')).toMatchObject({ hours, learners: 4321, aliases: ['cism'] });
  const { author, publishAt } = scheduled ?? {};
  const value = { hours: 77, learners: 4321, slug: 'cism-anew', aliases: ['cism'] };
  expect(await draft()).toMatchObject({ state: 'scheduled', author, publishAt, value });

  // What the scheduled text changes as well cannot go out without it.
  const same = { ...(await fieldsAt(editor, page)), 'v.hours': '78' };
  const refused = await editor.post(page, { ...same, act: 'publish-beside' });
  expect([refused.status, (await refused.text()).includes('The scheduled text changes “Hours” too')]).toEqual([
    409,
    true,
  ]);
  expect(await courseOf('cism-anew')).toMatchObject({ hours });

  // Nor does a page that is too old to know that the schedule ended publish a draft.
  const old = { ...(await fieldsAt(editor, page)), 'v.learners': '4322' };
  expect((await other.post(page, { ...(await fieldsAt(other, page)), act: 'call-off' })).status).toBe(303);
  expect((await editor.post(page, { ...old, act: 'publish-beside' })).status).toBe(409);
  expect(await courseOf('cism-anew')).toMatchObject({ hours, learners: 4321 });
});

test('P73: a scheduled text that somebody else publishes early goes out whole, and who scheduled it gets a mail', async () => {
  const { page, draft } = await scheduledOver('cisa');
  const mails = () =>
    academy.database.db
      .selectFrom('mails')
      .select(['recipient', 'body_text'])
      .where('kind', '=', 'content-published-early')
      .execute();
  const typed = { ...(await fieldsAt(editor, page)), 'v.learners': '4321' };
  expect((await editor.post(page, { ...typed, act: 'publish-early' })).status).toBe(303);
  expect(await courseOf('cisa')).toMatchObject({ hours: 77, learners: 4321 });
  expect(await draft()).toBeUndefined();
  const text = expect.stringContaining(
    'for Monday 5 January 2026, 9:00 AM in Brisbane. Mara Whitlock published it now',
  );
  expect(await mails()).toEqual([{ recipient: 'jonas@example.com', body_text: text }]);

  // Nobody is told what they did themselves.
  const own = await scheduledOver('capm');
  expect((await other.post(own.page, { ...(await fieldsAt(other, own.page)), act: 'publish-early' })).status).toBe(303);
  expect(await courseOf('capm')).toMatchObject({ hours: 77 });
  expect(await mails()).toHaveLength(1);
});
