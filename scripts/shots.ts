/**
 * `npm run shots [-- NAME ...]`: screenshots of all pages and main states into shots/, three widths, both schemes. Pages
 * of buyers and staff, and ten emails, are among them. References and times of day are made the same, so that two runs are the same.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { projectRoot } from '#app/env.server.ts';
import { findChromium, installChromium } from '#scripts/support/chromium.ts';
import { draftOf, enroller } from '#scripts/support/enrolling.ts';
import { runScript, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { publicPagesByName } from '#scripts/support/public-pages.ts';
import { mailsAsHtml } from './mail.ts';

type Shot = {
  name: string;
  address: string;
  /** Shown instead of the address. */
  html?: string;
  act?: (page: Page) => Promise<unknown>;
  /** Whether the picture shows the whole page after an act too; otherwise it shows the screen. */
  whole?: boolean;
};

const shots: Shot[] = [
  ...Object.entries(publicPagesByName).map(([name, address]) => ({ name, address })),
  { name: 'home-demo', address: '/', act: (page) => page.getByRole('link', { name: 'Watch Demo' }).first().click() },
  { name: 'menu-open', address: '/courses', act: openMenu },
  { name: 'suggestions', address: '/courses', act: suggest },
  { name: 'courses-none', address: '/courses?search=kubernetis' },
  { name: 'course-dates', address: '/course/comptia-security-plus' },
  { name: 'course-not-found', address: '/course/none' },
  { name: 'not-found', address: '/none' },
  { name: 'certification-retired', address: '/certifications/az-500' },
  { name: 'calendar-none', address: '/training-calendar?mode=online&level=expert' },
  {
    name: 'contact-errors',
    address: '/contact',
    act: (page) => page.getByRole('button', { name: 'Send Message' }).click(),
  },
  { name: 'enrol-find', address: '/enrol' },
  { name: 'enrol-combo', address: '/enrol?combo=cloud-defender' },
  { name: 'enrol-course-date', address: '/enrol?courseDate=ethical-hacker-sydney' },
  { name: 'sent', address: '/enrol?courseDate=ethical-hacker-sydney', act: sendRequest, whole: true },
  { name: 'error', address: '/courses', act: leaveOffline, whole: true },
  { name: 'faq-open', address: '/faq', act: (page) => page.getByRole('main').locator('summary').first().click() },
];

const emailKinds = [
  'enrolment-placed',
  'place-given',
  'place-reminder',
  'place-course-date-cancelled',
  'payment-reminder',
  'money-receipt',
  'invoice-copy',
  'booking-confirmation',
  'waiting-offer',
  'email-code',
];

async function openMenu(page: Page) {
  const toggle = page.locator('summary[aria-label=Menu]');
  if (await toggle.isVisible()) await toggle.click();
}

async function suggest(page: Page) {
  const toggle = page.locator('summary[aria-label=Search]');
  if (await toggle.isVisible()) await toggle.click();
  await page.getByRole('combobox', { name: 'Search courses' }).filter({ visible: true }).fill('cloud');
  await page.getByRole('listbox').waitFor();
}

async function sendRequest(page: Page) {
  await page.getByRole('radio', { name: '7 or more' }).check();
  await page.getByLabel('7 or more: how many?').fill('7');
  await page.getByRole('button', { name: 'Continue to the request' }).click();
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Byron');
  await page.getByLabel('Email').fill('ada@example.com');
  // A form sent within two seconds counts as a machine's (P24).
  await sleep(2500);
  await page.getByRole('button', { name: 'Send my request' }).click();
  await page.getByRole('heading', { level: 1, name: 'has arrived' }).waitFor();
}

async function leaveOffline(page: Page) {
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'FAQ', exact: true }).click();
  await page.getByRole('heading', { name: 'Unexpected Application Error!' }).waitFor();
  await page.context().setOffline(false);
}

