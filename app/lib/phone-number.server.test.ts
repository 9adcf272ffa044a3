import { expect, test } from 'vitest';
import { phoneNumber, shownPhone } from './phone-number.server.ts';

test.each([
  ['(07) 3812 3456', '+61738123456'],
  ['0412 345 678', '+61412345678'],
  ['+61 412 345 678', '+61412345678'],
  ['1300 363 992', '+611300363992'],
  ['+64 21 123 4567', '+64211234567'],
  ['0011 64 21 123 4567', '+64211234567'],
  ['+61 (0)7 3812 3456 ext 12', '+61738123456;ext=12'],
  ['3812 3456', null],
  ['call 0412 345 678', null],
  ['12', null],
  ['+999 1234 5678', null],
])('%s is %s', (text, expected) => expect(phoneNumber(text)).toBe(expected));

test.each([
  ['+61412345678', '0412 345 678'],
  ['+61738123456', '(07) 3812 3456'],
  ['+64211234567', '+64 21 123 4567'],
  ['+61738123456;ext=12', '(07) 3812 3456 ext. 12'],
  ['ask the office', 'ask the office'],
  [null, ''],
])('%s is shown as %s', (stored, shown) => expect(shownPhone(stored)).toBe(shown));
