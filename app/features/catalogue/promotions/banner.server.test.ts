import { expect, test } from 'vitest';
import { listedCourse } from '#tests/support/sample-snapshot.ts';
import { currentBanner } from './banner.server.ts';

test('P16: a promotion to the end of a day names that day', () => {
  const { card } = listedCourse(1);
  const combo = { id: 1, slug: 'c', title: 'C', description: '', discountPercent: 30, courses: [card] };
  const clock = { now: () => new Date('2025-11-30T23:59:59+10:00'), aheadMs: 0 };
  const promotion = { subject: 'Career Booster Combos', endsAt: '2025-11-30T14:00:00Z' };
  expect(currentBanner({ combos: [combo], promotion }, clock)).toMatchObject({
    endsDay: 'Sunday 30 November',
    endsText: 'Sunday 30 November at 11:59 PM Brisbane time',
  });
});
