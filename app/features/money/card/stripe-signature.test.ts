import { expect, test } from 'vitest';
import { isSigned } from './stripe-signature.server.ts';

// Computed with: printf '1757286000.{"id":"evt_1"}' | openssl dgst -sha256 -hmac whsec_test
const body = '{"id":"evt_1"}';
const signature = 'f22c21d450a9698808290c9be11655157783cb13ae9837e0a57b11b989ef003f';
const at = new Date(1_757_286_000_000);
const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);

test('a signature holds for its own body, secret and five minutes', () => {
  const field = `t=1757286000,v1=${signature},v0=abc`;
  expect(isSigned(body, field, 'whsec_test', at)).toBe(true);
  // While a secret is being replaced there are two.
  expect(isSigned(body, `t=1757286000,v1=${'0'.repeat(64)},v1=${signature}`, 'whsec_test', later(300))).toBe(true);
  expect(isSigned(`${body} `, field, 'whsec_test', at)).toBe(false);
  expect(isSigned(body, field, 'whsec_other', at)).toBe(false);
  expect(isSigned(body, field, 'whsec_test', later(301))).toBe(false);
  expect(isSigned(body, field, 'whsec_test', later(-301))).toBe(false);
  expect(isSigned(body, field.replace('1757286000', '1757286001'), 'whsec_test', at)).toBe(false);
});

test.each([null, '', 't=,v1=', `v1=${signature}`, `t=1757286000,v0=${signature}`, 't=1757286000,v1=zz'])(
  'a field that is no signature is refused: %s',
  (field) => expect(isSigned(body, field, 'whsec_test', at)).toBe(false),
);
