import { changesBetween } from '#app/audit/changes.ts';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import type { Cents } from '#app/lib/money.ts';

/** A piece of one payment; `sentCents` of it were refunded, and stay with its enrolment. */
export type Piece = { id: number; enrolmentId: number | null; amountCents: Cents; sentCents: Cents };

type Planned = { enrolmentId: number | null; amountCents: Cents };
type Plan =
  | { ok: true; kept: (Planned & { id: number })[]; made: Planned[]; removed: number[] }
  | { ok: false; reason: 'refunded'; enrolmentId: number | null; sentCents: Cents };

/**
 * Which pieces stay, come and go so that each enrolment has what is wanted for it; null is for none. `wanted` adds up to
 * the pieces. The first piece is the payment that arrived: it is never removed, and every piece is above zero. One from
 * which something was refunded stays with its enrolment, with at least that much.
 */
export function planPieces(pieces: readonly Piece[], wanted: ReadonlyMap<number | null, Cents>): Plan {
  const open = new Map(wanted);
  const kept = new Map<number, Planned>();
  const refunded = pieces.filter(({ sentCents }) => sentCents > 0);
  for (const [enrolmentId, its] of Map.groupBy(refunded, (piece) => piece.enrolmentId)) {
    const sentCents = its.reduce((sum, piece) => sum + piece.sentCents, 0);
    const cents = open.get(enrolmentId) ?? 0;
    if (cents < sentCents) return { ok: false, reason: 'refunded', enrolmentId, sentCents };
    for (const [at, piece] of its.entries()) {
      kept.set(piece.id, { enrolmentId, amountCents: piece.sentCents + (at === 0 ? cents - sentCents : 0) });
    }
    open.delete(enrolmentId);
  }
  const take = (id: number, enrolmentId: number | null) => {
    kept.set(id, { enrolmentId, amountCents: open.get(enrolmentId) ?? 0 });
    open.delete(enrolmentId);
  };
  const free = pieces.filter(({ sentCents }) => sentCents === 0);
  for (const { id, enrolmentId } of free) if (open.has(enrolmentId)) take(id, enrolmentId);
  for (const { id } of free) {
    const [next] = open.keys();
    if (!kept.has(id) && next !== undefined) take(id, next);
  }
  const [root] = pieces;
  if (root && !kept.has(root.id)) giveRoot(root, pieces, kept);
  return {
    ok: true,
    kept: [...kept].map(([id, planned]) => ({ id, ...planned })),
    made: [...open].map(([enrolmentId, amountCents]) => ({ enrolmentId, amountCents })),
    removed: pieces.flatMap(({ id }) => (kept.has(id) ? [] : [id])),
  };
}

/** Gives the first row a part without refunds, or the rest of a part that was refunded in part. */
function giveRoot(root: Piece, pieces: readonly Piece[], kept: Map<number, Planned>): void {
  for (const { id, sentCents } of pieces) {
    const part = kept.get(id);
    if (!part || part.amountCents <= sentCents) continue;
    kept.set(root.id, { ...part, amountCents: part.amountCents - sentCents });
    if (sentCents === 0) kept.delete(id);
    else kept.set(id, { ...part, amountCents: sentCents });
    return;
  }
}

/** One payment as it arrived, with its pieces: the first row, then its parts. */
type Arrival = Awaited<ReturnType<typeof readArrival>>;

/** Reads a payment as it arrived, by its own id or that of a part; undefined when there is none. */
export async function readArrival(db: Db, paymentId: number) {
  const rows = await db
    .selectFrom('payments as payment')
    .innerJoin('payments as asked', (join) => join.on('asked.id', '=', paymentId))
    .leftJoin('enrolments', 'enrolments.id', 'payment.enrolment_id')
    .selectAll('payment')
    .select('reference')
    .select(({ selectFrom }) =>
      selectFrom('refunds')
        .whereRef('payment_id', '=', 'payment.id')
        .where('refunds.state', '=', 'sent')
        .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('refunds.amount_cents'), lit(0)).as('cents'))
        .as('sent'),
    )
    .where((eb) => {
      const root = eb.fn.coalesce('asked.part_of', 'asked.id');
      return eb.or([eb('payment.id', '=', root), eb('payment.part_of', '=', root)]);
    })
    .orderBy('payment.part_of', (order) => order.asc().nullsFirst())
    .orderBy('payment.id')
    .execute();
  const [root] = rows;
  if (!root) return undefined;
  const pieces = rows.map((row) => ({ ...row, sentCents: Number(row.sent ?? 0) }));
  return { root, arrivedCents: root.arrived_cents ?? root.amount_cents, pieces };
}

export type Divided =
  | { ok: true }
  | { ok: false; reason: 'missing' }
  | { ok: false; reason: 'changed' }
  /** In another currency, or set aside. */
  | { ok: false; reason: 'not-ours' }
  /** Through Stripe, which refunds a payment as one. */
  | { ok: false; reason: 'by-card' }
  | { ok: false; reason: 'too-much'; arrivedCents: Cents }
  /** An enrolment keeps the part that was refunded from it; null: the part without an enrolment. */
  | { ok: false; reason: 'refunded'; enrolmentId: number | null; sentCents: Cents };

type Dividing = {
  /** The id of the payment as it arrived, or of any part of it. */
  paymentId: number;
  /** Cents by enrolment, each above zero; the rest belongs to none. Empty: no enrolment has the payment. */
  shares: ReadonlyMap<number, Cents>;
  actor: Actor;
  at: Date;
};

