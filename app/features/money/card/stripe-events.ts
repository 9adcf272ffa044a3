import { z } from 'zod';
import type { Cents } from '#app/lib/money.ts';

/** A Checkout Session as far as it concerns us. */
export type CheckoutFact = {
  stripeId: string;
  /** The key of the checkout that we made; null for one that is not ours. */
  key: string | null;
  /** The reference of its enrolment. */
  reference: string | null;
  amountCents: Cents;
  currency: string;
  paid: boolean;
  paymentIntent: string | null;
};

export type RefundFact = {
  stripeId: string;
  /** The source of the refund that we asked for; null for one that was made at Stripe. */
  source: string | null;
  paymentIntent: string;
  amountCents: Cents;
  /** When it was made, by Stripe's clock, in seconds; null when Stripe does not say. */
  created: number | null;
  failed: boolean;
  fault: string | null;
};

export type DisputeFact = {
  stripeId: string;
  paymentIntent: string;
  amountCents: Cents;
  status: string;
  reason: string;
};

/** An event of Stripe; `at` is by its clock. */
export type CardEvent = { id: string; at: Date } & (
  | { kind: 'checkout-completed' | 'checkout-paid' | 'checkout-failed' | 'checkout-expired'; checkout: CheckoutFact }
  | { kind: 'refund'; refund: RefundFact }
  /** Some of a payment was refunded; which refunds there are has to be asked for. */
  | { kind: 'charge-refunded'; paymentIntent: string }
  | { kind: 'dispute'; dispute: DisputeFact }
  /** An event that does not concern us. */
  | { kind: 'other'; type: string }
);

const text = z.string().max(500);
const id = z
  .union([text, z.object({ id: text }).transform((object) => object.id)])
  .nullish()
  .transform((value) => value ?? null);
const cents = z.int().min(0).max(2_147_483_647);
const metadata = z
  .record(z.string(), z.string())
  .nullish()
  .transform((value) => value ?? {});

const checkout = z
  .object({
    id: text,
    client_reference_id: text.nullish(),
    amount_total: cents.nullish(),
    currency: text.nullish(),
    payment_status: text,
    payment_intent: id,
    metadata,
  })
  .transform(
    (session): CheckoutFact => ({
      stripeId: session.id,
      key: z.uuid().safeParse(session.metadata.checkout).data ?? null,
      reference: session.client_reference_id ?? null,
      amountCents: session.amount_total ?? 0,
      currency: (session.currency ?? '').toUpperCase(),
      paid: session.payment_status === 'paid',
      paymentIntent: session.payment_intent,
    }),
  );

const paymentIntent = id.transform((value) => value ?? '');

/** A refund as Stripe's API and its events have it. */
export const refundObject = z
  .object({
    id: text,
    amount: cents,
    created: z.int().nullish(),
    payment_intent: paymentIntent,
    status: text.nullish(),
    failure_reason: text.nullish(),
    metadata,
  })
  .transform(
    (refund): RefundFact => ({
      stripeId: refund.id,
      source: refund.metadata.refund ?? null,
      paymentIntent: refund.payment_intent,
      amountCents: refund.amount,
      created: refund.created ?? null,
      failed: refund.status === 'failed' || refund.status === 'canceled',
      fault: refund.failure_reason ?? null,
    }),
  );

const dispute = z
  .object({ id: text, amount: cents, payment_intent: paymentIntent, status: text, reason: text })
  .transform(
    (object): DisputeFact => ({
      stripeId: object.id,
      paymentIntent: object.payment_intent,
      amountCents: object.amount,
      status: object.status,
      reason: object.reason,
    }),
  );

const charge = z.object({ payment_intent: id }).transform((object) => ({ paymentIntent: object.payment_intent }));

const envelope = z.object({ id: text, type: text, created: z.int(), data: z.object({ object: z.unknown() }) });

const checkoutKinds = {
  'checkout.session.completed': 'checkout-completed',
  'checkout.session.async_payment_succeeded': 'checkout-paid',
  'checkout.session.async_payment_failed': 'checkout-failed',
  'checkout.session.expired': 'checkout-expired',
} as const;

/** Reads the body of a webhook; null when it is not what Stripe's documentation says it is. */
export function readEvent(body: string): CardEvent | null {
  const parsed = envelope.safeParse(parseJson(body));
  if (!parsed.success) return null;
  const { id: eventId, type, created, data } = parsed.data;
  const at = new Date(created * 1000);
  const rest = readObject(type, data.object);
  // Charges of other programs on the same account may have no payment intent.
  if (rest && 'refund' in rest && rest.refund.paymentIntent === '') return { id: eventId, at, kind: 'other', type };
  if (rest && 'dispute' in rest && rest.dispute.paymentIntent === '') return { id: eventId, at, kind: 'other', type };
  return rest && { id: eventId, at, ...rest };
}

type Told = CardEvent extends infer One ? (One extends CardEvent ? Omit<One, 'id' | 'at'> : never) : never;

function readObject(type: string, object: unknown): Told | null {
  const [, kind] = Object.entries(checkoutKinds).find(([name]) => name === type) ?? [];
  if (kind) {
    const { data } = checkout.safeParse(object);
    return data ? { kind, checkout: data } : null;
  }
  if (type === 'charge.refunded') {
    const { data } = charge.safeParse(object);
    if (!data) return null;
    const { paymentIntent } = data;
    return paymentIntent === null ? { kind: 'other', type } : { kind: 'charge-refunded', paymentIntent };
  }
  if (type.startsWith('charge.dispute.')) {
    const { data } = dispute.safeParse(object);
    return data ? { kind: 'dispute', dispute: data } : null;
  }
  if (/^refund\.(created|updated|failed)$/.test(type)) {
    const { data } = refundObject.safeParse(object);
    return data ? { kind: 'refund', refund: data } : null;
  }
  return { kind: 'other', type };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
