/** Composition root, and the entry of the server build: routes and server share one module graph. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import * as build from 'virtual:react-router/server-build';
import { getConnInfo } from '@hono/node-server/conninfo';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createRequestHandler, RouterContextProvider } from 'react-router';
import { projectRoot, type Settings } from '#app/env.server.ts';
import { doorContext } from '#app/features/accounts/door.server.ts';
import { liveContext } from '#app/features/conversations/live.server.ts';
import { clientAddressContext, enquiriesContext } from '#app/features/enquiries/submit.server.ts';
import { stripeContext } from '#app/features/enrolments/card/checkouts.server.ts';
import { largestStatement } from '#app/features/enrolments/desk/uploads.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { redirectToCanonical } from '#app/http/canonical-address.server.ts';
import { addressReader, isLoopback, networkOf } from '#app/http/client-address.server.ts';
import { baseUrlContext, clockContext, logContext, requestInfoContext } from '#app/http/context.ts';
import { compressBodies } from '#app/http/encoding.server.ts';
import { tagFiles } from '#app/http/entity-tag.server.ts';
import { type Answered, type HttpEnv, type Log, logRequest, recordRequests } from '#app/http/log.server.ts';
import { refuseForeignOrigin } from '#app/http/origin-check.server.ts';
import { plainPage } from '#app/http/plain-page.server.ts';
import { keepPrivate } from '#app/http/private-pages.server.ts';
import { checkRequestLine } from '#app/http/request-line.server.ts';
import { fixedHeaders, securityHeaders } from '#app/http/security-headers.server.ts';
import { filesContext, limitInFlight, shedLoad, takeTurnContext } from '#app/http/traffic.server.ts';
import { type Vitals, vitalsContext } from '#app/http/vitals.server.ts';
import { localMailContext } from '#app/outbox/local-mail.server.ts';
import type { QuickAnswer } from './http-server.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { readiness } from './readiness.ts';
import { routePatterns } from './route-patterns.ts';
import type { Services } from './services.ts';
import { type SharedState, sharedPages } from './shared-pages.ts';

const largestBody = 64 * 1024;
/** An address that was renamed may be used again: nobody keeps the old way for longer than an hour. */
const renamedFor = 'public, max-age=3600, s-maxage=300';

export { mailLink } from '#app/features/accounts/door.server.ts';
export { openServices } from './services.ts';

export type Application = {
  app: Hono<HttpEnv>;
  /** The answer to a request that is kept in memory for everyone, with all its header fields; null for every other. */
  recall(request: IncomingMessage): QuickAnswer | null;
  /** Null when the settings ask for none. */
  metrics: Metrics | null;
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
  /** Whoever sits at this computer, on a program that is only for them: not behind a proxy, and not through one. */
  const mayReadMail = (c: Context) =>
    !settings.smtp &&
    isLoopback(new URL(settings.baseUrl).hostname) &&
    isLoopback(peerAddress(c)) &&
    ['X-Forwarded-For', 'Forwarded', 'Via'].every((name) => c.req.header(name) === undefined);
  const render = createRequestHandler(build, import.meta.env.MODE);
  const pages = sharedPages(build);
  const stateOf = ({ clock, snapshot, traffic }: Services): SharedState => ({
    clock,
    snapshot: snapshot.current(),
    pages: traffic.pages,
  });

  const metrics = settings.metrics ? createMetrics(routePatterns(build.routes), services) : null;
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
  app.use('/staff/*', keepPrivate);
  app.use('/staff.data', keepPrivate);
  // The form to begin with is public; the steps beneath are one person's.
  app.use('/enrol/:draft/*', keepPrivate);
  app.use('/enrolment/*', keepPrivate);
  app.use('/place/*', keepPrivate);
  app.use('/waiting/*', keepPrivate);
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
  app.use(shedLoad(() => services()?.traffic.isBehind() ?? false));
  const arrive = async (network: string) => services()?.traffic.arrivals.take(network, async () => undefined);
  app.use(limitInFlight((c) => networkOf(addressOf(c)), arrive));
  app.use(refuseForeignOrigin(settings.baseUrl));
  const limitBody = bodyLimit({ maxSize: largestBody, onError: tooLarge });
  const limitStatement = bodyLimit({ maxSize: largestStatement + largestBody, onError: statementTooLarge });
  app.use((c, next) => (bringsStatement(c) ? limitStatement(c, next) : limitBody(c, next)));
  app.all('*', async (c) => {
    const open = services();
    if (!open) {
      return plainPage(503, 'Opening shortly', 'The academy is starting. Please try again in a few seconds.', {
        'Retry-After': '3',
      });
    }
    if (pages.isNoFile(c.req.path)) {
      c.get('info').route = '/*';
      return c.text('Not found\n', 404, { 'Cache-Control': 'public, max-age=300' });
    }
    const address = addressOf(c);
    const context = new RouterContextProvider();
    context.set(requestInfoContext, c.get('info'));
    context.set(logContext, log);
    context.set(clockContext, open.clock);
    context.set(baseUrlContext, settings.baseUrl);
    context.set(snapshotContext, open.snapshot);
    context.set(enquiriesContext, open.enquiries);
    context.set(doorContext, open.door);
    context.set(liveContext, open.live);
    context.set(stripeContext, open.stripe);
    context.set(clientAddressContext, address);
    context.set(localMailContext, mayReadMail(c) ? open.database.db : null);
    context.set(vitalsContext, vitals);
    context.set(filesContext, open.traffic.files);
    context.set(takeTurnContext, (task) => open.traffic.turns.take(networkOf(address), task));
    const info = c.get('info');
    const shared = await pages.answer(c.req.raw, stateOf(open), settings.baseUrl, (request) => {
      // What is shared must not know who asked.
      context.set(clientAddressContext, '');
      return render(request, context);
    });
    if (shared?.answer) {
      info.route = shared.route;
      metrics?.sharedPage(shared.found);
      return new Response(shared.answer.body, shared.answer);
    }
    const response = shared?.response ?? (await render(c.req.raw, context));
    // The client left before its request was whole: nobody is there to answer, and nothing is wrong here.
    if (c.req.raw.signal.aborted) return c.body(null, 400);
    if (!response.headers.has('Cache-Control')) {
      response.headers.set('Cache-Control', response.status === 301 ? renamedFor : 'private, no-cache');
    }
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
  function recall({ method = '', url = '', headers }: IncomingMessage): QuickAnswer | null {
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
    const own = new Set(answer.headers.map(([name]) => name));
    const all = fixed.filter(([name]) => !own.has(name.toLowerCase())).concat(answer.headers, [['x-request-id', id]]);
    const { status, body, route } = answer;
    metrics?.sharedPage('hit');
    return { status, body, fields: all.flat(), sent: () => record({ id, method, route, status, startedAt }) };
  }
  return { app, recall, metrics };
}

/** Staff upload bank statements as files; whoever is not signed in as staff is answered before the body is read. */
function bringsStatement({ req }: Context): boolean {
  return /^\/staff\/payments(\.data)?$/.test(req.path) && (req.header('Content-Type') ?? '').startsWith('multipart/');
}

function statementTooLarge(): Response {
  return plainPage(413, 'The file is over 2 MB', 'Nothing was stored. Download fewer months at once from the bank.');
}

function tooLarge(): Response {
  return plainPage(
    413,
    'That is too much at once',
    'Nothing was stored. Shorten your message to a few pages and send it again.',
  );
}
