import { defineConfig } from '@playwright/test';
import { chromiumOptions } from './tests/e2e/chromium-options.ts';
import { metricsPort } from './tests/e2e/metrics-port.ts';
import { programData } from './tests/e2e/program-data.ts';
import { stripePort, stripeWebhookSecret } from './tests/e2e/stripe-port.ts';

const port = Number(process.env.E2E_PORT ?? 4180);

const desktop = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true };
const buying = '**/buying';

export default defineConfig({
  testDir: 'tests/e2e',
  // Its own folder: Playwright empties it, and other reports lie beside.
  outputDir: 'test-results/e2e',
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // How busy the machine is must not decide a test: `npm test` runs others beside these.
  timeout: 10 * 60_000,
  expect: { timeout: 60_000 },
  reporter: process.env.E2E_REPORT ? [['json', { outputFile: process.env.E2E_REPORT }]] : 'list',
  use: {
    baseURL: `http://localhost:${port}`,
    launchOptions: chromiumOptions({ pictures: false }),
    // What moves is tested where that is the subject; drawn for every journey, it costs a fifth of the processor's time.
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'en-AU',
    timezoneId: 'Australia/Brisbane',
  },
  projects: [
    // Files named for one of the two run there only, and at one width what is the same at both.
    { name: 'desktop', testIgnore: ['**/*.phone.spec.ts', `${buying}/**`], grepInvert: /@phone/, use: desktop },
    { name: 'phone', testIgnore: ['**/*.desktop.spec.ts', `${buying}/**`], grepInvert: /@once/, use: phone },
    // After all the others, which find the academy as content/ has it: these sell seats and make course dates.
    { name: 'buying', testMatch: `${buying}/*.desktop.spec.ts`, dependencies: ['desktop', 'phone'], use: desktop },
    {
      name: 'buying on a phone',
      testMatch: `${buying}/*.phone.spec.ts`,
      dependencies: ['desktop', 'phone'],
      use: phone,
    },
    // The second ring: every page by axe and by keyboard.
    { name: 'torture', testDir: 'tests/torture/browser', timeout: 40 * 60_000, use: desktop },
  ],
  webServer: {
    command: 'node tests/e2e/start-program.ts',
    url: `http://localhost:${port}/readyz`,
    env: {
      PORT: String(port),
      DATA_DIR: programData,
      BACKUP_DIR: 'off',
      TODAY: '2025-09-08T09:00',
      LOG_LEVEL: 'error',
      METRICS_PORT: String(metricsPort),
      // Only the test that is about them measures visits.
      VITALS_SAMPLE: '0.000001',
      // Two browsers beside it on two cores: how busy the machine is must not decide a test.
      SHED_AFTER: '10000',
      TRUSTED_PROXIES: '127.0.0.1,::1',
      STRIPE_SECRET_KEY: 'sk_test_e2e',
      STRIPE_WEBHOOK_SECRET: stripeWebhookSecret,
      STRIPE_API_URL: `http://127.0.0.1:${stripePort}`,
    },
    stdout: 'ignore',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
});
