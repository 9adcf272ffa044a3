import { expect, test } from 'vitest';
import { deferModules } from './late-modules.server.ts';

const page = (head: string, body: string) => `<html><head>${head}</head><body>${body}</body></html>`;

test('modules are listed on the inert script instead of being preloaded', () => {
  const html = page(
    '<link rel="modulepreload" href="/a.js"/><title>x</title><link rel="modulepreload" href="/b.js" nonce="n"/>',
    '<p>text</p><script nonce="n" type="module" async="">import "/a.js";</script>',
  );
  expect(deferModules(html)).toBe(
    page(
      '<title>x</title>',
      '<p>text</p><script nonce="n" type="text/plain" data-modules="/a.js /b.js">import "/a.js";</script>',
    ),
  );
});

test('structured data goes to the end of the head', () => {
  const data = '<script type="application/ld+json">{}</script>';
  expect(deferModules(page(`${data}<script>1</script>`, ''))).toBe(page(`<script>1</script>${data}`, ''));
});

test('a page without modules stays as it is', () => {
  const html = page('<title>x</title>', '<p>modulepreload</p>');
  expect(deferModules(html)).toBe(html);
});
