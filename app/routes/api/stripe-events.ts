import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import { stripeContext } from '#app/features/money/card/checkouts.server.ts';
import { readEvent } from '#app/features/money/card/stripe-events.ts';
import { isSigned } from '#app/features/money/card/stripe-signature.server.ts';
import { takeEvent } from '#app/features/money/card/take-event.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { logContext } from '#app/http/context.ts';
import { trueTime } from '#app/lib/clock.ts';
import type { Route } from './+types/stripe-events';

/**
 * `POST /stripe/events`: Stripe's webhook. 200 once what it tells is recorded or of no concern; with anything else
 * Stripe sends it again, for up to three days.
 */
export async function action({ context, request }: Route.ActionArgs): Promise<Response> {
  const stripe = context.get(stripeContext);
  if (!stripe) return answer(404, 'Not found');
  const { db, clock } = context.get(academyContext);
  const log = context.get(logContext);
  const body = await request.text();
  // Stripe signs with the true time.
  if (!isSigned(body, request.headers.get('Stripe-Signature'), stripe.webhookSecret, trueTime(clock))) {
    return answer(400, 'The signature does not match');
  }
  const event = readEvent(body);
  if (!event) {
    log.error({}, 'an event of Stripe could not be read');
    return answer(422, 'The event cannot be read');
  }
  const { id, kind } = event;
  try {
    const taken = await takeEvent({ db, stripe, clock }, event);
    log.info({ event: id, kind: kind === 'other' ? event.type : kind, taken }, 'event of Stripe');
    return taken === 'again' ? answer(503, 'Please send it again') : answer(200, 'Taken');
  } catch (error) {
    if (!isConnectionFailure(error)) throw error;
    return answer(503, 'The system is not available');
  }
}

/** There is no page here. */
export const loader = () => answer(404, 'Not found');

const answer = (status: number, text: string) => new Response(`${text}\n`, { status });
