import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { publicPages } from '../support/public-pages.ts';

/** What visitors are sent to, as a proxy would choose, and when an answer may say that the database is away. */
export type Place = { urls(): string[]; databaseMayBeAway(): boolean };

export type Counts = {
  total: number;
  /** Planned answers by what they were. */
  planned: Map<string, number>;
  unplanned: string[];
  /** Connections that broke off after they were accepted. */
  lost: string[];
  /** Connections that a program refused, tried again with the other. */
  passedOn: number;
  /** Texts of messages that were acknowledged. */
  acknowledged: string[];
};

type Answer = { status: number; headers: Record<string, unknown>; body: string };

const [readers, writers, pauseMs, ripeMs] = [8, 2, 60, 2100];
const pages = [
  ...publicPages,
  ...['/courses?category=soc', '/courses?search=audit&level=beginner', '/course/cissp.data'],
  ...['/api/suggestions?search=clo', '/sitemap.xml', '/courses.atom', '/robots.txt', '/healthz'],
];

/** Eight who read and two who write, about a hundred requests a second, until stopped. */
export function startVisitors(place: Place): { stop(): Promise<Counts> } {
  const counts: Counts = { total: 0, planned: new Map(), unplanned: [], lost: [], passedOn: 0, acknowledged: [] };
  let stopped = false;
  let turn = 0;

  /** A connection for each request, as from a proxy without keep-alive; a refused one goes to the next program. */
  async function ask(path: string, headers: Record<string, string> = {}, body?: string): Promise<Answer | null> {
    counts.total++;
    const urls = place.urls();
    const first = turn++;
    for (let at = 0; at < urls.length; at++) {
      const url = urls[(first + at) % urls.length] ?? '';
      try {
        return await send(url, path, { ...headers, 'X-Forwarded-For': network(turn) }, body);
      } catch (error) {
        if ((error as { code?: string }).code !== 'ECONNREFUSED') {
          counts.lost.push(`${path}: ${error}`);
          return null;
        }
        counts.passedOn++;
      }
    }
    counts.lost.push(`${path}: refused by every program`);
    return null;
  }

  function count(what: string, { status }: Answer, ...planned: number[]): void {
    if (planned.includes(status)) {
      const key = `${what}: ${status}`;
      counts.planned.set(key, (counts.planned.get(key) ?? 0) + 1);
    } else counts.unplanned.push(`${what}: ${status}`);
  }

  async function read(at: number): Promise<void> {
    const path = pages[at % pages.length] ?? '/';
    const answer = await ask(path, { 'Accept-Encoding': at % 3 === 0 ? 'br' : 'identity' });
    if (!answer) return;
    count('page', answer, 200);
    const { etag } = answer.headers;
    if (typeof etag === 'string' && at % 5 === 0) {
      const again = await ask(path, { 'Accept-Encoding': at % 3 === 0 ? 'br' : 'identity', 'If-None-Match': etag });
      // A page that changed in between is sent whole.
      if (again) count('asked again', again, 304, 200);
    }
    const missing = at % 7 === 0 ? await ask('/course/none') : null;
    if (missing) count('missing page', missing, 404);
    const foreign = at % 11 === 0 ? await ask('/contact', {}, 'x=1') : null;
    if (foreign) count('form without an origin', foreign, 403);
  }

  async function write(): Promise<void> {
    const form = await ask('/contact');
    const token = /name="form"[^>]*value="([^"]+)"/.exec(form?.body ?? '')?.[1];
    if (!token) return;
    await sleep(ripeMs);
    const message = `Soak ${crypto.randomUUID()}`;
    const fields = { form: token, firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', message };
    const mayFail = place.databaseMayBeAway();
    const answer = await ask('/contact', { 'Sec-Fetch-Site': 'same-origin' }, String(new URLSearchParams(fields)));
    if (!answer) return;
    if (mayFail || place.databaseMayBeAway()) count('message, database stopped', answer, 303, 302, 503);
    else count('message', answer, 303, 302);
    if (answer.status < 400) counts.acknowledged.push(message);
  }

  const loop = async (first: number, work: (at: number) => Promise<void>) => {
    for (let at = first; !stopped; at++) {
      await work(at);
      await sleep(pauseMs);
    }
  };
  const loops = Array.from({ length: readers + writers }, (_, at) => loop(at * 2, at < readers ? read : write));
  return {
    async stop() {
      stopped = true;
      await Promise.all(loops);
      return counts;
    },
  };
}

/** Networks from the range for documentation, one for each request: limits count by network. */
const network = (number: number) => `2001:db8:${(number & 0xffff).toString(16)}::1`;

function send(url: string, path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const form = body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' };
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request(url + path, { agent: false, method, headers: { ...headers, ...form } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode = 0 } = response;
        resolve({ status: statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
