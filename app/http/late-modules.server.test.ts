import { expect, test } from 'vitest';
import { deferModules } from './late-modules.server.ts';

const page = (head: string, body: string) => `<html><head>${head}</head><body>${body}</body></html>`;

test('modules are listed on the inert script instead of being preloaded', () => {
  const html = page(
    '<link rel="modulepreload" href="/a.js"/><title>x</title><link rel="modulepreload" href="/b.js" nonce="n"/>',
    '<p>text</p><script nonce="n" type="module" async="">import "/a.js";</script>',
  );
  expect(defer(html)).toBe(
    page(
      '<title>x</title>',
      '<p>text</p><script nonce="n" type="text/plain" data-modules="/b.js /a.js">import "/a.js";</script>',
    ),
  );
});

test('modules come after their imports, and the module that starts React comes last', () => {
  const modules = ['entry.client', 'frame', 'react', 'root', 'home', 'catalogue-section', 'shop'];
  const html = page(
    modules.map((name) => `<link rel="modulepreload" href="/assets/${name}-1.js"/>`).join(''),
    '<script type="module" async="">1</script>',
  );
  expect(defer(html).match(/[a-z.-]+(?=-1\.js)/g)).toEqual([
    'react',
    'frame',
    'shop',
    'catalogue-section',
    'home',
    'root',
    'entry.client',
  ]);
});

test('a page loads its shorter list of routes, in the list of modules and in the script', () => {
  const html = page(
    '<link rel="modulepreload" href="/manifest-1.js"/>',
    '<script type="module" async="">import "/manifest-1.js";</script>',
  );
  const deferred = defer(html, { whole: '/manifest-1.js', shorter: '/manifest-1.public.js' });
  expect(deferred.match(/manifest-1[.\w]*/g)).toEqual(['manifest-1.public.js', 'manifest-1.public.js']);
});

test('structured data goes to the end of the head', () => {
  const data = '<script type="application/ld+json">{}</script>';
  expect(defer(page(`${data}<script>1</script>`, ''))).toBe(page(`<script>1</script>${data}`, ''));
});

test('a page without modules stays as it is', () => {
  const html = page('<title>x</title>', '<p>modulepreload</p>');
  expect(defer(html)).toBe(html);
});

function defer(html: string, ...lists: [Parameters<typeof deferModules>[1]?]): string {
  return deferModules(Buffer.from(html), ...lists).toString();
}
