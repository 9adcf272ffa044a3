import { expect, test } from 'vitest';
import { emailAddressOf, isLocalPartForeign } from './email-address.ts';

test.each([
  ['ada@example.com', 'ada@example.com'],
  ['Ada.Byron+news@Mail.Example.COM', 'Ada.Byron+news@Mail.Example.COM'],
  ['r&d@example.com', 'r&d@example.com'],
  ['x/y=z@example.com', 'x/y=z@example.com'],
  ['user!@example.com', 'user!@example.com'],
  ["o'brien@example.com.au", "o'brien@example.com.au"],
  ['user@example.xn--p1ai', 'user@example.xn--p1ai'],
  ['joerg@bücher.example', 'joerg@xn--bcher-kva.example'],
  ['joerg@BÜCHER.example', 'joerg@xn--bcher-kva.example'],
  ['user@пример.рф', 'user@xn--e1afmkfd.xn--p1ai'],
  [`a@${`${'b'.repeat(60)}.`.repeat(4)}example`, `a@${`${'b'.repeat(60)}.`.repeat(4)}example`],
])('%s is an address, sent to as %s', (typed, address) => {
  expect(emailAddressOf(typed)).toBe(address);
});

test.each([
  '',
  'ada',
  '@example.com',
  'ada@',
  'a@b',
  'ada byron@example.com',
  'ada@exam ple.com',
  ' ada@example.com',
  'ada@example.com ',
  '"ada"@example.com',
  '"ada byron"@example.com',
  'ada@home@example.com',
  'ada@example.com.',
  'ada@.example.com',
  'ada@example..com',
  '.ada@example.com',
  'ada.@example.com',
  'ada..byron@example.com',
  'ada@-example.com',
  'ada@example-.com',
  'ada@exam_ple.com',
  'ada@example.com:25',
  'ada@example.com/x',
  'ada@user:secret@example.com',
  'ada@[192.0.2.1]',
  'ada@192.0.2.1',
  'ada@１９２.0.2.1',
  'ada@0x7f.1',
  'ada@[IPv6:2001:db8::1]',
  'ada@example.c',
  'ada@xn--.example',
  'ada@example.com\0',
  'a\0da@example.com',
  'ada@exam\u007fple.com',
  'ada@example.com\nBcc: eve@example.com',
  'ada@example.com,eve@example.com',
  '<ada@example.com>',
  'jörg@example.com',
  `${'a'.repeat(243)}@example.com`,
  `a@${'b'.repeat(64)}.example`,
])('%j is no address', (typed) => {
  expect(emailAddressOf(typed)).toBeNull();
});

test('254 characters are the most', () => {
  expect(emailAddressOf(`${'a'.repeat(242)}@example.com`)).toHaveLength(254);
});

test('letters before the @ that mail cannot carry are told from other faults', () => {
  expect([isLocalPartForeign('jörg@example.com'), isLocalPartForeign('joerg@bücher.example')]).toEqual([true, false]);
});
