import { sql } from 'kysely';
import type { Trx } from '#app/db/client.server.ts';
import type { Cents } from '#app/lib/money.ts';

/**
 * What staff had taken off the charge for a place before it was cancelled, GST included (P83): credits on it and on the
 * places that it was moved from, apart from those whose sum another invoice charges again (P30).
 */
export async function takenOffBefore(trx: Trx, placeId: number): Promise<Cents> {
  const { rows } = await sql<{ cents: Cents }>`
    with recursive chain as (
      select id, transferred_from, cancelled_at as ended_at from places where id = ${placeId}
      union all
      select before.id, before.transferred_from, ended_at from places before join chain on before.id = chain.transferred_from
    )
    select (
        (select coalesce(sum(credit.amount_cents), 0) from chain
          join adjustment_note_lines credit on credit.place_id = chain.id
          join adjustment_notes note on note.id = adjustment_note_id where note.created_at < ended_at)
        - (select coalesce(sum(line.amount_cents), 0) from chain
          join tax_invoice_lines line on line.place_id = chain.id
          join tax_invoices invoice on invoice.id = tax_invoice_id
          where invoice.created_at < ended_at and invoice.facts ->> 'replaces' is not null)
      )::integer as cents`.execute(trx);
  return rows[0]?.cents ?? 0;
}
