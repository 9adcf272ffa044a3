import { expect, test } from 'vitest';
import { nameForOthers } from './shown-name.ts';

test.each([
  'Ada Byron',
  'Siobhán O’Neill-Smith',
  "Miles O'Brien",
  'J.R.R. Tolkien',
  'Dr. Martin L. King Jr.',
  'María del Carmen de la Cruz Fernández y García',
  '毛利 小五郎',
  'ジョン・スミス',
  'נועה כהן',
  'علی‌رضا',
  'अनीता शर्मा',
  'Nguyễn Thị Minh Khai',
])('P49: %s is a name', (name) => {
  expect(nameForOthers(` ${name} `)).toBe(name);
});

test.each([
  'URGENT: your account is suspended, pay AU$4,400 at https://evil.example/pay?id=4711',
  'Pay at evil.example',
  'see www.evil',
  'evil．example',
  'call 0470 101 420',
  'Call ٠٤٧٠',
  'ada@example.com',
  'a/b',
  'AU$',
  '€',
  'Ada\nByron',
  '\u202eBob',
  'ⓅⓐⓎ',
  '',
  'Your account is suspended and you must telephone our support department before the evening'.slice(0, 81),
])('P49: %j is not shown to others as a name', (name) => {
  expect(nameForOthers(name)).toBeNull();
});
