import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { doDaily } from '#app/db/daily-job.server.ts';
import { foldedWords } from '#app/features/catalogue/folding.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { compareText } from '#app/lib/compare-text.ts';
import { addDays, type Day } from '#app/lib/dates.ts';

/** A search that found nothing, and a text that is the same for all of one network. */
export type Asked = { words: string; network: string };

/**
 * How many networks have to search for words within `askersKeptDays` before the words are stored; /privacy says the
 * same.
 */
export const askersNeeded = 3;
export const askersKeptDays = 30;
/** How long words and their number are kept. */
export const wordsKeptDays = 365;

/** Whether words may be stored at all: not if they may be an address, a personal number or a message to us. */
export function mayKeep(words: string): boolean {
  // Digits and signs of other scripts, and an address that was encoded twice, say the same.
  const plain = words.normalize('NFKC');
  const digits = plain.replace(/\P{Nd}/gu, '').length;
  const isShort = words.length >= 2 && words.length <= longestKept && plain.split(' ').length <= 6;
  return isShort && digits < 6 && !/@|%40|\p{Cc}/iu.test(plain);
}

/** The length of the column. */
export const longestKept = 60;

/** Counts the searches of a day that found nothing. Words that may not be stored count under an empty text. */
export async function storeSearches(
  db: Db,
  { key, today, asked }: { key: string; today: Day; asked: readonly Asked[] },
): Promise<void> {
  if (asked.length === 0) return;
  await db.transaction().execute(async (trx) => {
    const counts = new Map<string, number>();
    for (const [words, its] of [...Map.groupBy(asked, (one) => one.words)].sort(([a], [b]) => compareText(a, b))) {
      const networks = its.map(({ network }) => network);
      const shown = mayKeep(words) && (await isAskedByMany(trx, { key, words, networks, today })) ? words : '';
      counts.set(shown, (counts.get(shown) ?? 0) + its.length);
    }
    await sql`
      insert into lost_searches (day, words, asked)
      select ${today}::date, words, asked
      from unnest(${[...counts.keys()]}::text[], ${[...counts.values()]}::integer[]) as its(words, asked) order by words
      on conflict (day, words) do update set asked = lost_searches.asked + excluded.asked`.execute(trx);
  });
}

type Words = { key: string; words: string; networks: readonly string[]; today: Day };

/**
 * Stores hashes of the networks and returns whether enough of them searched; always false for words that name a person
 * in the database.
 */
async function isAskedByMany(trx: Trx, { key, words, networks, today }: Words): Promise<boolean> {
  if (await isName(trx, words)) return false;
  const hash = (text: string) => createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);
  const askers = [...new Set(networks.map((network) => hash(`${words}\n${network}`)))].sort();
  await sql`
    insert into lost_search_askers (words_hash, asker_hash, asked_on)
    select ${hash(words)}, asker, ${today}::date from unnest(${askers}::text[]) as asker
    on conflict (words_hash, asker_hash) do update set asked_on = excluded.asked_on`.execute(trx);
  const { rows } = await sql<{ askers: number }>`
    select count(*) as askers from lost_search_askers
    where words_hash = ${hash(words)} and asked_on > ${addDays(today, -askersKeptDays)}::date`.execute(trx);
  return (rows[0]?.askers ?? 0) >= askersNeeded;
}

/** Whether two of the words are in the name and addresses of one person. */
async function isName(trx: Trx, words: string): Promise<boolean> {
  const parts = [...new Set(foldedWords(words).filter((word) => word.length > 1))];
  const query = parts.flatMap((one, at) => parts.slice(at + 1).map((other) => `('${one}' & '${other}')`)).join(' | ');
  if (query === '') return false;
  const { rows } = await sql`select from person_words where words @@ ${query}::tsquery limit 1`.execute(trx);
  return rows.length > 0;
}

/** The daily job: forgets who asked after 30 days, and words after a year. Null when it was done today. */
export function forgetSearches(db: Db, now: Date): Promise<number | null> {
  const today = academyDay(now);
  return doDaily(db, 'forget-lost-searches', now, async (trx) => {
    const askers = await trx
      .deleteFrom('lost_search_askers')
      .where('asked_on', '<=', addDays(today, -askersKeptDays))
      .executeTakeFirstOrThrow();
    const words = await trx
      .deleteFrom('lost_searches')
      .where('day', '<=', addDays(today, -wordsKeptDays))
      .executeTakeFirstOrThrow();
    return Number(askers.numDeletedRows + words.numDeletedRows);
  });
}
