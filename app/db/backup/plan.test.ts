import { expect, test } from 'vitest';
import { type Base, type LogFile, planRestore, prunable } from './plan.ts';

const dayMs = 24 * 60 * 60 * 1000;
const now = new Date('2026-11-22T03:00:00Z');
const segmentBytes = 2 ** 20;
const segment = (number: number, timeline = 1) =>
  [timeline, Math.floor(number / 4096), number % 4096]
    .map((part) => part.toString(16).toUpperCase().padStart(8, '0'))
    .join('');

/** A base of so many days ago; a day writes ten segments. */
function baseOf(daysAgo: number, timeline = 1): Base {
  const endedAt = new Date(now.getTime() - daysAgo * dayMs);
  const [firstSegment, lastSegment] = [segment(10_000 - daysAgo * 10), segment(10_001 - daysAgo * 10)];
  const startedAt = new Date(endedAt.getTime() - 1000);
  return { name: `${daysAgo}`, startedAt, endedAt, timeline, firstSegment, lastSegment, segmentBytes, bytes: 1 };
}
const logOf = (numbers: number[]): LogFile[] => numbers.map((number) => ({ name: segment(number), storedAt: now }));
const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);
const minutesBefore = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

test('P92: of daily backups of two years, those of 7 days, 4 weeks and 12 months are kept', () => {
  const bases = from(0, 730).map((daysAgo) => baseOf(daysAgo));
  const gone = new Set(prunable(bases, [], now).bases);
  const kept = bases.filter((base) => !gone.has(base)).map(({ endedAt }) => endedAt.toISOString().slice(0, 10));
  expect(kept.filter((day) => day >= '2026-11-15')).toHaveLength(8);
  expect(kept.filter((day) => day < '2026-11-15')).toEqual([
    ...['2026-11-08', '2026-11-01', '2026-10-31', '2026-09-30', '2026-08-31', '2026-07-31', '2026-06-30'],
    ...['2026-05-31', '2026-04-30', '2026-03-31', '2026-02-28', '2026-01-31', '2025-12-31'],
  ]);
});

test('P92: the log is kept for any moment of 7 days, and for each older backup only what it needs', () => {
  const bases = [0, 7, 40].map((daysAgo) => baseOf(daysAgo));
  const gone = new Set(prunable(bases, logOf(from(9_590, 10_005)), now).log.map(({ name }) => name));
  const kept = from(9_590, 10_005).filter((number) => !gone.has(segment(number)));
  expect(kept).toEqual([9_600, 9_601, ...from(9_930, 10_005)]);
});

test('the only backup is kept, however old', () => {
  expect(prunable([baseOf(900)], [], now).bases).toEqual([]);
});

test('P92: a moment is restored from the last backup before it, with the log until a little after the next one', () => {
  const found = planRestore([baseOf(2), baseOf(1), baseOf(0)], logOf(from(9_980, 10_050)), minutesBefore(24 * 60 - 5));
  expect(found).toMatchObject({ ok: true, plan: { base: { name: '1' }, until: minutesBefore(24 * 60 - 5) } });
  expect(found.ok && found.plan.log.map(({ name }) => name)).toEqual(from(9_990, 10_017).map((n) => segment(n)));
});

test('a moment before the oldest backup is refused with the day of that backup', () => {
  const found = planRestore([baseOf(1)], logOf(from(9_990, 10_005)), minutesBefore(3 * 24 * 60));
  expect(found).toEqual({ ok: false, message: expect.stringContaining('2026-11-21T03:00:00.000Z') });
});

test('where the log after a backup was pruned, the backup itself is restored', () => {
  const log = logOf([9_600, 9_601, ...from(9_990, 10_005)]);
  const found = planRestore([baseOf(40), baseOf(1)], log, minutesBefore(35 * 24 * 60));
  expect(found).toMatchObject({ ok: true, plan: { base: { name: '40' }, until: 'base', hasGap: false } });
});

test('a missing file of the log is noticed', () => {
  const found = planRestore([baseOf(0)], logOf([10_000, 10_001, 10_003]), null);
  expect(found).toMatchObject({ ok: true, plan: { hasGap: true } });
  expect(planRestore([baseOf(0)], logOf([10_000]), null)).toMatchObject({ ok: false });
});

test('a moment between a first restore and the next backup is on the timeline that the restore began', () => {
  const history = { name: '00000002.history', storedAt: minutesBefore(30) };
  const log = [...logOf(from(10_000, 10_005)), history];
  const timelineAt = (minutes: number) => {
    const found = planRestore([{ ...baseOf(0), endedAt: minutesBefore(60) }], log, minutesBefore(minutes));
    return found.ok && found.plan.timeline;
  };
  expect([timelineAt(45), timelineAt(15)]).toEqual(['current', 2]);
});
