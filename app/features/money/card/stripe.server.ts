import { z } from 'zod';
import type { StripeSettings } from '#app/env.server.ts';
import type { Cents } from '#app/lib/money.ts';
import { type RefundFact, refundObject } from './stripe-events.ts';

/** The version in whose shapes answers are read. Events have that of the webhook endpoint; what we read is the same. */
const apiVersion = '2025-03-31.basil';

/** How often a call is made at most. */
const attempts = 3;

/** Stripe did not do it. `refused`: it never will; otherwise nobody knows whether it did, or will when asked again. */
type StripeFault = { ok: false; refused: boolean; message: string };
type Answer<T> = ({ ok: true } & T) | StripeFault;

export type NewCheckout = {
  /** Its idempotency key, and its name in `metadata`. */
  key: string;
  amountCents: Cents;
  reference: string;
  title: string;
  email: string;
  expiresAt: Date;
  /** Where Stripe sends the buyer back to, paid or not. */
  returnUrl: string;
};

type NewStripeRefund = { source: string; paymentIntent: string; amountCents: Cents };

/** The calls of Stripe's API that are needed. */
export type Stripe = {
  webhookSecret: string;
  createCheckout(checkout: NewCheckout): Promise<Answer<{ stripeId: string; url: string }>>;
  expireCheckout(stripeId: string): Promise<Answer<object>>;
  /** `complete`: the buyer has paid, or a bank still works on it. */
  checkoutStatus(stripeId: string): Promise<Answer<{ status: 'open' | 'complete' | 'expired' }>>;
  refund(refund: NewStripeRefund): Promise<Answer<{ refund: RefundFact }>>;
  refundsOf(paymentIntent: string): Promise<Answer<{ refunds: RefundFact[] }>>;
  /** What was paid by card since a moment, the newest first; `more` when there are older ones than the hundred listed. */
  paymentsSince(at: Date): Promise<Answer<{ payments: CardPayment[]; more: boolean }>>;
};

type CardPayment = { paymentIntent: string; amountCents: Cents; paidAt: Date; description: string };

const charges = z
  .object({
    has_more: z.boolean(),
    data: z.array(
      z.object({
        payment_intent: z.string().nullable(),
        amount: z.number(),
        created: z.number(),
        paid: z.boolean(),
        description: z.string().nullable(),
      }),
    ),
  })
  .transform(({ has_more, data }) => ({
    more: has_more,
    payments: data.flatMap(({ payment_intent, amount, created, paid, description }) =>
      paid && payment_intent
        ? {
            paymentIntent: payment_intent,
            amountCents: amount,
            paidAt: new Date(created * 1000),
            description: description ?? '',
          }
        : [],
    ),
  }));

/** `callMs` is how long one call may take. */
export function openStripe({ secretKey, webhookSecret, apiUrl }: StripeSettings, callMs = 10_000): Stripe {
  const call = caller(apiUrl, secretKey, callMs);
  return {
    webhookSecret,
    createCheckout({ key, amountCents, reference, title, email, expiresAt, returnUrl }) {
      const fields = {
        mode: 'payment',
        'payment_method_types[0]': 'card',
        client_reference_id: reference,
        customer_email: email,
        'line_items[0][quantity]': '1',
        'line_items[0][price_data][currency]': 'aud',
        'line_items[0][price_data][unit_amount]': String(amountCents),
        'line_items[0][price_data][product_data][name]': `${title} (${reference})`,
        'metadata[checkout]': key,
        'payment_intent_data[description]': `Enrolment ${reference}`,
        'payment_intent_data[metadata][checkout]': key,
        expires_at: String(Math.floor(expiresAt.getTime() / 1000)),
        success_url: returnUrl,
        cancel_url: returnUrl,
      };
      return call(
        { path: '/v1/checkout/sessions', fields, idempotencyKey: key },
        z.object({ id: z.string(), url: z.url() }).transform(({ id, url }) => ({ stripeId: id, url })),
      );
    },
    expireCheckout(stripeId) {
      const path = `/v1/checkout/sessions/${encodeURIComponent(stripeId)}/expire`;
      return call({ path, fields: {} }, z.object({}));
    },
    checkoutStatus(stripeId) {
      const path = `/v1/checkout/sessions/${encodeURIComponent(stripeId)}`;
      return call({ path }, z.object({ status: z.enum(['open', 'complete', 'expired']) }));
    },
    refund({ source, paymentIntent, amountCents }) {
      const fields = { payment_intent: paymentIntent, amount: String(amountCents), 'metadata[refund]': source };
      return call(
        { path: '/v1/refunds', fields, idempotencyKey: `refund ${source}` },
        refundObject.transform((refund) => ({ refund })),
      );
    },
    refundsOf(paymentIntent) {
      const path = `/v1/refunds?${new URLSearchParams({ payment_intent: paymentIntent, limit: '100' })}`;
      return call(
        { path },
        z.object({ data: z.array(refundObject) }).transform(({ data }) => ({ refunds: data })),
      );
    },
    paymentsSince(at) {
      const since = String(Math.floor(at.getTime() / 1000));
      return call({ path: `/v1/charges?${new URLSearchParams({ 'created[gte]': since, limit: '100' })}` }, charges);
    },
  };
}

type Call = {
  path: string;
  /** Without them it is a GET. */
  fields?: Record<string, string>;
  idempotencyKey?: string;
};

/**
 * Calls, and calls again when no answer or a passing failure comes: with an idempotency key the same thing is done once
 * (https://docs.stripe.com/api/idempotent_requests).
 */
function caller(apiUrl: string, secretKey: string, callMs: number) {
  return async <T extends object>({ path, fields, idempotencyKey }: Call, shape: z.ZodType<T>): Promise<Answer<T>> => {
    const headers = new Headers({ Authorization: `Bearer ${secretKey}`, 'Stripe-Version': apiVersion });
    if (idempotencyKey) headers.set('Idempotency-Key', idempotencyKey);
    let message = '';
    for (let attempt = 0; attempt < attempts; attempt++) {
      try {
        const response = await fetch(apiUrl + path, {
          headers,
          redirect: 'error',
          signal: AbortSignal.timeout(callMs),
          ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
        });
        const body: unknown = await response.json();
        if (response.ok) return { ok: true, ...shape.parse(body) };
        message = messageOf(body) ?? `Stripe answered ${response.status}`;
        const passing = response.status >= 500 || [408, 409, 429].includes(response.status);
        // A wrong key is ours to correct; the request waits until then.
        if (!passing) return { ok: false, refused: ![401, 403].includes(response.status), message };
      } catch (error) {
        message = error instanceof z.ZodError ? 'Stripe answered in another shape' : 'Stripe could not be reached';
      }
    }
    return { ok: false, refused: false, message };
  };
}

function messageOf(body: unknown): string | undefined {
  const said = z.object({ error: z.object({ message: z.string().max(1000) }) }).safeParse(body);
  return said.data?.error.message;
}
