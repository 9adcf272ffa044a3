import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from './fixtures.ts';

/** Stands before the program and holds a page back in the middle of the script that will start its modules. */
async function holdingProxy(baseURL: string) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = createServer(async ({ url = '/', headers }, response) => {
    const answer = await fetch(baseURL + url, { headers: { Accept: headers.accept ?? '*/*' } });
    const body = Buffer.from(await answer.arrayBuffer());
    for (const name of ['content-type', 'content-security-policy']) {
      const value = answer.headers.get(name);
      if (value) response.setHeader(name, value);
    }
    const script = body.indexOf('data-modules="');
    if (script < 0) return response.end(body);
    const inside = body.indexOf('>', script) + 40;
    response.write(body.subarray(0, inside));
    await released;
    response.end(body.subarray(inside));
  }).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://localhost:${port}`, release, close };
}

test('a page that is used while it is still arriving is taken over once it is whole', async ({ page, baseURL }) => {
  const proxy = await holdingProxy(baseURL ?? '');
  await page.goto(proxy.url, { waitUntil: 'commit' });
  await expect(page.locator('script[data-modules]')).toBeAttached();
  await page.keyboard.press('Tab');
  await page.mouse.move(200, 200);
  proxy.release();
  await page.getByLabel('Category', { exact: true }).selectOption('soc');
  // Only React changes the address without loading the page anew.
  await expect(page).toHaveURL(/\?category=soc/);
  proxy.close();
});
