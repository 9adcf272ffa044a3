/**
 * `npm run mail`: every email with sample data in a browser, in both forms, at http://localhost:3001 or `PORT`. Reads
 * the sources on each request, so that a reload shows a change.
 */
import { createServer } from 'node:http';
import { createServer as createViteServer } from 'vite';

type Samples = typeof import('#app/emails/samples.ts')['mailSamples'];

if (import.meta.main) {
  const port = Number(process.env.PORT ?? 3001);
  const { read } = await openSamples();
  const server = createServer(async (request, response) => {
    const samples = await read();
    const [kind = '', form] = new URL(request.url ?? '/', 'http://localhost').pathname.slice(1).split('/');
    const sample = Object.hasOwn(samples, kind) ? samples[kind] : undefined;
    if (sample && form === 'text') answer(200, 'text/plain', sample().text);
    else if (sample) answer(200, 'text/html', sample().html);
    else if (kind === '') answer(200, 'text/html', listOf(samples));
    else answer(404, 'text/plain', 'There is no such email.\n');

    function answer(status: number, type: string, body: string): void {
      response.writeHead(status, { 'Content-Type': `${type}; charset=utf-8` }).end(body);
    }
  });
  server.listen(port, '127.0.0.1', () => console.log(`Every email, with sample data: http://localhost:${port}`));
}

/** Every email with sample data as HTML, by its kind. */
export async function mailsAsHtml(): Promise<Record<string, string>> {
  const { read, close } = await openSamples();
  const mails = Object.entries(await read()).map(([kind, sample]) => [kind, sample().html]);
  await close();
  return Object.fromEntries(mails);
}

/** Emails are written as components, which Node does not read by itself. */
async function openSamples() {
  const vite = await createViteServer({
    server: { middlewareMode: true, ws: false },
    appType: 'custom',
    logLevel: 'error',
  });
  return {
    read: async (): Promise<Samples> => (await vite.ssrLoadModule('/app/emails/samples.ts')).mailSamples,
    close: () => vite.close(),
  };
}

function listOf(samples: Samples): string {
  const items = Object.entries(samples).map(([kind, sample]) => {
    const { subject } = sample();
    return `<h2>${kind}</h2><p>${escaped(subject)} · <a href="/${kind}">HTML</a> · <a href="/${kind}/text">text</a></p>
<iframe src="/${kind}" title="${kind}" width="100%" height="640"></iframe>`;
  });
  return `<!doctype html><html lang="en-AU"><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<title>Emails</title><h1>${items.length} emails</h1>${items.join('\n')}</html>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