/**
 * Divides a payment among enrolments (P39): one, several, or none. Its pieces always add up to the sum that arrived. An
 * enrolment keeps the part that was refunded from it. Dividing in the same way again changes nothing.
 */
export async function dividePayment(trx: Trx, { paymentId, shares, actor, at }: Dividing): Promise<Divided> {
  requirePermission(actor, 'money:record');
  const asked = await readArrival(trx, paymentId);
  if (!asked) return { ok: false, reason: 'missing' };
  const before = asked.pieces.flatMap(({ enrolment_id }) => enrolment_id ?? []);
  const enrolments = await lockEnrolments(trx, [...before, ...shares.keys()]);
  const rootId = asked.root.id;
  await trx
    .selectFrom('payments')
    .select('id')
    .where((eb) => eb.or([eb('id', '=', rootId), eb('part_of', '=', rootId)]))
    .orderBy('id')
    .forUpdate()
    .execute();
  const arrival = await readArrival(trx, rootId);
  if (!arrival) return { ok: false, reason: 'missing' };
  const { root, arrivedCents, pieces } = arrival;
  const involved = [...shares.keys(), ...pieces.flatMap(({ enrolment_id }) => enrolment_id ?? [])];
  if (involved.some((id) => !enrolments.has(id))) return { ok: false, reason: 'changed' };
  if (root.currency !== 'AUD' || root.set_aside_at) return { ok: false, reason: 'not-ours' };
  const rest = arrivedCents - [...shares.values()].reduce((sum, cents) => sum + cents, 0);
  if (rest < 0) return { ok: false, reason: 'too-much', arrivedCents };
  const wanted = new Map<number | null, Cents>([...shares, ...(rest > 0 ? [[null, rest] as const] : [])]);
  if (wanted.size > 1 && root.source.startsWith('pi_')) return { ok: false, reason: 'by-card' };
  const plan = planPieces(
    pieces.map(({ id, enrolment_id, amount_cents, sentCents }): Piece => {
      return { id, enrolmentId: enrolment_id, amountCents: amount_cents, sentCents };
    }),
    wanted,
  );
  if (!plan.ok) return plan;
  await writePieces(trx, root, plan, arrivedCents);
  await writeEntries(trx, { pieces, shares, enrolments, rootId, actor, at });
  return { ok: true };
}

/** Locks in the order in which everything locks them; returns their references. */
async function lockEnrolments(trx: Trx, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await trx
    .selectFrom('enrolments')
    .select(['id', 'reference'])
    .where('id', 'in', [0, ...ids])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map(({ id, reference }) => [id, reference]));
}

async function writePieces(
  trx: Trx,
  root: NonNullable<Arrival>['root'],
  { kept, made, removed }: Extract<ReturnType<typeof planPieces>, { ok: true }>,
  arrivedCents: Cents,
): Promise<void> {
  // Refunds that failed count nowhere; they are remembered with what arrived.
  await trx
    .updateTable('refunds')
    .set({ payment_id: root.id })
    .where('payment_id', 'in', [0, ...removed])
    .execute();
  await trx
    .deleteFrom('payments')
    .where('id', 'in', [0, ...removed])
    .execute();
  const parts = kept.length + made.length > 1;
  for (const { id, enrolmentId, amountCents } of kept) {
    const whole = id === root.id && parts ? arrivedCents : null;
    await trx
      .updateTable('payments')
      .set({ enrolment_id: enrolmentId, amount_cents: amountCents, arrived_cents: whole })
      .where('id', '=', id)
      .execute();
  }
  for (const { enrolmentId, amountCents } of made) {
    await trx
      .insertInto('payments')
      .values({
        enrolment_id: enrolmentId,
        amount_cents: amountCents,
        part_of: root.id,
        source: `part:${root.id}:${crypto.randomUUID()}`,
        received_on: root.received_on,
        method: root.method,
        words: root.words,
        currency: root.currency,
        recorded_at: root.recorded_at,
        recorded_by: root.recorded_by,
      })
      .execute();
  }
}

type Entries = Pick<NonNullable<Arrival>, 'pieces'> &
  Pick<Dividing, 'shares' | 'actor' | 'at'> & { enrolments: ReadonlyMap<number, string>; rootId: number };

async function writeEntries(trx: Trx, { pieces, shares, enrolments, rootId, actor, at }: Entries) {
  const entry = { at, personId: personIdOf(actor) };
  const amounts = [...shares].map(([id, cents]) => [enrolments.get(id) ?? '', formatExact(cents)]);
  const details = Object.fromEntries(amounts);
  const divided = [...enrolments].map(([id, reference]) => ({
    reference,
    had: pieces.reduce((sum, piece) => sum + (piece.enrolment_id === id ? piece.amount_cents : 0), 0),
    has: shares.get(id) ?? 0,
  }));
  const changes = divided.flatMap(({ reference, had, has }) =>
    changesBetween({ [reference]: had }, { [reference]: has }),
  );
  await writeAuditEntry(trx, { ...entry, action: 'divide-payment', subject: `payment:${rootId}`, details, changes });
  for (const { reference, had, has } of divided) {
    if (had === has) continue;
    await writeAuditEntry(trx, {
      ...entry,
      action: has > had ? 'assign-payment' : 'unassign-payment',
      subject: `enrolment:${reference}`,
      details: { payment: rootId, from: formatExact(had), to: formatExact(has) },
      changes: changesBetween({ cents: had }, { cents: has }),
    });
  }
}
