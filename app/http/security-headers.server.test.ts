import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { contentSecurityPolicy } from './security-headers.server.ts';

test('inline scripts are allowed by hash, files are not hashed, nothing unsafe is allowed', () => {
  const script = 'window.x = "1";\n';
  const policy = contentSecurityPolicy(`<p>x</p><script>${script}</script><script src="/a.js"></script>`);
  const hash = createHash('sha256').update(script).digest('base64');
  expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
  expect(policy.match(/sha256-/g)).toHaveLength(1);
  expect(policy).not.toContain('unsafe');
  expect(policy).toContain("object-src 'none'");
  expect(policy).toContain("base-uri 'none'");
});
