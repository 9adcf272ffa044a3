import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { type Match, matcherOf, type Nameable, referencesIn } from './references-in.ts';

/** Finds the enrolment that the words of each payment name, with two queries for all payments. */
export async function matchWords(db: Db, words: readonly string[]): Promise<Match[]> {
  const named = words.map(referencesIn);
  const references = named.flatMap(({ enrolments, unclear }) => [
    ...enrolments,
    ...unclear.flatMap((one) => one.enrolments),
  ]);
  const numbers = named.flatMap(({ invoices, unclear }) => [...invoices, ...unclear.flatMap((one) => one.invoices)]);
  const { rows } = await sql<Nameable>`
    select id, reference, title, buyer_name as buyer, null as number from enrolments where reference = any(${references}::text[])
    union all
    select enrolments.id, reference, title, buyer_name, number from tax_invoices
      join enrolments on enrolments.id = enrolment_id where number = any(${numbers}::integer[])`.execute(db);
  return named.map(matcherOf(rows));
}
