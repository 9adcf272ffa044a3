import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener, RequestError } from '@hono/node-server';
import { fixedHeaders } from '#app/http/security-headers.server.ts';

/** An answer that is written without passing through the application. */
export type QuickAnswer = {
  status: number;
  /** Names and values of the header fields, in turn. */
  fields: string[];
  body: Uint8Array | null;
  /** To be called once it is written. */
  sent: () => void;
};

type Options = {
  /** True when the public origin is HTTPS. */
  https: boolean;
  /** Milliseconds until a connection must have sent its headers. */
  headersTimeoutMs?: number;
  /** Milliseconds until it must have sent the whole request. */
  requestTimeoutMs?: number;
  /**
   * Milliseconds until an idle connection is closed: longer than the proxy in front keeps it, which would otherwise send
   * a request on a connection that is just closing. The time limits of a request start with its first byte.
   */
  keepAliveMs?: number;
  /** Answers from memory, where there is one; null sends the request on to the application. */
  recall?: (request: IncomingMessage) => QuickAnswer | null;
};

/** Answers to requests that get no handler, by Node's error code. */
const faults: Record<string, { status: number; text: string } | undefined> = {
  HPE_HEADER_OVERFLOW: { status: 431, text: 'The address or the headers are too long. Nothing was read.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, text: 'The request is too large. Nothing was saved.' },
  HPE_INVALID_METHOD: { status: 501, text: 'That method is not known here.' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    text: 'The request took too long to arrive. Nothing was saved; please try again.',
  },
};
const malformed = { status: 400, text: 'The request is malformed. Nothing was read.' };

/**
 * The HTTP server of an application. Slow clients are disconnected within a second of their time limit. Responses that
 * Node sends by itself (400, 408, 413, 417, 431, 501) have the same security headers as all others and an explanation.
 */
export function createHttpServer(fetch: Parameters<typeof getRequestListener>[0], options: Options): Server {
  const { https, headersTimeoutMs = 15_000, requestTimeoutMs = 30_000, keepAliveMs = 65_000, recall } = options;
  const headers = fixedHeaders({ https });
  const listener = getRequestListener(fetch, {
    // Used for HTTP/1.0 requests, which may have no Host header.
    hostname: 'localhost',
    errorHandler(error) {
      const status = error instanceof RequestError ? 400 : 500;
      const text = status === 400 ? malformed.text : 'Something failed on our side. Please try again.';
      return new Response(`${text}\n`, { status, headers: fieldsOf(text, headers) });
    },
  });
  /** The most recent response of each connection. */
  const answering = new WeakMap<Duplex, ServerResponse>();
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: Math.min(1000, headersTimeoutMs / 2),
      // Node's own refusal lacks our headers; hasOneHost checks instead.
      requireHostHeader: false,
    },
    (request, response) => {
      answering.set(request.socket, response);
      if (!hasOneHost(request)) return refuse(response, malformed);
      const answer = recall && isFirstOfTurn(request.socket) ? recall(request) : null;
      if (!answer) return void listener(request, response);
      response.writeHead(answer.status, answer.fields);
      response.end(answer.body ?? undefined);
      answer.sent();
    },
  );
  /** Connections that were answered in this turn of the event loop. */
  const answered = new Set<Duplex>();
  /**
   * A client may send many requests at once on one connection. If all were answered as they are read, no other
   * connection would be read in that time. All but the first wait for their turn in the application.
   */
  function isFirstOfTurn(socket: Duplex): boolean {
    if (answered.has(socket)) return false;
    if (answered.size === 0) setImmediate(() => answered.clear());
    answered.add(socket);
    return true;
  }
  function refuse(response: ServerResponse, { status, text }: { status: number; text: string }): void {
    response.writeHead(status, fieldsOf(text, headers)).end(`${text}\n`);
  }

  server.on('checkExpectation', (_request, response) =>
    refuse(response, { status: 417, text: 'Only "Expect: 100-continue" is understood.' }),
  );
  server.on('connect', (_request, socket) => end(socket, { status: 501, text: 'This is not a proxy.' }, headers));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = answering.get(socket);
    const isHalfAnswered = response?.headersSent === true && !response.writableFinished;
    if (error.code === 'ECONNRESET' || !socket.writable || isHalfAnswered) socket.destroy();
    else end(socket, faults[error.code ?? ''] ?? malformed, headers);
  });
  return server;
}

/** Header fields for a short ASCII text and its final line break, after which the connection closes. */
function fieldsOf(text: string, headers: Record<string, string>): Record<string, string> {
  return {
    ...headers,
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': String(text.length + 1),
    'Cache-Control': 'no-store',
    Connection: 'close',
  };
}

/** HTTP/1.1 requires exactly one Host header (RFC 9112, 3.2); Node would silently take the first of two. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

/** Writes an answer straight to a connection that has no response object, and closes it. */
function end(
  socket: Duplex,
  { status, text }: { status: number; text: string },
  headers: Record<string, string>,
): void {
  const lines = Object.entries(fieldsOf(text, headers)).map(([name, value]) => `${name}: ${value}`);
  const answer = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', `${text}\n`].join('\r\n');
  socket.end(answer, () => socket.destroy());
}
