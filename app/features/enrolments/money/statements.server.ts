import type { Db } from '#app/db/client.server.ts';
import type { Cents } from '#app/lib/money.ts';
import { accountsOf } from './accounts.server.ts';
import { balanceOf } from './balance.ts';
import type { StatementLine } from './bank-statement.server.ts';
import { referencesIn } from './invoice-rules.ts';
import type { MoneyTrx } from './invoices.server.ts';
import { recordPayment } from './payments.server.ts';

/** A line of a statement with what recording it would do. */
export type PreviewLine = StatementLine & {
  /** Recorded before: nothing happens. */
  known: boolean;
  /** The only enrolment its words name; null when they name none or several. */
  enrolment: { id: number; reference: string; title: string } | null;
  /** How many enrolments its words name. */
  named: number;
  /** What would be owed after it and the new lines before it; null without an enrolment. */
  balanceAfterCents: Cents | null;
};

/** What recording the lines of a statement would do. Writes nothing. */
export async function previewStatement(db: Db, lines: readonly StatementLine[]): Promise<PreviewLine[]> {
  const known = await knownSources(db, lines);
  const find = await finderOf(db, lines);
  const enrolments = lines.map(({ words }) => find(words));
  const accounts = await accountsOf(db, [...new Set(enrolments.flat().map(({ id }) => id))]);
  const balances = new Map([...accounts].map(([id, account]) => [id, balanceOf(account)]));
  return lines.map((line, at) => {
    const found = enrolments[at] ?? [];
    const enrolment = found.length === 1 ? (found[0] ?? null) : null;
    const isKnown = known.has(line.source);
    if (enrolment && !isKnown) balances.set(enrolment.id, (balances.get(enrolment.id) ?? 0) - line.amountCents);
    const balanceAfterCents = enrolment ? (balances.get(enrolment.id) ?? 0) : null;
    return { ...line, known: isKnown, enrolment, named: found.length, balanceAfterCents };
  });
}

/**
 * Records the money of a statement, in the caller's transaction. Lines that were recorded before change nothing; those
 * whose words name no enrolment, or several, are recorded without one.
 */
export async function recordStatement(
  trx: MoneyTrx,
  lines: readonly StatementLine[],
  by: { recordedBy: number | null; at: Date },
): Promise<{ recorded: number; known: number; unmatched: number }> {
  const counts = { recorded: 0, known: 0, unmatched: 0 };
  for (const { enrolment, source, amountCents, day, words } of await previewStatement(trx, lines)) {
    const { repeat } = await recordPayment(trx, {
      ...by,
      enrolmentId: enrolment?.id ?? null,
      amountCents,
      receivedOn: day,
      method: 'bank',
      words,
      idempotencyKey: source,
    });
    if (repeat) counts.known++;
    else counts.recorded++;
    if (!repeat && !enrolment) counts.unmatched++;
  }
  return counts;
}

async function knownSources(db: Db, lines: readonly StatementLine[]): Promise<Set<string>> {
  if (lines.length === 0) return new Set();
  const sources = lines.map(({ source }) => source);
  const rows = await db.selectFrom('payments').select('source').where('source', 'in', sources).execute();
  return new Set(rows.map(({ source }) => source));
}

type Found = { id: number; reference: string; title: string };

/** Finds the enrolments that the words of a payment name, by their own reference or by an invoice's number. */
async function finderOf(db: Db, lines: readonly StatementLine[]): Promise<(words: string) => Found[]> {
  const named = lines.map(({ words }) => referencesIn(words));
  const references = named.flatMap(({ enrolments }) => enrolments);
  const numbers = named.flatMap(({ invoices }) => invoices);
  const rows = await db
    .selectFrom('enrolments')
    .leftJoin('tax_invoices', 'tax_invoices.enrolment_id', 'enrolments.id')
    .select(['enrolments.id', 'reference', 'title', 'number'])
    .where((eb) => eb.or([eb('reference', 'in', ['', ...references]), eb('number', 'in', [0, ...numbers])]))
    .execute();
  return (words) => {
    const { enrolments, invoices } = referencesIn(words);
    const found = rows.filter(
      ({ reference, number }) => enrolments.includes(reference) || (number !== null && invoices.includes(number)),
    );
    return [...new Map(found.map(({ id, reference, title }) => [id, { id, reference, title }])).values()];
  };
}
