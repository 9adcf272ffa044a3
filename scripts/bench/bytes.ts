import { once } from 'node:events';
import { request } from 'node:http';
import { publicPages } from '../support/public-pages.ts';
import { openHydrated, patienceMs, withBrowser } from './browser.ts';
import { type Figure, type Part, skipped } from './figure.ts';
import { withProgram } from './programs.ts';

const kinds: Record<string, string> = {
  document: 'html',
  stylesheet: 'css',
  script: 'js',
  font: 'fonts',
  image: 'images',
};

/** The bytes that a visit to each public page fetches, by kind, as they come over the wire in brotli. */
export const bytesByKind: Part = {
  name: 'bytes',
  async run(say) {
    const figures = await withProgram(({ url }) =>
      withBrowser(async (browser) => {
        const found: Figure[] = [];
        for (const path of publicPages) {
          const page = await browser.newPage({ baseURL: url, viewport: { width: 375, height: 812 } });
          page.setDefaultTimeout(patienceMs);
          const fetched = new Map<string, string>();
          page.on('requestfinished', (one) => fetched.set(one.url(), kinds[one.resourceType()] ?? 'other'));
          await openHydrated(page, path);
          await page.waitForLoadState('networkidle');
          await page.close();
          const sums = new Map([...Object.values(kinds), 'other'].map((kind) => [kind, 0]));
          for (const [address, kind] of fetched) {
            if (address.startsWith(url)) sums.set(kind, (sums.get(kind) ?? 0) + (await sizeOf(address)));
          }
          for (const [kind, sum] of sums) {
            const goal = kind === 'js' ? { goal: { atMost: 130 } } : {};
            found.push({ name: `${path}: ${kind}`, unit: 'KB', value: sum / 1024, ...goal });
          }
          say(`${path}: ${[...sums].map(([kind, sum]) => `${kind} ${(sum / 1024).toFixed(1)}`).join(', ')} KB`);
        }
        return found;
      }),
    );
    return figures ?? [skipped('bytes by kind', 'Chromium is not installed')];
  },
};

/** Bytes of a body as it comes over the wire to a client that takes brotli. */
async function sizeOf(address: string): Promise<number> {
  const sent = request(address, { headers: { 'Accept-Encoding': 'br' } }).end();
  const [response] = await once(sent, 'response');
  let bytes = 0;
  for await (const chunk of response) bytes += chunk.length;
  return bytes;
}
