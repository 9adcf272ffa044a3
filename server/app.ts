import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import * as build from 'virtual:react-router/server-build';
import { getConnInfo } from '@hono/node-server/conninfo';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createRequestHandler, type ServerBuild } from 'react-router';
import { projectRoot, type Settings } from '#app/env.server.ts';
import { passingSeatGate } from '#app/features/course-dates/seat-gate.server.ts';
import { largestStatement } from '#app/features/money/statement-uploads.server.ts';
import { redirectToCanonical } from '#app/http/canonical-address.server.ts';
import { addressReader, networksOf, type VisitorNetworks } from '#app/http/client-address.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { compressBodies } from '#app/http/encoding.server.ts';
import { tagFiles } from '#app/http/entity-tag.server.ts';
import { localReader } from '#app/http/local-reader.server.ts';
import { type Answered, type HttpEnv, type Log, logRequest, recordRequests, traceOf } from '#app/http/log.server.ts';
import { refuseForeignOrigin } from '#app/http/origin-check.server.ts';
import { plainPage } from '#app/http/plain-page.server.ts';
import { keepPrivate } from '#app/http/private-pages.server.ts';
import { checkRequestLine } from '#app/http/request-line.server.ts';
import { createBackOff, retryPage } from '#app/http/retry-page.server.ts';
import { fixedHeaders, securityHeaders } from '#app/http/security-headers.server.ts';
import { statusHeaders, wantsJson } from '#app/http/status.server.ts';
import { createInFlight, limitInFlight, shedLoad } from '#app/http/traffic.server.ts';
import type { Vitals } from '#app/http/vitals.server.ts';
import { isForStaff } from '#app/lib/staff-page.ts';
import { largestContent } from '#app/routes/staff/content/largest-content.ts';
import type { QuickAnswer } from './http-server.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { readiness } from './readiness.ts';
import { requestContexts } from './request-context.ts';
import type { Services } from './services.ts';
import { type SharedState, sharedPages } from './shared-pages.ts';
import { readStatus } from './status.ts';

const largestBody = 64 * 1024;

/** Refuses a body that is longer than its page takes (413): 64 KB, and more for bank statements and content. */
function limitBodies(): MiddlewareHandler<HttpEnv> {
  const limitBody = bodyLimit({ maxSize: largestBody, onError: tooLarge });
  const limitStatement = bodyLimit({ maxSize: largestStatement + largestBody, onError: statementTooLarge });
  const limitContent = bodyLimit({ maxSize: largestContent, onError: tooLarge });
  return (c, next) => {
    if (bringsStatement(c)) return limitStatement(c, next);
    return /^\/staff\/content\//.test(c.req.path) ? limitContent(c, next) : limitBody(c, next);
  };
}

/** Staff upload bank statements as files; the program refuses everybody else before it reads the body. */
function bringsStatement({ req }: Context): boolean {
  return /^\/staff\/payments(\.data)?$/.test(req.path) && (req.header('Content-Type') ?? '').startsWith('multipart/');
}

function statementTooLarge(): Response {
  const text = 'Nothing was saved. Download fewer months at once from the bank.';
  const home = { path: '/staff/payments', text: 'Return to payments' };
  return plainPage(413, 'The file is over 2 MB', text, {}, [], undefined, home);
}

function tooLarge(): Response {
  return plainPage(
    413,
    'That is too much at once',
    'Nothing was saved. Shorten your message to a few pages and send it again.',
  );
}

type Routes = ServerBuild['routes'];

/** The full pattern of every route, such as `/course/:courseId`. */
function routePatterns(routes: Routes): Set<string> {
  return new Set(Object.keys(routes).map((id) => patternOf(routes, id) || '/'));
}

/** The full pattern of a route; empty for routes that add nothing to the path. */
function patternOf(routes: Routes, id: string): string {
  const { parentId, path } = routes[id] ?? {};
  return (parentId === undefined ? '' : patternOf(routes, parentId)) + (path ? `/${path}` : '');
}

/** Composition root, and the entry of the server build: routes and server share one module graph. */

/** An address that was renamed may be used again: nobody keeps the old way for longer than an hour. */
const renamedFor = 'public, max-age=3600, s-maxage=300';

export { mailStaffLink } from '#app/features/people/ask-to-sign-in.server.ts';
export { grantRole, takeEveryRole } from '#app/features/people/roles.server.ts';
export { openDocuments } from './documents.ts';
export { serveInboundMail } from './inbound-mail.ts';
export { openServices } from './services.ts';
export { startLines } from './start-lines.ts';

