import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sealPage } from './security-headers.server.ts';

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('the policy lists elements with the nonce by their hash, and the nonce is removed', () => {
  const { page, policy } = sealPage(
    '<style nonce="n1">a{}</style><link nonce="n1"><script type="x" nonce="n1" async>window.x = ">";\n</script><script nonce="n1" src="/a.js"></script>',
    'n1',
  );
  expect(page).toBe(
    '<style>a{}</style><link><script type="x" async>window.x = ">";\n</script><script src="/a.js"></script>',
  );
  expect(policy).toContain(`script-src 'self' ${hashOf('window.x = ">";\n')};`);
  expect(policy).toContain(`style-src 'self' ${hashOf('a{}')};`);
  expect(policy).not.toContain('unsafe');
});

test('the policy does not list elements without the nonce or with another one', () => {
  const { policy } = sealPage(
    '<script>a</script><script nonce="n2">b</script><script data-x="n1">c</script><style>d</style><p nonce="n1">',
    'n1',
  );
  expect(policy).not.toContain('sha256');
});

test('a script with letters of several bytes is listed by the hash of its text, and the page comes back as it was', () => {
  const { page, policy } = sealPage('<script nonce="n1">say("Größe – 1 €")</script><p>Größe</p>', 'n1');
  expect(page).toBe('<script>say("Größe – 1 €")</script><p>Größe</p>');
  expect(policy).toContain(hashOf('say("Größe – 1 €")'));
});
