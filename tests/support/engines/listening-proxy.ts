import { once } from 'node:events';
import { createServer, request } from 'node:http';

declare global {
  /** The errors of this page so far, written by the listening script. */
  var heardErrors: string[] | undefined;
}

/**
 * Runs in the page before any other script: WebDriver tells no errors of a page, and React reports one from which it
 * recovered as it does any other. Errors of earlier pages of the visit are kept in the tab.
 */
function listen(): void {
  const key = 'heard-errors';
  const heard: string[] = JSON.parse(sessionStorage.getItem(key) ?? '[]');
  window.heardErrors = heard;
  const hear = (text: string) => {
    heard.push(`${location.pathname}${location.search}: ${text}`);
    sessionStorage.setItem(key, JSON.stringify(heard));
  };
  addEventListener('error', ({ message, error }) => hear(message || String(error)));
  addEventListener('unhandledrejection', ({ reason }) => {
    // A cross-fade that is called off, such as by a step back, harms nobody.
    if (reason?.name !== 'AbortError') hear(`unhandled: ${reason}`);
  });
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    hear(`refused by ${violatedDirective}: ${blockedURI}`),
  );
  const { error } = console;
  console.error = (...all) => {
    hear(all.map(String).join(' '));
    error(...all);
  };
  document.currentScript?.remove();
}

const address = '/listening.js';

/**
 * A proxy in front of the program that writes one script, from the same origin, into each page; everything else, the
 * policy for content included, passes unchanged. Returns its origin.
 */
export async function listeningProxy(program: string): Promise<{ origin: string; close(): void }> {
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === address) {
      outgoing.writeHead(200, { 'Content-Type': 'text/javascript', 'Cache-Control': 'max-age=3600' });
      outgoing.end(`(${listen})()`);
      return;
    }
    const headers = { ...incoming.headers, 'accept-encoding': 'identity' };
    const asked = request(program + incoming.url, { method: incoming.method, headers }, (answer) => {
      const isPage = answer.headers['content-type']?.startsWith('text/html');
      const { 'content-length': length, ...rest } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, isPage || length === undefined ? rest : answer.headers);
      if (!isPage) return answer.pipe(outgoing);
      let page = '';
      answer.setEncoding('utf8').on('data', (chunk) => {
        page += chunk;
      });
      answer.on('end', () => outgoing.end(page.replace('<head>', `<head><script src="${address}"></script>`)));
    });
    asked.on('error', () => outgoing.destroy());
    outgoing.on('close', () => asked.destroy());
    incoming.pipe(asked);
  }).listen(0);
  await once(server, 'listening');
  const at = server.address();
  const port = typeof at === 'object' && at ? at.port : 0;
  return {
    origin: `http://localhost:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
