import { Writable } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import { type EntryContext, type HandleErrorFunction, ServerRouter } from 'react-router';
import { logContext, requestInfoContext } from './http/context.ts';

/** Renders the whole page before the first byte: its Content-Security-Policy names its scripts by their hashes. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  headers.set('Content-Type', 'text/html; charset=utf-8');
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  const html = await renderWhole(<ServerRouter context={context} url={request.url} />);
  return new Response(html, { status, headers });
}

function renderWhole(page: React.ReactNode): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        done();
      },
      final(done) {
        resolve(Buffer.concat(chunks).toString('utf8'));
        done();
      },
    });
    const { pipe } = renderToPipeableStream(page, { onAllReady: () => pipe(sink), onError: reject });
  });
}

export const handleError: HandleErrorFunction = (err, { request, context }) => {
  if (request.signal.aborted) return;
  const { id, route } = context.get(requestInfoContext);
  context.get(logContext).error({ err, id, route }, 'unhandled error');
};