const executablePath = findChromium();
if (!executablePath) {
  console.error(`Chromium is needed. Run: sudo sh -c '${installChromium}'`);
  process.exit(1);
}
const folder = path.join(projectRoot, 'shots');
mkdirSync(folder, { recursive: true });

const data = temporaryFolder();
const env = { DATA_DIR: data.folder, TODAY: '2025-09-08T09:00', LOG_LEVEL: 'error' };
const program = await startProgram(env);
const people = await pagesOfPeople(program.url, env);
const wanted = process.argv.slice(2);
const samples = await mailsAsHtml();
const emails = emailKinds.map((kind) => ({ name: `email-${kind}`, address: '/', html: samples[kind] ?? '' }));
const chosen: Shot[] = [...shots, ...people.addresses, ...emails].filter(
  ({ name }) => wanted.length === 0 || wanted.includes(name),
);
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
for (const width of [375, 768, 1440]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      reducedMotion: 'reduce',
      locale: 'en-AU',
      timezoneId: 'Australia/Brisbane',
    });
    await context.addCookies([{ ...people.cookie, url: program.url }]);
    for (const shot of chosen) await photograph(context, shot, `${shot.name}-${width}-${colorScheme}.png`);
    await context.close();
    console.log(`${width} px, ${colorScheme}: ${chosen.length} pictures`);
  }
}
await browser.close();
await program.end('SIGTERM');
data.remove();
console.log(`Pictures are in ${folder}`);

async function photograph(
  context: BrowserContext,
  { address, html, act, whole = act === undefined }: Shot,
  file: string,
) {
  const page = await context.newPage();
  await (html === undefined ? page.goto(program.url + address) : page.setContent(html));
  // Pages of staff keep a connection open for news.
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined);
  await page.evaluate(() => {
    for (const image of document.images) image.loading = 'eager';
    return Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
  });
  await act?.(page);
  await page.evaluate(makeSame);
  await page.screenshot({ path: path.join(folder, file), fullPage: whole, animations: 'disabled' });
  await page.close();
}

/** Runs in the page: writes what differs from run to run (references, times of day) as what is always the same. */
function makeSame() {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data } = texts.currentNode as Text;
    const same = data
      .replace(/BB(-?)[2-9A-HJ-NP-Z]{6}/g, 'BB$1222222')
      .replace(/\b\d{1,2}:\d\d(:\d\d)?\s?([AaPp][Mm])/g, '9:00 AM')
      .replace(/\b\d+ (seconds?|minutes?|ms)\b/g, '5 minutes');
    if (same !== data) (texts.currentNode as Text).data = same;
  }
}

function firstMatch(pattern: RegExp, text: string): string {
  return pattern.exec(text)?.[1] ?? '';
}

/**
 * Enrols, writes and signs in as staff at a running program, the way people do; returns the pages that are there only
 * then and the cookie that opens those of staff. `env` is what the program was started with.
 */
