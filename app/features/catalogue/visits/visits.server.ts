import type { Db } from '#app/db/client.server.ts';
import { academyToday, type Clock } from '#app/lib/clock.ts';
import type { Day } from '#app/lib/dates.ts';
import { storeReads } from './reads.server.ts';
import { type Asked, longestKept, storeSearches } from './searches.server.ts';

/** A field of a request's head by its name in small letters. */
type HeadField = (name: string) => string | null | undefined;

/** User agents of programs that identify themselves. */
const programs = /bot|crawl|spider|slurp|preview|headless|lighthouse|monitor|scan|curl|wget|python|java\/|http-client/i;

/**
 * Whether a person reads the requested page (P85), as far as the request tells: a browser fetches it for a window, not
 * ahead of a click, and the user agent names no program.
 */
export function isRead(method: string, field: HeadField): boolean {
  if (method !== 'GET' || field('sec-purpose') || field('purpose')) return false;
  const [mode, target] = [field('sec-fetch-mode'), field('sec-fetch-dest')];
  // A page opened in a window, or its data fetched by the page before.
  const isShown = (mode === 'navigate' && target === 'document') || (mode === 'cors' && target === 'empty');
  return isShown && !programs.test(field('user-agent') ?? '');
}

/** A request for a page that was answered. */
type Answered = {
  method: string;
  /** The pattern of its route, and path with query as they were asked for. */
  route: string;
  target: string;
  status: number;
  field: HeadField;
  /** A text that is the same for all of one network; asked for searches only. */
  network: () => string;
};

export type Visits = {
  /** Notes a read page of a course, or a search; no more than a look into a map. */
  answered(request: Answered): void;
  /** Stores the counts since the last call; if that fails they are counted again next time. */
  store(): Promise<void>;
};

type Needs = {
  db: Db;
  clock: Clock;
  /** For the keyed hashes of searches. */
  key: string;
  /** Whether a search matches a course. */
  finds: (search: string) => boolean;
};

const [mostNetworks, mostSearches] = [2000, 20];

/**
 * Counts reads and searches of this process in memory (P85): pages answered from memory stay as quick as they are. What
 * is not stored yet is lost when the process is killed, a minute at most.
 */
export function openVisits({ db, clock, key, finds }: Needs): Visits {
  let reads = new Map<Day, Map<string, number>>();
  let searches = new Map<string, Set<string>>();

  function noteRead(slug: string, times = 1, day = academyToday(clock)): void {
    const its = reads.get(day) ?? new Map<string, number>();
    reads.set(day, its.set(slug, (its.get(slug) ?? 0) + times));
  }
  function noteSearch(words: string, network: string): void {
    const its = searches.get(network) ?? new Set<string>();
    if (its.size >= mostSearches || (its.size === 0 && searches.size >= mostNetworks)) return;
    searches.set(network, its.add(words));
  }

  return {
    answered({ method, route, target, status, field, network }) {
      const isCourse = route === '/course/:courseId';
      if (!isCourse && !(target.includes('search=') && (route === '/courses' || route === '/'))) return;
      if ((status !== 200 && status !== 304) || !isRead(method, field)) return;
      if (isCourse) {
        const slug = /^\/course\/([^/?]+?)(?:\.data)?(?:\?|$)/.exec(target)?.[1];
        if (slug) noteRead(slug);
        return;
      }
      const search = new URLSearchParams(target.slice(target.indexOf('?'))).get('search') ?? '';
      const words = search.trim().toLowerCase().replaceAll(/\s+/g, ' ');
      // Texts that are too long are counted too. Split, because a slice would hold the whole text in memory.
      if (words !== '') noteSearch(words.split('', longestKept + 1).join(''), network());
    },
    async store() {
      const [noted, asked, today] = [reads, searches, academyToday(clock)];
      [reads, searches] = [new Map(), new Map()];
      try {
        for (const [day, its] of noted) {
          await storeReads(db, day, its);
          noted.delete(day);
        }
        await storeSearches(db, { key, today, asked: inVain(asked, finds) });
      } catch (error) {
        for (const [day, its] of noted) for (const [slug, times] of its) noteRead(slug, times, day);
        for (const [network, its] of asked) for (const words of its) noteSearch(words, network);
        throw error;
      }
    },
  };
}

/** The searches that match no course, each once for a network; of a search typed letter by letter only the last. */
function inVain(searches: ReadonlyMap<string, ReadonlySet<string>>, finds: Needs['finds']): Asked[] {
  const found = new Map<string, boolean>();
  const isFound = (words: string) => {
    const known = found.get(words) ?? finds(words);
    found.set(words, known);
    return known;
  };
  return [...searches].flatMap(([network, its]) =>
    [...its]
      .filter((words) => ![...its].some((other) => other !== words && other.startsWith(words)))
      .filter((words) => !isFound(words))
      .map((words) => ({ words, network })),
  );
}
