import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import routes from '#app/routes.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { standingIn } from '#tests/support/content-edits.ts';
import { filesWithAction } from '#tests/support/every-form.ts';
import { sentForm } from '#tests/support/sent-form.ts';
import { signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());

/** Nothing is typed there: a button starts a job. */
const onlyButtons = ['staff/faults.tsx'];

test('P68: every page for staff with a form keeps what was typed when the form is refused', () => {
  const pages = filesWithAction(routes).filter(
    (file) => /^staff\/(?!sign-).*\.tsx$/.test(file) && !onlyButtons.includes(file),
  );
  const source = (file: string) => readFileSync(path.join(projectRoot, 'app/routes', file), 'utf8');
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.filter((file) => !/^export .*\bclientAction\b/m.test(source(file)))).toEqual([]);
});

test('P68: without scripts a refused form comes back with what was typed, each under the name of its field', async () => {
  const { db } = academy.database;
  const editor = await signInStaff(academy, 'mara@example.com', 'Mara Whitlock', { role: 'editor' });
  const page = `/staff/content/course/${(await standingIn(db, 'course', 'cissp')).record.id}`;
  const typed = { ...sentForm(await (await editor.get(page)).text(), 'content-form'), 'v.shortName': 'CISSP, new' };
  await db.updateTable('staff_roles').set({ role: 'reader' }).where('person_id', '=', editor.id).execute();
  const refused = await editor.post(page, { ...typed, note: 'Line one\nLine two', act: 'save' });
  expect(refused.status).toBe(403);
  const html = await refused.text();
  expect(html).toContain('<label>Short name<br><input readonly value="CISSP, new"></label>');
  expect(html).toMatch(/<label>Note<br><textarea rows="4" readonly>\nLine one(&#10;|\n)Line two<\/textarea>/);
  expect(html).toMatch(/<label>Curriculum 1, topics 1<br>/);
  const labels = [...html.matchAll(/<label>([^<]+)<br>/g)].map(([, label]) => label);
  for (const carried of ['Base', 'Onto', 'Retired', 'Seen', 'Act', 'Form', 'What you wrote']) {
    expect(labels).not.toContain(carried);
  }
  expect(labels.filter((label) => /^[A-Z]?[a-z]?,|^[CMNO] /.test(label ?? ''))).toEqual([]);
});
