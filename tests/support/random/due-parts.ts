import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '#app/db/client.server.ts';

/** What lists and sums read of what is due is what `open_invoices` computes now, of every enrolment (decision 127). */
export async function duePartsAgree(db: Db): Promise<void> {
  const columns = sql`enrolment_id, tax_invoice_id, instalment_id, due_on, due_cents, first_day`;
  const computed = sql`select id as enrolment_id, tax_invoice_id, instalment_id, due_on, due_cents, first_day
    from enrolments cross join lateral open_invoices(id) where due_cents > 0`;
  const { rows } = await sql`
    (select 'missing' as fault, * from (${computed} except select ${columns} from due_parts) as missing)
    union all
    (select 'left over', * from (select ${columns} from due_parts except ${computed}) as left_over)`.execute(db);
  expect(rows).toEqual([]);
}