export type Application = {
  app: Hono<HttpEnv>;
  /** The answer to a request that is kept in memory for everyone, with all its header fields; null for every other. */
  recall(request: IncomingMessage): QuickAnswer | null;
  /** Null when the settings ask for none. */
  metrics: Metrics | null;
  /** The path that opens /mail once, printed at the start; null when mail is sent. */
  mailPath: string | null;
};

/**
 * The HTTP application. `services` returns null until the database is open and the snapshot loaded: until then
 * /healthz says alive and /readyz says not ready. `peerAddress` gives the address at the other end of the connection;
 * tests without a socket supply their own.
 */
export function createApp(
  settings: Settings,
  log: Log,
  services: () => Services | null,
  peerAddress: (c: Context) => string = (c) => getConnInfo(c).remote.address ?? '',
): Application {
  const app = new Hono<HttpEnv>();
  const security = { https: settings.baseUrl.startsWith('https:') };
  const readAddress = addressReader(settings.trustedProxies);
  const addressOf = (c: Context) => readAddress(peerAddress(c), c.req.header('X-Forwarded-For'));
  const localMail = localReader({ baseUrl: settings.baseUrl, written: !settings.smtp }, peerAddress);
  const renderPage = createRequestHandler(build, import.meta.env.MODE);
  // Staff open one page after the other: their browser keeps the list of all routes as a file.
  const { manifestPath } = build.routeDiscovery;
  const forStaff = { ...build, routeDiscovery: { mode: 'initial', manifestPath } as const };
  const renderStaffPage = createRequestHandler(forStaff, import.meta.env.MODE);
  const render: typeof renderPage = (request, context) =>
    isForStaff(new URL(request.url).pathname) ? renderStaffPage(request, context) : renderPage(request, context);
  const pages = sharedPages(build);
  const stateOf = ({ clock, snapshot, traffic }: Services): SharedState => ({
    clock,
    snapshot: snapshot.current(),
    pages: traffic.pages,
  });

  const metrics = settings.metrics ? createMetrics(routePatterns(build.routes), services, settings) : null;
  const vitals: Vitals | null = metrics && { share: settings.vitalsShare, record: metrics.vitals };
  const record = (request: Answered) => {
    logRequest(log, request);
    metrics?.answered(request);
  };

  app.use(recordRequests(record));
  app.use(tagFiles);
  app.use(compressBodies);
  app.use(securityHeaders({ ...security, payAt: settings.stripe?.checkoutOrigin ?? null }));
  app.get('/healthz', (c) => {
    c.get('info').route = '/healthz';
    return c.text('alive\n', 200, { 'Cache-Control': 'no-store' });
  });
  app.get('/readyz', async (c) => {
    c.get('info').route = '/readyz';
    const state = await readiness(services());
    const headers = { 'Cache-Control': 'no-store' };
    return state.ready ? c.text('ready\n', 200, headers) : c.text(`not ready: ${state.reason}\n`, 503, headers);
  });
  app.use(keepPrivate);
  app.use(checkRequestLine);
  if (import.meta.env.PROD) {
    const root = path.relative(process.cwd(), path.join(projectRoot, 'build/client'));
    app.use('/assets/*', async (c, next) => {
      c.get('info').route = '/assets/*';
      await next();
      if (c.res.ok) c.header('Cache-Control', 'public, max-age=31536000, immutable');
    });
    app.use('/assets/*', serveStatic({ root, precompressed: true }));
    app.all('/assets/*', (c) => c.text('Not found\n', 404));
  }
  app.use(redirectToCanonical);
  const visitorOf = (c: Context) => networksOf(addressOf(c));
  const inFlight = createInFlight();
  app.use(
    shedLoad((c) => {
      const open = services();
      // The program answers every request that arrived whole before a stop: no other process can.
      if (!open || open.stopping) return false;
      // A crowd that waits for the seats of one course date keeps nobody else from a page (P88).
      const sites = Math.max(0, inFlight.sites() - passingSeatGate(open.database.db));
      return open.traffic.isBehind(visitorOf(c), sites);
    }),
  );
  const arrive = async (visitor: VisitorNetworks) => services()?.traffic.arrivals.take(visitor, async () => undefined);
  app.use(limitInFlight(inFlight, visitorOf, arrive));
  app.use(refuseForeignOrigin(settings.baseUrl));
  app.get('/status', async (c, next) => {
    const open = services();
    if (!open || !wantsJson(c.req.header('Accept'))) return next();
    c.get('info').route = '/status';
    return c.json({ parts: await readStatus(open) }, 200, statusHeaders);
  });
  app.use(limitBodies());
  app.get('/mail/open/:key', async (c, next) => {
    c.get('info').route = '/mail/open/:key';
    return localMail.open(c, c.req.param('key')) ?? next();
  });
  const contextOf = requestContexts({ settings, log, vitals, render });
  const opening = createBackOff(3);
  app.all('*', async (c) => {
    const open = services();
    if (!open) {
      const text = 'The academy is starting.';
      return retryPage(c.req.raw, { status: 503, title: 'Opening shortly', text, seconds: opening.seconds() });
    }
    if (pages.isNoFile(c.req.path)) {
      c.get('info').route = '/*';
      return c.text('Not found\n', 404, { 'Cache-Control': 'public, max-age=300' });
    }
    const address = addressOf(c);
    const networks = networksOf(address);
    const context = contextOf({ info: c.get('info'), mayReadMail: localMail.mayRead(c), address, networks }, open);
    const info = c.get('info');
    const shared = await pages.answer(c.req.raw, stateOf(open), settings.baseUrl, (request) => {
      // A shared answer must not depend on the visitor who asked for it.
      context.set(clientAddressContext, '');
      return render(request, context);
    });
    if (shared?.answer) {
      info.route = shared.route;
      metrics?.sharedPage(shared.found);
      open.visits.answered({
        method: c.req.method,
        route: shared.route,
        target: c.req.raw.url.slice(c.req.raw.url.indexOf('/', 8)),
        status: shared.answer.status,
        field: (name) => c.req.header(name),
        network: () => networks.customer,
      });
      return new Response(shared.answer.body, shared.answer);
    }
    const response = shared?.response ?? (await render(c.req.raw, context));
    // The client left before its request was whole: nobody is there to answer, and nothing is wrong here.
    if (c.req.raw.signal.aborted) return c.body(null, 400);
    if (!response.headers.has('Cache-Control')) {
      response.headers.set('Cache-Control', response.status === 301 ? renamedFor : 'private, no-cache');
    }
    if (response.status === 503 && !response.headers.has('Retry-After')) response.headers.set('Retry-After', '10');
    // The router knows that a page takes no posts; which methods it does take, HTTP wants to be told.
    if (response.status === 405) response.headers.set('Allow', 'GET, HEAD, OPTIONS');
    return response;
  });
  app.onError((err, c) => {
    if (c.req.raw.signal.aborted) return c.body(null, 400);
    log.error({ err, id: c.get('info').id }, 'unhandled error');
    return plainPage(500, 'Unexpected Application Error!', 'Something failed on our side. Please try again.');
  });
  const fixed = Object.entries(fixedHeaders(security));
  function recall({ method = '', url = '', headers, socket }: IncomingMessage): QuickAnswer | null {
    const open = services();
    // Other spellings of a host are checked with the rest of the request line.
    if (!open || !/^[\w.:[\]-]*$/.test(headers.host ?? '')) return null;
    const startedAt = performance.now();
    const question = {
      method,
      acceptEncoding: headers['accept-encoding'],
      ifNoneMatch: headers['if-none-match'],
      cookie: headers.cookie,
    };
    const answer = pages.recall(url, question, stateOf(open));
    if (!answer) return null;
    const id = randomUUID();
    const trace = traceOf(fieldOf(headers, 'traceparent'));
    const own = new Set(answer.headers.map(([name]) => name));
    const all = fixed.filter(([name]) => !own.has(name.toLowerCase())).concat(answer.headers, [['x-request-id', id]]);
    const { status, body, route } = answer;
    metrics?.sharedPage('hit');
    open.visits.answered({
      ...{ method, route, target: url, status },
      field: (name) => fieldOf(headers, name),
      network: () => networksOf(readAddress(socket.remoteAddress ?? '', fieldOf(headers, 'x-forwarded-for'))).customer,
    });
    return { status, body, fields: all.flat(), sent: () => record({ id, trace, method, route, status, startedAt }) };
  }
  return { app, recall, metrics, mailPath: settings.smtp ? null : localMail.path };
}

/** A header field of a request; undefined when it is missing or occurs several times. */
function fieldOf(headers: IncomingMessage['headers'], name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
