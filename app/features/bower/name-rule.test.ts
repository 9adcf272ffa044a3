import { expect, test } from 'vitest';
import { checkName } from './name-rule.ts';

test.each([
  ['Ada', 'Ada', 'ada'],
  ["  Zoë   O'Brien ", 'Zoë O’Brien', 'zoe-o-brien'],
  ['Łukasz Straße', 'Łukasz Straße', 'lukasz-strasse'],
  ['Nguyễn Văn 2', 'Nguyễn Văn 2', 'nguyen-van-2'],
  ['Mary-Jane', 'Mary-Jane', 'mary-jane'],
  ['Nguye\u0302\u0303n', 'Nguyễn', 'nguyen'],
  ['Ada 2010', 'Ada 2010', 'ada-2010'],
  ['Scunthorpe Bass', 'Scunthorpe Bass', 'scunthorpe-bass'],
])('P63: %s may be the name of a public bower', (typed, name, slug) => {
  expect(checkName(typed, null)).toEqual({ ok: true, name, slug });
});

test.each([
  '',
  ' ',
  'A',
  'a'.repeat(31),
  '1234',
  'Ada!',
  '<b>Ada</b>',
  'Ada 👑',
  'Аda', // The first letter is Cyrillic.
  'Bowerbird Academy',
  'bower bird',
  'Bower-bird',
  'B0werb1rd',
  'Acad emy',
  '0fficia1 Ada',
  'The Admin',
  'Official Ada',
  'fuck',
  'f-u-c-k',
  'sh1t head',
  'Ada\u202Eada',
  'A\u0335\u0336da', // Marks on marks cover what stands around them.
])('P63: %j is refused in a sentence', (typed) => {
  expect(checkName(typed, 'Ada King')).toMatchObject({ ok: false, fault: expect.stringMatching(/^[A-Z].*\.$/) });
});

test('a player’s own name is theirs to show', () => {
  expect(checkName('Dick', 'Dick Smith')).toMatchObject({ ok: true, slug: 'dick' });
  expect(checkName('Shital P', 'Shital Patel')).toMatchObject({ ok: true });
  expect(checkName('Dick', 'Ada King')).toMatchObject({ ok: false });
  expect(checkName('Dick fuck', 'Dick Smith')).toMatchObject({ ok: false });
});
