import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { renderToPipeableStream } from 'react-dom/server';
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router';
import { logContext, requestInfoContext } from './http/context.ts';
import { deferModules } from './http/late-modules.server.ts';
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
        <ServerRouter context={context} url={request.url} nonce={nonce} />
      </NonceContext>
    );
    const startedAt = performance.now();
    const rendered = await renderWhole(page, nonce);
    loadContext.get(requestInfoContext).renderMs = performance.now() - startedAt;
    // In development Vite's own scripts must run first.
    const { page: sealed, policy } = sealPage(import.meta.env.PROD ? deferModules(rendered) : rendered, nonce);
    headers.set('Content-Security-Policy', policy);
    return new Response(sealed, { status, headers });
  });
}

function renderWhole(page: React.ReactNode, nonce: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(page, {
      nonce,
      onAllReady: () => resolve(text(pipe(new PassThrough()))),
      onError: reject,
      // Everything is there at once. Beyond this size React would put parts at the end, for a script to move.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
    });
  });
}

/** Logs faults of ours. Wrong requests of visitors (405 and the like) are in the request log by their status. */
export const handleError: HandleErrorFunction = (err, { request, context }) => {
  if (request.signal.aborted || (isRouteErrorResponse(err) && err.status < 500)) return;
  const { id, route } = context.get(requestInfoContext);
  context.get(logContext).error({ err, id, route }, 'unhandled error');
};
