import type { Cents } from '#app/lib/money.ts';

/** A piece of one payment; `sentCents` of it were refunded, and stay with its enrolment. */
export type Piece = { id: number; enrolmentId: number | null; amountCents: Cents; sentCents: Cents };

type Planned = { enrolmentId: number | null; amountCents: Cents };
export type Plan =
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
