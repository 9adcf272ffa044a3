import { expect, test } from 'vitest';
import { addressReader, networkOf, normalAddress } from './client-address.server.ts';

test.each([
  ['198.51.100.1', '198.51.100.1'],
  [' 198.51.100.1:443 ', '198.51.100.1'],
  ['::ffff:198.51.100.1', '198.51.100.1'],
  ['::FFFF:c633:6401', '198.51.100.1'],
  ['0:0:0:0:0:ffff:c633:6401', '198.51.100.1'],
  ['[::ffff:198.51.100.1]:80', '198.51.100.1'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['unknown', null],
  ['', null],
  ['198.51.100.256', null],
  ['0x7f.1', null],
  ['127.1', null],
])('the address "%s" is normalised to %s', (text, address) => {
  expect(normalAddress(text)).toBe(address);
});

test('an IPv6 address is reduced to its network of the given prefix length', () => {
  expect(networkOf('2001:db8:1:2::1')).toBe(networkOf('2001:db8:1:2:ffff::9'));
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
  expect(networkOf('2001:db8:1:2::1', 56)).toBe(networkOf('2001:db8:1:3::1', 56));
  expect(networkOf('2001:db8:1:200::1', 56)).not.toBe(networkOf('2001:db8:1:300::1', 56));
  expect(networkOf('::')).toBe(networkOf('::1'));
  expect(networkOf('198.51.100.1')).toBe('198.51.100.1');
});

test('only trusted proxies may tell the client’s address', () => {
  const nobody = addressReader([]);
  expect(nobody('203.0.113.9', '198.51.100.1')).toBe('203.0.113.9');
  const one = addressReader(['10.0.0.1']);
  expect(one('::ffff:10.0.0.1', '198.51.100.1')).toBe('198.51.100.1');
  expect(one('10.0.0.1', undefined)).toBe('10.0.0.1');
  expect(one('10.0.0.1', '198.51.100.1:4711')).toBe('198.51.100.1');
  expect(one('10.0.0.1', '1.2.3.4, unknown')).toBe('10.0.0.1');
  const two = addressReader(['10.0.0.1', '10.0.0.2']);
  expect(two('10.0.0.1', '1.2.3.4, 198.51.100.1, 10.0.0.2')).toBe('198.51.100.1');
});

test('trusted proxies may be addresses in any notation or CIDR networks', () => {
  const read = addressReader(['10.0.0.0/8', '2001:DB8:0::/48', '::ffff:192.0.2.7']);
  expect(read('10.200.3.4', '198.51.100.1')).toBe('198.51.100.1');
  expect(read('2001:db8::5', '198.51.100.1, ::ffff:10.1.1.1')).toBe('198.51.100.1');
  expect(read('192.0.2.7', '198.51.100.1')).toBe('198.51.100.1');
  expect(read('11.0.0.1', '198.51.100.1')).toBe('11.0.0.1');
});
