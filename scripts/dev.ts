/** `npm run dev`: the program with reload; the services are built once, the application again on each change. */
import { createServer as createHttpServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createServer as createViteServer } from 'vite';
import { settingsOrExit } from '#app/env.server.ts';
import { createLog } from '#app/http/log.server.ts';
import type { Services } from '#server/services.ts';

const settings = settingsOrExit();
const log = createLog(settings.logLevel);
const server = createHttpServer();
// The reload socket shares the port: the page's Content-Security-Policy allows no other origin.
const vite = await createViteServer({ server: { middlewareMode: true, hmr: { server } } });
const load = () => vite.ssrLoadModule('/server/app.ts') as Promise<typeof import('#server/app.ts')>;
const { openServices } = await load();
const services: Services = await openServices(settings, log, (line) => console.log(line));

const listener = getRequestListener(async (request, bindings) => {
  const { createApp } = await load();
  return createApp(settings, log, () => services).app.fetch(request, bindings);
});
server.on('request', (request, response) => {
  vite.middlewares(request, response, () => void listener(request, response));
});
server.listen(settings.port, () => console.log(`Bowerbird Academy, with reload: ${settings.baseUrl}`));

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, async () => {
    server.closeAllConnections();
    server.close();
    await vite.close();
    await services.close();
    process.exit(0);
  });
}
