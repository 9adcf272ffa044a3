import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

type Session = { id: string; status: 'open' | 'expired' | 'complete'; fields: URLSearchParams };
type Refund = {
  id: string;
  object: 'refund';
  amount: number;
  payment_intent: string;
  status: string;
  metadata: object;
};
type Charge = { payment_intent: string; amount: number; created: number; paid: boolean; description: string };
type Mishap = 'hang' | 500 | 'done, then cut off' | { status: number; message: string };

export type StripeStandIn = {
  url: string;
  sessions: Session[];
  refunds: Refund[];
  charges: Charge[];
  /** What the next requests meet, one each, before all is well again. */
  mishaps: Mishap[];
  /** Method and path of every request that arrived, with its idempotency key. */
  requests: string[];
  close(): Promise<void>;
};

/**
 * Answers like Stripe's API, as far as the program uses it: the same idempotency key gets the first answer again. Its
 * Checkout page says what it would charge and leads back.
 */
export async function startStripe(port = 0): Promise<StripeStandIn> {
  const answers = new Map<string, object>();
  const state: Omit<StripeStandIn, 'url' | 'close'> = {
    sessions: [],
    refunds: [],
    charges: [],
    mishaps: [],
    requests: [],
  };
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const { pathname, searchParams } = new URL(url, 'http://stripe.test');
    const key = String(headers['idempotency-key'] ?? '');
    const fields = new URLSearchParams(await bodyOf(request));
    if (pathname === '/favicon.ico') return void response.writeHead(204).end();
    if (pathname.startsWith('/pay/')) {
      const session = state.sessions.find(({ id }) => pathname === `/pay/${id}`);
      const amount = session?.fields.get('line_items[0][price_data][unit_amount]');
      response.setHeader('Content-Type', 'text/html');
      response.end(`<h1>Pay ${amount} cents</h1><a href="${session?.fields.get('success_url')}">Done</a>`);
      return;
    }
    state.requests.push([method, url, key].filter((part) => part !== '').join(' '));
    const mishap = state.mishaps.shift();
    const send = (status: number, body: object) => {
      response.statusCode = status;
      response.end(JSON.stringify(body));
    };
    if (mishap === 'hang') return;
    if (mishap === 500) return send(500, { error: { message: 'Something is wrong on our end' } });
    if (typeof mishap === 'object') return send(mishap.status, { error: { message: mishap.message } });
    const made = answers.get(key) ?? act(method, pathname, { fields, searchParams });
    if (key) answers.set(key, made);
    if (mishap === 'done, then cut off') return void response.destroy();
    send('error' in made ? 400 : 200, made);
  });

  function act(
    method: string,
    pathname: string,
    { fields, searchParams }: { fields: URLSearchParams; searchParams: URLSearchParams },
  ): object {
    if (method === 'POST' && pathname === '/v1/checkout/sessions') {
      const id = `cs_test_${randomUUID()}`;
      state.sessions.push({ id, status: 'open', fields });
      return { id, object: 'checkout.session', url: `${address()}/pay/${id}` };
    }
    const session = state.sessions.find(({ id }) => pathname === `/v1/checkout/sessions/${id}/expire`);
    if (session) {
      if (session.status !== 'open') return { error: { message: 'Only open Checkout Sessions can be expired' } };
      session.status = 'expired';
      return { id: session.id, status: 'expired' };
    }
    const asked = state.sessions.find(({ id }) => pathname === `/v1/checkout/sessions/${id}`);
    if (method === 'GET' && asked) return { id: asked.id, object: 'checkout.session', status: asked.status };
    if (method === 'POST' && pathname === '/v1/refunds') {
      const refund: Refund = {
        id: `re_${randomUUID()}`,
        object: 'refund',
        amount: Number(fields.get('amount')),
        payment_intent: fields.get('payment_intent') ?? '',
        status: 'succeeded',
        metadata: { refund: fields.get('metadata[refund]') },
      };
      state.refunds.push(refund);
      return refund;
    }
    if (method === 'GET' && pathname === '/v1/charges') {
      const since = Number(searchParams.get('created[gte]'));
      return { object: 'list', has_more: false, data: state.charges.filter(({ created }) => created >= since) };
    }
    if (pathname === '/v1/refunds') {
      const asked = searchParams.get('payment_intent');
      return { object: 'list', data: state.refunds.filter(({ payment_intent }) => payment_intent === asked) };
    }
    return { error: { message: `Unrecognized request URL (${method}: ${pathname})` } };
  }

  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    ...state,
    url: address(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

/** The body of an event in the shape that Stripe's documentation gives, with the fields that matter here. */
export function stripeEvent(type: string, object: object, at: Date): string {
  return JSON.stringify({
    id: `evt_${randomUUID()}`,
    object: 'event',
    api_version: '2025-03-31.basil',
    created: Math.floor(at.getTime() / 1000),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  });
}

/** The field `Stripe-Signature` of a body. */
export function stripeSignature(body: string, secret: string, at: Date): string {
  const time = Math.floor(at.getTime() / 1000);
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}
