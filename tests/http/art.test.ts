import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());

async function picture(address: string): Promise<string> {
  const response = await academy.request(address);
  expect([address, response.status, response.headers.get('Content-Type')]).toEqual([address, 200, 'image/svg+xml']);
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=86400');
  return response.text();
}

test('the 24 cards of a list show 24 different drawings of a few kilobytes', async () => {
  const html = await (await academy.request('/courses')).text();
  const addresses = [...html.matchAll(/<img src="(\/art\/[^"]+)"/g)].flatMap(([, address]) => address ?? []);
  expect(addresses).toHaveLength(24);
  const drawings = await Promise.all(addresses.map(picture));
  expect(new Set(drawings).size).toBe(24);
  for (const drawing of drawings) expect(drawing.length).toBeLessThan(6500);
});

test('the bower that builds itself takes 6 KB at most, and the still one is shown under reduced motion', async () => {
  const response = await academy.request('/art/bower-builds.svg', { headers: { 'Accept-Encoding': 'br' } });
  expect((await response.arrayBuffer()).byteLength).toBeLessThanOrEqual(6 * 1024);
  const html = await (await academy.request('/')).text();
  const pictures = [...html.matchAll(/<picture>(.*?)<img [^>]*src="\/art\/bower-builds\.svg"/g)];
  expect(pictures).toHaveLength(3);
  for (const [, source] of pictures) {
    expect(source).toBe('<source media="(prefers-reduced-motion: reduce)" srcSet="/art/bower.svg"/>');
  }
});

test('every instructor has a portrait of their own', async () => {
  const html = await (await academy.request('/about')).text();
  const addresses = [...html.matchAll(/src="(\/art\/instructor\/[^"]+)"/g)].flatMap(([, address]) => address ?? []);
  expect(addresses).toHaveLength(16);
  expect(new Set(await Promise.all(addresses.map(picture))).size).toBe(16);
});

test('a drawing stays valid for a course that is no longer offered', async () => {
  const retired = JSON.stringify({ id: 999_999, slug: 'a-course-of-last-year', retired_at: '2025-01-01T00:00:00Z' });
  await sql`
    insert into courses overriding system value
    select (jsonb_populate_record(courses, ${retired}::jsonb)).* from courses where slug = 'cissp'`.execute(
    academy.database.db,
  );
  expect(await picture('/art/course/a-course-of-last-year.svg')).toContain('<svg');
});

test('unknown names have no drawing, and nothing is kept for them', async () => {
  const { plain } = academy.services.traffic.pages;
  await picture('/art/course/cissp.svg');
  const before = plain.bytes();
  for (const name of ['made-up', 'cissp-2', 'a'.repeat(100), 'x'.repeat(300)]) {
    for (const kind of ['course', 'instructor', 'certification'])
      expect((await academy.request(`/art/${kind}/${name}.svg`)).status).toBe(404);
    expect((await academy.request(`/share/course/${name}.png`)).status).toBe(404);
  }
  expect(plain.bytes()).toBe(before);
});

test.each([
  '/art/course/cissp%20.svg',
  '/art/course/.svg',
  '/art/course/cissp.png',
  '/art/instructor/nobody.svg',
  '/art/person/cissp.svg',
])('there is no picture at %s', async (address) => {
  expect((await academy.request(address)).status).toBe(404);
});
