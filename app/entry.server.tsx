import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router';
import { logContext, requestInfoContext } from './http/context.ts';
import { deferModules } from './http/late-modules.server.ts';
import { addressOfList, listOfPage } from './http/public-list.ts';
import { sealPage } from './http/security-headers.server.ts';
import { takeTurnContext } from './http/traffic.server.ts';
import { NonceContext } from './ui/nonce.ts';

/** Renders the whole page before the first byte: its Content-Security-Policy names its scripts by their hashes. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  loadContext: Readonly<RouterContextProvider>,
): Promise<Response> {
  headers.set('Content-Type', 'text/html; charset=utf-8');
  return loadContext.get(takeTurnContext)(async () => {
    // A visitor who left while waiting for the turn needs no page.
    if (request.signal.aborted) return new Response(null, { status, headers });
    const nonce = randomBytes(16).toString('base64url');
    const page = (
      <NonceContext value={nonce}>
        <ServerRouter context={withRoutesOfPage(context)} url={request.url} nonce={nonce} />
      </NonceContext>
    );
    const startedAt = performance.now();
    const rendered = await renderWhole(page, nonce);
    loadContext.get(requestInfoContext).renderMs = performance.now() - startedAt;
    // In development Vite's own scripts must run first.
    const { page: sealed, policy } = sealPage(
      import.meta.env.PROD ? deferModules(rendered, listsFor(context)) : rendered,
      nonce,
    );
    headers.set('Content-Security-Policy', policy);
    return new Response(sealed, { status, headers });
  });
}

/** Kept: the router would build all routes again for each page. */
function withRoutesOfPage(context: EntryContext): EntryContext {
  const { manifest, staticHandlerContext } = context;
  const routes = Object.fromEntries(
    staticHandlerContext.matches.map(({ route: { id } }) => [id, manifest.routes[id]] as const),
  );
  return { ...context, manifest: { ...manifest, routes } };
}

/** Null on pages of staff, which need every route. */
function listsFor({ manifest, staticHandlerContext }: EntryContext) {
  const list = listOfPage(staticHandlerContext.matches.map(({ route }) => route.id));
  return list && { whole: manifest.url, shorter: addressOfList(manifest.url, list) };
}

/** In production React hands on texts (scripts/server-code.ts), otherwise bytes. */
const { renderToPipeableStream } =
  import.meta.env.PROD && process.env.NODE_ENV === 'production'
    ? await import('virtual:react-server')
    : await import('react-dom/server');

function renderWhole(page: React.ReactNode, nonce: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(page, {
      nonce,
      onAllReady: () => pipe(new WholePage(resolve)),
      onError: reject,
      // Everything is there at once. Beyond this size React would put parts at the end, for a script to move.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
    });
  });
}

// One text of all 15,000 pieces of a page would take twice as long to encode.
const encodedAtOnce = 4096;

/** Collects the pieces of a page, without the overhead of a stream for each. */
class WholePage extends Writable {
  readonly #parts: Buffer[] = [];
  #toEncode = '';
  readonly #decoder = new TextDecoder();
  readonly #done: (page: Buffer) => void;

  constructor(done: (page: Buffer) => void) {
    super();
    this.#done = done;
  }

  override write(part: string | Uint8Array): true {
    this.#toEncode += typeof part === 'string' ? part : this.#decoder.decode(part, { stream: true });
    if (this.#toEncode.length > encodedAtOnce) this.#encode();
    return true;
  }

  override end(): this {
    this.#encode();
    this.#done(Buffer.concat(this.#parts));
    return this;
  }

  /** A character is never divided: React writes a text whole. */
  #encode(): void {
    this.#parts.push(Buffer.from(this.#toEncode));
    this.#toEncode = '';
  }
}

/** Logs faults of ours. What a visitor asked for wrongly (405 and its like) stands in the request log by its status. */
export const handleError: HandleErrorFunction = (err, { request, context }) => {
  if (request.signal.aborted || (isRouteErrorResponse(err) && err.status < 500)) return;
  const { id, route } = context.get(requestInfoContext);
  context.get(logContext).error({ err, id, route }, 'unhandled error');
};