async function pagesOfPeople(
  url: string,
  env: Record<string, string>,
): Promise<{ addresses: Shot[]; cookie: { name: string; value: string } }> {
  const request = (path: string, init: RequestInit = {}) => fetch(new URL(path, url), { redirect: 'manual', ...init });
  const read = async (path: string) => (await request(path)).text();
  const mailTo = async (email: string) => {
    const list = await read('/mail');
    const row = list.slice(0, list.indexOf(email)).lastIndexOf('/mail/');
    return read(`${firstMatch(/(\/mail\/[0-9a-f-]{36})/, list.slice(row))}/html`);
  };
  const code = async (email: string): Promise<string> => {
    for (let turn = 0; turn < 100; turn++) {
      const found = firstMatch(/>\s*(\d{6})\s*</, await mailTo(email));
      if (found) return found;
      await sleep(200);
    }
    throw new Error(`no code reached ${email}`);
  };
  const visitor = enroller({ request, code });
  const draftFor = async (query: string, fields: Record<string, string>) => {
    const form = await visitor.filled(`/enrol?${query}`, fields);
    // A form sent within two seconds counts as a machine's (P24).
    await sleep(2500);
    const draft = draftOf(await visitor.post('/enrol', form));
    if (!draft) throw new Error(`no draft for ${query}`);
    return draft;
  };
  const courseDate = 'courseDate=ethical-hacker-sydney';
  const dated = { attendees: '2', 'way-certified-ethical-hacker': 'course-date:ethical-hacker-sydney' };
  const open = await draftFor(courseDate, dated);
  const addresses: Shot[] = ['', '/payer'].map((step) => ({
    name: `enrol-step${step.replace('/', '-')}`,
    address: open + step,
  }));

  const reviewed = await draftFor(courseDate, dated);
  await visitor.fillIn(reviewed, 'katherine@example.com');
  addresses.push({ name: 'enrol-step-review', address: `${reviewed}/review` });

  const placed = await draftFor(courseDate, dated);
  await visitor.fillIn(placed, 'ada@example.com', {
    payer: 'organisation',
    organisation: 'Engines Pty Ltd',
    abn: '51 824 753 556',
  });
  const doneAddress = (await visitor.place(placed)).headers.get('Location') ?? '';
  addresses.push({ name: 'enrol-step-done', address: doneAddress });
  const done = await read(doneAddress);
  const own = firstMatch(/href="(\/enrolment\/[^"/]+)"/, done);
  const reference = firstMatch(/(BB-[2-9A-HJ-NP-Z]{6})/, done);
  if (!own || !reference) throw new Error(`no enrolment at ${doneAddress}`);
  const ownPage = await read(own);
  addresses.push({ name: 'enrolment', address: own });
  for (const act of ['cancel', 'add', 'details', 'transfer', 'attendee']) {
    const path = firstMatch(new RegExp(`href="(${own}/${act}[^"]*)"`), ownPage);
    if (path) addresses.push({ name: `enrolment-${act}`, address: path });
  }

  const invite = runScript('staff.ts', ['invite', 'staff@example.com', '--name', 'Joan Clarke'], env);
  await invite.end();
  const link = firstMatch(/(http\S+\/staff\/sign-in\/\S+)/, invite.output());
  const signIn = new URL(link);
  const confirm = await visitor.filled(signIn.pathname + signIn.search, {});
  const answer = await visitor.post('/staff/sign-in/confirm', confirm);
  const [, name, value] = /([^=,\s]*sign-in[^=]*)=([^;]+)/.exec(answer.headers.get('Set-Cookie') ?? '') ?? [];
  if (!name || !value) throw new Error(`nobody signed in: ${answer.status} ${invite.output()}`);

  const staff: [string, string][] = [
    ['start', ''],
    ['enquiries', '/enquiries'],
    ['bookings', '/bookings'],
    ['conversations', '/conversations'],
    ['waiting', '/waiting'],
    ['card-payments', '/card-payments'],
    ['mail', '/mail'],
    ['courseDates', '/course-dates'],
    ['course-date-new', '/course-dates/new'],
    ['courseDate', '/course-dates/ethical-hacker-sydney'],
    ['course-date-attendees', '/course-dates/ethical-hacker-sydney/attendees'],
    ['course-date-move', '/course-dates/ethical-hacker-sydney/move'],
    ['course-date-cancel', '/course-dates/ethical-hacker-sydney/cancel'],
    ['enrolments', '/enrolments'],
    ['enrolment-new', '/enrolments/new'],
    ['enrolment', `/enrolments/${reference}`],
    ['enrolment-buyer', `/enrolments/${reference}/buyer`],
    ['enrolment-cancel', `/enrolments/${reference}/cancel`],
    ['payments', '/payments'],
    ['owed', '/owed'],
    ['trace', '/trace'],
    ['reports', '/reports'],
    ['faults', '/faults'],
    ['not-found', '/none'],
  ];
  addresses.push(...staff.map(([name, path]) => ({ name: `staff-${name}`, address: `/staff${path}` })));
  return { addresses, cookie: { name, value } };
}
