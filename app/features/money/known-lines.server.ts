import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import type { StatementLine } from './bank-statement.server.ts';

/** A line recorded before: its row, or the payment of an older program that kept no row for its lines. */
export type KnownLine = {
  id: number | null;
  paymentId: number | null;
  balanceCents: Cents | null;
  cells: string[];
  /** The words of a payment without a row, in small letters. */
  oldWords: string | null;
  /** Set when no line of a statement brought the money: staff entered it, or it is a refund that failed and came back. */
  how?: 'by-hand' | 'returned';
};

/**
 * Finds the lines that were recorded before, by their place among `lines`. A line is the same as one recorded when day,
 * amount, words and running balance are; where either file had no running balance, the words decide, and of equal lines
 * as many are known as were recorded. So neither the form of a file, nor its order, nor where it begins matters; only of
 * equal lines of one day without running balances, in files that each hold a part of that day, fewer may be new than
 * there are.
 */
export async function findKnownLines(db: Db, lines: readonly StatementLine[]): Promise<Map<number, KnownLine>> {
  const recorded = await readCandidates(db, lines);
  const known = new Map<number, KnownLine>();
  for (const [group, members] of Map.groupBy(lines.entries(), ([, line]) => groupOf(line))) {
    const candidates = new Set(recorded.get(group));
    for (const { same, key } of ways) {
      const left = Map.groupBy(candidates, (candidate) => (key ? candidate.cells.join() : ''));
      for (const [at, line] of members) {
        if (known.has(at) || candidates.size === 0) continue;
        const among = left.get(key ? line.marks.cells.join() : '');
        const found = among?.find((candidate) => candidates.has(candidate) && same(line, candidate));
        if (!found) continue;
        known.set(at, found);
        candidates.delete(found);
        // Taken from the front as a rule: the next line need not pass by it again.
        if (among?.[0] === found) among.shift();
      }
    }
  }
  return known;
}

const groupOf = ({ day, amountCents }: { day: Day; amountCents: Cents }) => `${day} ${amountCents}`;

type Same = (line: StatementLine, candidate: KnownLine) => boolean;

/** A file with more columns, such as a category, holds the words of one with fewer; no words are in none. */
const wordsWithin: Same = ({ marks }, { cells, oldWords }) => {
  const [few, many] = marks.cells.length < cells.length ? [marks.cells, cells] : [cells, marks.cells];
  return oldWords === null && few.length > 0 && few.every((cell) => many.includes(cell));
};
const equalBalance: Same = ({ marks }, { balanceCents }) =>
  balanceCents !== null && marks.balanceCents === balanceCents;
const noBalance: Same = ({ marks }, { balanceCents }) => balanceCents === null || marks.balanceCents === null;
/** An older program joined the cells that it took for words, and in some files it took none. */
const oldWordsOf =
  (empty: boolean): Same =>
  ({ marks }, { oldWords }) =>
    oldWords !== null && (oldWords === '') === empty && isJoined(oldWords, marks.texts);

/** How a line is recognised, the surest first; with `key` only among lines of the same words. */
const ways: readonly { same: Same; key: boolean }[] = [
  { key: true, same: (line, candidate) => candidate.oldWords === null && equalBalance(line, candidate) },
  { key: true, same: (line, candidate) => candidate.oldWords === null && noBalance(line, candidate) },
  { key: false, same: (line, candidate) => wordsWithin(line, candidate) && equalBalance(line, candidate) },
  { key: false, same: (line, candidate) => wordsWithin(line, candidate) && noBalance(line, candidate) },
  { key: false, same: oldWordsOf(false) },
  { key: false, same: oldWordsOf(true) },
];

/** Whether words are some of the texts, joined by spaces in their order. */
function isJoined(words: string, texts: readonly string[]): boolean {
  if (words === '') return true;
  return texts.some((text, at) => {
    if (words === text) return true;
    return words.startsWith(`${text} `) && isJoined(words.slice(text.length + 1), texts.slice(at + 1));
  });
}

type Candidate = KnownLine & { day: Day; amountCents: Cents };

async function readCandidates(db: Db, lines: readonly StatementLine[]): Promise<Map<string, KnownLine[]>> {
  const wanted = [...new Map(lines.map((line) => [groupOf(line), line])).values()];
  const days = wanted.map(({ day }) => day);
  const amounts = wanted.map(({ amountCents }) => amountCents);
  const { rows } = await sql<Candidate>`
    with wanted as (select * from unnest(${days}::date[], ${amounts}::integer[]) as w(day, amount))
    select id, payment_id as "paymentId", balance_cents as "balanceCents", cells, null as "oldWords", line.day,
      amount_cents as "amountCents"
    from bank_lines line join wanted on wanted.day = line.day and wanted.amount = amount_cents
    union all
    select null, payment.id, null, '{}', lower(regexp_replace(trim(coalesce(words, '')), '\\s+', ' ', 'g')), received_on,
      coalesce(arrived_cents, amount_cents)
    from payments payment join wanted on wanted.day = received_on
      and wanted.amount = coalesce(arrived_cents, amount_cents)
    where method = 'bank' and part_of is null and payment.source like 'bank:%'
      and not exists (select from bank_lines where payment_id = payment.id)
    order by 1, 2`.execute(db);
  return Map.groupBy(rows, groupOf);
}
