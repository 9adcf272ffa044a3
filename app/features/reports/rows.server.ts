import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import type { After } from './after.ts';
import type { Period } from './period.ts';

/** The rows behind a figure. */
export const rowKinds = {
  invoices: 'Tax invoices',
  notes: 'Adjustment notes',
  received: 'Money received for enrolments',
  refunded: 'Refunds for enrolments',
  unmatched: 'Money and refunds without an enrolment',
  cash: 'All money and refunds',
} as const;
export type RowKind = keyof typeof rowKinds;

export const isRowKind = (text: string | undefined): text is RowKind =>
  text !== undefined && Object.hasOwn(rowKinds, text);

/** A document, a payment or a refund behind a figure. */
export type FigureRow = {
  id: number;
  day: Day;
  /** Its number, or what moved the money: `bank`, `card`, `other`. */
  name: string;
  who: string | null;
  /** Reference of the enrolment. */
  enrolment: string | null;
  cents: Cents;
  /** As the document states it; null for money. */
  gstCents: Cents | null;
};

const money = sql`
  select payment.id, payment.received_on as day, payment.method as name, buyer_name as who, reference as enrolment,
    payment.amount_cents as cents, null::integer as gst, payment.enrolment_id
  from payments payment left join enrolments on enrolments.id = payment.enrolment_id`;
const refunds = sql`
  select refund.id, refund.sent_on as day, payment.method as name,
    buyer_name as who, reference as enrolment, refund.amount_cents as cents, null::integer as gst, payment.enrolment_id
  from refunds refund join payments payment on payment.id = refund.payment_id
    left join enrolments on enrolments.id = payment.enrolment_id`;

/** Refunds are below zero, their ids too: so no row is another's. */
const bothWays = (received: RawBuilder<unknown>, sent: RawBuilder<unknown>) => sql`
  ${money} where ${received}
  union all
  select -id, day, name, who, enrolment, -cents, gst, enrolment_id from (${refunds} where ${sent}) as gone`;

function rowsOf(kind: RowKind, period: Period) {
  const issued = sql`document.issued_on >= ${period.from} and document.issued_on < ${period.end}`;
  const received = sql`payment.currency = 'AUD' and payment.set_aside_at is null and payment.received_on >= ${period.from} and payment.received_on < ${period.end}`;
  const sent = sql`payment.currency = 'AUD' and refund.state = 'sent' and refund.sent_on >= ${period.from} and refund.sent_on < ${period.end}`;
  switch (kind) {
    case 'invoices':
    case 'notes':
      return sql`
        select document.number::bigint as id, document.issued_on as day, document.facts ->> 'number' as name,
          coalesce(document.facts #>> '{buyer,organisation}', document.facts #>> '{buyer,name}') as who,
          document.facts ->> 'enrolment' as enrolment, document.total_cents as cents, document.gst_cents as gst
        from ${sql.table(kind === 'invoices' ? 'tax_invoices' : 'adjustment_notes')} document where ${issued}`;
    case 'received':
      return sql`${money} where ${received} and payment.enrolment_id is not null`;
    case 'refunded':
      return sql`${refunds} where ${sent} and payment.enrolment_id is not null`;
    case 'unmatched':
      return bothWays(sql`${received} and payment.enrolment_id is null`, sql`${sent} and payment.enrolment_id is null`);
    case 'cash':
      return bothWays(received, sent);
  }
}

/** The rows behind a figure of a period by day, `most` of them after `after`. */
export async function readFigureRows(
  db: Db,
  actor: StaffActor,
  { kind, period, after, most }: { kind: RowKind; period: Period; after: After | null; most: number },
): Promise<{ rows: FigureRow[]; next: After | null }> {
  requirePermission(actor, 'reports:read');
  const behind = after ? sql`where (day, id) > (${after.day}::date, ${after.id}::bigint)` : sql``;
  const { rows } = await sql<FigureRow>`
    select id, day, name, who, enrolment, cents, gst as "gstCents" from (${rowsOf(kind, period)}) as figure
    ${behind} order by day, id limit ${most + 1}`.execute(db);
  const shown = rows.slice(0, most);
  const last = shown.at(-1);
  return { rows: shown, next: rows.length > most && last ? { day: last.day, id: last.id } : null };
}

/** All rows behind a figure, in pieces. */
export async function* everyFigureRow(
  db: Db,
  actor: StaffActor,
  wanted: { kind: RowKind; period: Period },
): AsyncGenerator<readonly FigureRow[], void, undefined> {
  let after: After | null = null;
  do {
    const piece: Awaited<ReturnType<typeof readFigureRows>> = await readFigureRows(db, actor, {
      ...wanted,
      after,
      most: 2000,
    });
    if (piece.rows.length > 0) yield piece.rows;
    after = piece.next;
  } while (after);
}
