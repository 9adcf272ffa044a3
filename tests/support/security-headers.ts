import { expect } from 'vitest';

/** Expects the security headers that every response must have. */
export function expectSecurityHeaders(headers: Headers): void {
  const wanted = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=()'),
    'content-security-policy': expect.stringMatching(
      /^default-src '(none|self)'; (?!.*unsafe).*frame-ancestors 'none'/,
    ),
    'strict-transport-security': expect.stringContaining('max-age=31536000'),
  };
  expect(Object.fromEntries(headers)).toMatchObject(wanted);
}
