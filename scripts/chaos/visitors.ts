import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';

/** A form's token and when it was fetched: the program refuses a token younger than two seconds. */
export type Ticket = { token: string; takenAt: number };
export type Post = { marker: string; status: number | null; reference: string | null };

const ripeMs = 2100;
let visitor = 0;

/** Fetches one form for each post, because a form is valid for one post only. */
export async function takeTickets(url: string, count: number): Promise<Ticket[]> {
  const tickets: Ticket[] = [];
  while (tickets.length < count) {
    const page = await (await fetch(`${url}/contact`)).text();
    const token = /name="form"[^>]*value="([^"]+)"/.exec(page)?.[1];
    if (!token) throw new Error('/contact has no signed field');
    tickets.push({ token, takenAt: Date.now() });
  }
  return tickets;
}

/** Sends the contact form like a person with a separate address; a broken connection is status null. */
export async function post(url: string, ticket: Ticket, patienceMs = 30_000): Promise<Post> {
  await sleep(Math.max(0, ticket.takenAt + ripeMs - Date.now()));
  const marker = crypto.randomUUID();
  const number = visitor++;
  // Addresses from the range for documentation, each from a /48 of its own: the program limits posts by network.
  const address = `2001:db8:${number.toString(16)}::1`;
  try {
    const response = await fetch(`${url}/contact`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: url, 'X-Forwarded-For': address },
      body: new URLSearchParams({
        form: ticket.token,
        firstName: 'Ada',
        lastName: 'Byron',
        email: 'ada@example.com',
        message: marker,
      }),
      signal: AbortSignal.timeout(patienceMs),
    });
    await response.arrayBuffer();
    const reference = /\/sent\/(BB-\w{6})(?:\?|$)/.exec(response.headers.get('location') ?? '')?.[1] ?? null;
    return { marker, status: response.status, reference };
  } catch {
    return { marker, status: null, reference: null };
  }
}

/** Settings that make a program trust the addresses that `post` sends. */
export const behindProxy = { TRUSTED_PROXIES: '127.0.0.1,::1', LOG_LEVEL: 'warn' };

/** Runs `work` again and again, `workers` at once, until stopped. */
export function keepDoing(workers: number, work: () => Promise<unknown>): { stop(): Promise<void> } {
  let stopped = false;
  const loops = Array.from({ length: workers }, async () => {
    while (!stopped) {
      await work();
      // Without a pause this would be a tight loop of errors once the program is gone.
      await sleep(10);
    }
  });
  return {
    async stop() {
      stopped = true;
      await Promise.all(loops);
    },
  };
}

export type Tally = { acknowledged: number; lost: number };

/**
 * The number of posts that the program acknowledged with a reference, and how many of those the database does not hold.
 * If it acknowledged none, all posts count as lost, because the run tested nothing.
 */
export async function tally(dataDir: string, posts: Post[], say: (line: string) => void): Promise<Tally> {
  const acknowledged = posts.filter(({ reference }) => reference !== null);
  if (acknowledged.length === 0) {
    say(`none of ${posts.length} posts was acknowledged, so nothing was tested`);
    return { acknowledged: 0, lost: Math.max(1, posts.length) };
  }
  try {
    const server = await openEmbeddedPostgres(dataDir, () => undefined);
    const stored = await storedMessages(server.connection);
    await server.release();
    const lost = acknowledged.filter(({ marker }) => !stored.has(marker));
    return { acknowledged: acknowledged.length, lost: lost.length };
  } catch (error) {
    say(`the database cannot be opened any more: ${error}`);
    return { acknowledged: acknowledged.length, lost: acknowledged.length };
  }
}

export async function storedMessages(connection: pg.ClientConfig): Promise<Set<string>> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ message: string }>('select message from enquiries');
  await client.end();
  return new Set(rows.map(({ message }) => message));
}
