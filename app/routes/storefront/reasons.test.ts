import { expect, test } from 'vitest';
import { readAcademy } from '#tests/support/academy.ts';
import { reasons } from './home.tsx';

test('the claim about all instructors is true of each: more than ten years of work or teaching', async () => {
  const { instructors } = await readAcademy();
  for (const { name, experience } of instructors) {
    expect(Number(/^\d+/.exec(experience)?.[0]), name).toBeGreaterThan(10);
  }
  const said = reasons.find(({ title }) => title === 'Expert Instructors')?.text;
  // One of them taught throughout.
  expect(said).toContain('More than ten years of work or teaching');
});
