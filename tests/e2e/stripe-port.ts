/** Where the test about card payment puts its stand-in for Stripe. */
export const stripePort = Number(process.env.E2E_PORT ?? 4180) + 3000;
export const stripeWebhookSecret = 'whsec_e2e';
