import { expect, test } from 'vitest';
import { addressReader, networksOf, normalAddress } from './client-address.server.ts';

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

test('an IPv6 address belongs to a /64, a /56 and a /48; an IPv4 address is its own network', () => {
  const one = networksOf('2001:db8:1:2::1');
  expect(networksOf('2001:0DB8:1:2:ffff::9')).toEqual(one);
  const otherLine = networksOf('2001:db8:1:3::1');
  expect(otherLine).toEqual({ ...one, line: otherLine.line });
  expect(otherLine.line).not.toBe(one.line);
  const otherCustomer = networksOf('2001:db8:1:202::1');
  expect([otherCustomer.customer === one.customer, otherCustomer.site === one.site]).toEqual([false, true]);
  expect(networksOf('2001:db8:2:2::1').site).not.toBe(one.site);
  expect(new Set(Object.values(one)).size).toBe(3);
  expect(networksOf('::')).toEqual(networksOf('::1'));
  const four = { line: '198.51.100.1', customer: '198.51.100.1', site: '198.51.100.1' };
  expect([networksOf('198.51.100.1'), networksOf('::ffff:198.51.100.1')]).toEqual([four, four]);
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
