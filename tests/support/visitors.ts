import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '#app/db/client.server.ts';
import { publicPages } from '#scripts/support/public-pages.ts';
import { openDatabase } from '#server/database.ts';

/** Settings of a program that believes the network which a visitor here says to come from. */
export const behindProxy = {
  TRUSTED_PROXIES: '127.0.0.1,::1,::ffff:127.0.0.1',
  LOG_LEVEL: 'error',
  SHED_AFTER: '10000',
};

/** A form for one message. The program does not take it before it is two seconds old. */
export type Form = { token: string; takenAt: number };
/** `status` is null where the connection broke, `isTold` says whether the answer confirmed the message. */
export type Message = { text: string; status: number | null; isTold: boolean };

const ripeMs = 2100;
let visitors = 0;
/**
 * Header fields of one request, as from a proxy without keep-alive. Each comes from another network, of the range for
 * documentation: the program has limits by network.
 */
const fields = () => ({ Connection: 'close', 'X-Forwarded-For': `2001:db8:${(visitors++ & 0xffff).toString(16)}::1` });

async function takeForm(url: string): Promise<Form> {
  const page = await (await fetch(`${url}/contact`, { headers: fields() })).text();
  return { token: /name="form"[^>]*value="([^"]+)"/.exec(page)?.[1] ?? '', takenAt: Date.now() };
}

export async function takeForms(url: string, count: number): Promise<Form[]> {
  const forms: Form[] = [];
  while (forms.length < count) forms.push(await takeForm(url));
  return forms;
}

/** Sends a message; throws where the connection breaks. */
async function post(url: string, { token, takenAt }: Form, text: string, patienceMs = 30_000): Promise<Message> {
  await sleep(Math.max(0, takenAt + ripeMs - Date.now()));
  const person = { firstName: 'Ada', lastName: 'Byron', email: `${text}@example.com` };
  const response = await fetch(`${url}/contact`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Sec-Fetch-Site': 'same-origin', ...fields() },
    body: new URLSearchParams({ form: token, message: text, ...person }),
    signal: AbortSignal.timeout(patienceMs),
  });
  await response.arrayBuffer();
  const isTold = /\/sent\/BB-\w{6}/.test(response.headers.get('Location') ?? '');
  return { text, status: response.status, isTold };
}

export function sendMessage(url: string, form: Form, patienceMs?: number): Promise<Message> {
  const text = crypto.randomUUID();
  return post(url, form, text, patienceMs).catch(() => ({ text, status: null, isTold: false }));
}

/** How many messages were confirmed, and those of them that the database of a data folder does not have. */
export async function confirmed(dataDir: string, messages: readonly Message[]) {
  const { db, close } = await openDatabase({ dataDir, databaseUrl: undefined }, () => undefined);
  const found = await confirmedIn(db, messages);
  await close();
  return found;
}

/** The same for an open database. */
export async function confirmedIn(db: Db, messages: readonly Message[]) {
  const stored = new Set((await db.selectFrom('enquiries').select('message').execute()).map(({ message }) => message));
  const told = messages.filter(({ isTold }) => isTold);
  return { told: told.length, lost: told.filter(({ text }) => !stored.has(text)) };
}

/** Does work again and again, so many times at once, until it is stopped. */
export function keepDoing(times: number, work: () => Promise<unknown>): { stop(): Promise<void> } {
  let going = true;
  const loops = Array.from({ length: times }, async () => {
    while (going) {
      await work();
      await sleep(10);
    }
  });
  return {
    async stop() {
      going = false;
      await Promise.all(loops);
    },
  };
}

const [readers, writers, pauseMs] = [8, 2, 60];
const addresses = [
  ...publicPages,
  ...['/courses?category=soc', '/courses?search=audit&level=beginner', '/course/cissp.data'],
  ...['/api/suggestions?search=clo', '/sitemap.xml', '/courses.atom', '/robots.txt', '/healthz'],
];

/**
 * Eight people who read and two who write, to all programs in turn as behind a proxy without keep-alive: a program that
 * takes no connection is passed over. `urls` are the programs that run now. What is neither as planned nor a 503 while
 * `mayBeAway` is in `faults`.
 */
export function startVisitors(urls: () => readonly string[], mayBeAway: () => boolean = () => false) {
  const faults: string[] = [];
  const messages: Message[] = [];
  let [going, requests] = [true, 0];

  // As proxies do, it also repeats a read whose connection was reset while its program took no more.
  async function toOne<T>(work: (url: string) => Promise<T>, passes = ['ECONNREFUSED']): Promise<T | null> {
    const first = requests++;
    const refusing = new Set<string>();
    // On a busy machine another program has come by the time that the last one refuses.
    for (;;) {
      const left = urls().filter((url) => !refusing.has(url));
      const url = left[first % left.length];
      if (!url) break;
      try {
        return await work(url);
      } catch (error) {
        const code = (error as { cause?: { code?: string } }).cause?.code ?? '';
        if (!passes.includes(code)) {
          faults.push(`lost: ${code || error}`);
          return null;
        }
        refusing.add(url);
      }
    }
    faults.push('refused by every program');
    return null;
  }

  const reads = ['ECONNREFUSED', 'ECONNRESET'];

  async function read(at: number): Promise<void> {
    const address = at % 7 === 0 ? '/course/none' : (addresses[at % addresses.length] ?? '/');
    const headers = { ...fields(), 'Accept-Encoding': at % 3 === 0 ? 'br' : 'identity' };
    const wasAway = mayBeAway();
    const status = await toOne(async (url) => {
      const response = await fetch(url + address, { headers, redirect: 'manual' });
      await response.arrayBuffer();
      return response.status;
    }, reads);
    const planned = status === null || status === (address === '/course/none' ? 404 : 200);
    if (!planned && !(status === 503 && (wasAway || mayBeAway()))) faults.push(`${address}: ${status}`);
  }

  async function write(): Promise<void> {
    const form = await toOne(takeForm);
    if (!form?.token) return;
    const wasAway = mayBeAway();
    const message = await toOne((url) => post(url, form, crypto.randomUUID()));
    if (!message) return;
    messages.push(message);
    const planned = message.isTold || (message.status === 503 && (wasAway || mayBeAway()));
    if (!planned) faults.push(`message: ${message.status}`);
  }

  const loops = Array.from({ length: readers + writers }, async (_, place) => {
    for (let at = place * 2; going; at++) {
      await (place < readers ? read(at) : write());
      await sleep(pauseMs);
    }
  });
  return {
    async stop() {
      going = false;
      await Promise.all(loops);
      return { requests, messages, faults };
    },
  };
}
