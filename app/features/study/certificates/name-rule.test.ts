import { expect, test } from 'vitest';
import { changeOfName } from './name-rule.ts';

const change = (original: string, asked: string, now = original) => changeOfName({ original, now, asked });

test('P65: two letters, case and accents are corrected at once', () => {
  expect(change('Ada Brenan', 'Ada Brennan')).toBe('at-once');
  expect(change('ada brennan', 'Ada Brennan')).toBe('at-once');
  expect(change('Zoe Muller', 'Zoë Müller')).toBe('at-once');
  expect(change('Jose Nunez', 'José Núñez')).toBe('at-once');
  expect(change('Ada Brenann', 'Ada Brennan')).toBe('at-once');
  expect(change('Grace Hoper', 'Grace Hopper')).toBe('at-once');
  expect(change('Nguyễn Văn An', 'Nguyen Van An')).toBe('at-once');
  // Two letters put the wrong way round, and one missing.
  expect(change('Garce Hoper', 'Grace Hopper')).toBe('at-once');
});

test('P65: staff look at everything else', () => {
  expect(change('Ada Brennan', 'Ada Lovelace')).toBe('look');
  expect(change('Ada Brennan', 'Ada Brennan-Smith')).toBe('look');
  expect(change('Ada Brennan', 'Ada Maria Brennan')).toBe('look');
  // Three letters.
  expect(change('Ada Brenn', 'Ada Brennans')).toBe('look');
  // Two letters, and another person all the same.
  expect(change('Li Na', 'Wu Na')).toBe('look');
  expect(change('Jo', 'Bo')).toBe('at-once');
});

test('P65: corrections one after the other do not lead to another name', () => {
  expect(change('Ada Brennan', 'Ada Brannon', 'Ada Brennon')).toBe('at-once');
  expect(change('Ada Brennan', 'Eda Brannon', 'Ada Brannon')).toBe('look');
});

test('P49: a text that is no name is refused, and the same name changes nothing', () => {
  expect(change('Ada Brennan', ' Ada  Brennan ')).toBe('same');
  for (const none of ['', ' ', '--', 'Ada 007', 'www.example.com', '😀', 'A'.repeat(81), 'Ada\u202eBrennan']) {
    expect(change('Ada Brennan', none)).toBe('no-name');
  }
});
