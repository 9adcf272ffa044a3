import { sql } from 'kysely';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import { type Day, daysBetween } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import { accountsOf, matchWords } from './accounts.server.ts';
import { balanceOf } from './balance.ts';
import type { StatementLine } from './bank-statement.server.ts';
import { findKnownLines, type KnownLine } from './known-lines.server.ts';
import { recordPayment, recordUnmatched } from './payments.server.ts';
import type { Match } from './references.ts';

/** A line of a statement with what recording it would do. */
export type PreviewLine = StatementLine & {
  /** Recorded before: nothing happens. */
  known: KnownLine | null;
  match: Match;
  /** The balance after this and earlier new lines; null unless it names one enrolment, and for money that went out. */
  balanceAfterCents: Cents | null;
};

/**
 * Previews the recording of a statement's lines; writes nothing. Money that names something settled waits to be matched:
 * the payer may have meant another enrolment. It lists money that went out only when the words name
 * an enrolment: the bank took a payment back, or a refund left.
 */
export async function previewStatement(db: Db, lines: readonly StatementLine[]): Promise<PreviewLine[]> {
  const found = new Map<StatementLine, { match: Match; known: KnownLine | null }>();
  // Some hundred at once: others get their turn between the queries.
  for (const batch of batchesOf(lines)) for (const [line, its] of await findLines(db, batch)) found.set(line, its);
  const concerned = lines.flatMap((line) => {
    const its = found.get(line);
    return its ? [{ line, ...its }] : [];
  });
  const ids = concerned.flatMap(({ match }) => (match.kind === 'one' ? [match.enrolment.id] : []));
  const accounts = await accountsOf(db, [...new Set(ids)]);
  const balances = new Map([...accounts].map(([id, account]) => [id, balanceOf(account)]));
  return concerned.map(({ line, match, known }) => {
    const id = match.kind === 'one' && line.amountCents > 0 ? match.enrolment.id : null;
    if (match.kind === 'one' && id !== null && !known) {
      const owedCents = balances.get(id) ?? 0;
      if (owedCents <= 0) return { ...line, match: { ...match, kind: 'settled' }, known, balanceAfterCents: null };
      balances.set(id, owedCents - line.amountCents);
    }
    return { ...line, match, known, balanceAfterCents: id === null ? null : (balances.get(id) ?? 0) };
  });
}

/**
 * The enrolments that lines name, and whether the lines were recorded before. Outgoing money without a reference is
 * left out.
 */
async function findLines(db: Db, lines: readonly StatementLine[]) {
  const matches = await matchWords(
    db,
    lines.map(({ words }) => words),
  );
  const concerned = lines.flatMap((line, at) => {
    const match: Match = matches[at] ?? { kind: 'none' };
    return line.amountCents > 0 || match.kind !== 'none' ? [{ line, match }] : [];
  });
  const known = await findKnownLines(
    db,
    concerned.map(({ line }) => line),
  );
  const unknown = concerned.flatMap(({ line: { day, amountCents }, match }, at) =>
    !known.has(at) && amountCents > 0 && match.kind === 'one'
      ? [{ at, enrolmentId: match.enrolment.id, day, amountCents }]
      : [],
  );
  for (const [at, recorded] of await findRecordedByHand(db, unknown)) {
    known.set(at, { id: null, balanceCents: null, cells: [], oldWords: null, ...recorded });
  }
  return concerned.map(({ line, match }, at) => [line, { match, known: known.get(at) ?? null }] as const);
}

type By = { actor: Actor; at: Date };
export type Recorded = {
  recorded: number;
  known: number;
  /** Recorded lines without an enrolment. */
  unmatched: number;
  /** Lines of money that went out, for staff to look at. */
  outgoing: number;
  /** The numbers of lines that could not be recorded. */
  failed: number[];
};

const most = 500;

/**
 * Records a statement in transactions of some hundred lines each, so that nobody waits long for their locks. Lines
 * recorded before change nothing: after a failure in the middle, staff send the same file again. A line that cannot be
 * recorded does not stop the others.
 */
export async function recordStatement(db: Db, lines: readonly StatementLine[], by: By): Promise<Recorded> {
  requirePermission(by.actor, 'money:record');
  const sums: Recorded = { recorded: 0, known: 0, unmatched: 0, outgoing: 0, failed: [] };
  for (const batch of batchesOf(lines)) {
    const record = (oneByOne: boolean) =>
      db.transaction().execute((trx) => recordLines(trx, batch, { ...by, oneByOne }));
    const done = await record(false).catch((error: unknown) => {
      if (isConnectionFailure(error)) throw error;
      return record(true);
    });
    for (const name of ['recorded', 'known', 'unmatched', 'outgoing'] as const) sums[name] += done[name];
    sums.failed.push(...done.failed);
  }
  return { ...sums, failed: sums.failed.toSorted((a, b) => a - b) };
}

/** Keeps lines of one day and amount together, because all of them are looked up at once. */
function batchesOf(lines: readonly StatementLine[]): StatementLine[][] {
  const groups = Map.groupBy(lines, ({ day, amountCents }) => `${day} ${amountCents}`).values();
  const batches: StatementLine[][] = [];
  for (const group of groups) {
    const last = batches.at(-1);
    if (last && last.length + group.length <= most) last.push(...group);
    else batches.push([...group]);
  }
  return batches;
}

async function recordLines(
  trx: Trx,
  lines: readonly StatementLine[],
  { oneByOne, ...by }: By & { oneByOne: boolean },
): Promise<Recorded> {
  // Two uploads at once take turns, so that the second finds the lines of the first.
  await sql`select pg_advisory_xact_lock(hashtextextended('bank statements', 0))`.execute(trx);
  const preview = await previewStatement(trx, lines);
  // Everything that changes several enrolments locks them in this order, so that no two block each other.
  await trx
    .selectFrom('enrolments')
    .select('id')
    .where('id', 'in', [0, ...preview.flatMap(({ match }) => (match.kind === 'one' ? match.enrolment.id : []))])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const [fresh, known] = [preview.filter((line) => !line.known), preview.filter((line) => line.known)];
  await keepKnown(trx, known, by.at);
  const written: PreviewLine[] = [];
  const failed: number[] = [];
  for (const some of oneByOne ? fresh.map((line) => [line]) : chunks(fresh)) {
    if (!oneByOne) await writeLines(trx, some, by);
    else if (!(await attempt(trx, () => writeLines(trx, some, by)))) {
      failed.push(...some.map(({ line }) => line));
      continue;
    }
    written.push(...some);
  }
  const incoming = written.filter(({ amountCents }) => amountCents > 0);
  return {
    recorded: incoming.length,
    known: known.length,
    unmatched: incoming.filter(({ match }) => match.kind !== 'one').length,
    outgoing: written.length - incoming.length,
    failed,
  };
}

/** Equal lines may be many more than a batch holds; a statement has a limited number of parameters. */
const chunks = (lines: readonly PreviewLine[]) =>
  [...Map.groupBy(lines.entries(), ([at]) => Math.floor(at / most)).values()].map((some) =>
    some.map(([, line]) => line),
  );

/** False when it failed; its writes are undone, and the transaction goes on. */
async function attempt(trx: Trx, work: () => Promise<void>): Promise<boolean> {
  await sql`savepoint line`.execute(trx);
  try {
    await work();
    await sql`release savepoint line`.execute(trx);
    return true;
  } catch (error) {
    if (isConnectionFailure(error)) throw error;
    await sql`rollback to savepoint line`.execute(trx);
    return false;
  }
}

async function writeLines(trx: Trx, lines: readonly PreviewLine[], by: By): Promise<void> {
  const incoming = lines.filter(({ amountCents }) => amountCents > 0);
  const payments = new Map<PreviewLine, number>();
  const payment = ({ amountCents, day, words }: PreviewLine) =>
    ({
      ...by,
      amountCents,
      receivedOn: day,
      method: 'bank',
      words,
      idempotencyKey: `bank-line:${crypto.randomUUID()}`,
    }) as const;
  for (const line of incoming) {
    if (line.match.kind !== 'one') continue;
    const { id, reference } = line.match.enrolment;
    payments.set(line, (await recordPayment(trx, { ...payment(line), enrolmentId: id })).paymentId);
    await writeAuditEntry(trx, {
      at: by.at,
      personId: personIdOf(by.actor),
      action: 'record-payment',
      subject: `enrolment:${reference}`,
      details: { cents: line.amountCents },
    });
  }
  const unmatched = incoming.filter(({ match }) => match.kind !== 'one');
  const ids = await recordUnmatched(trx, unmatched.map(payment), by);
  for (const [at, line] of unmatched.entries()) payments.set(line, ids[at] ?? 0);
  if (lines.length === 0) return;
  await trx
    .insertInto('bank_lines')
    .values(lines.map((line) => ({ ...rowOf(line, by.at), ...outgoingOf(line), payment_id: payments.get(line) })))
    .execute();
}

const rowOf = ({ day, amountCents, marks }: StatementLine, at: Date) => ({
  day,
  amount_cents: amountCents,
  balance_cents: marks.balanceCents,
  cells: marks.cells,
  recorded_at: at,
});

function outgoingOf({ amountCents, words, match }: PreviewLine) {
  if (amountCents > 0) return {};
  // Any of several pieces leads to the payment that was divided.
  const named = match.kind === 'one' ? match.enrolment : match.kind === 'several' ? match.enrolments[0] : null;
  return { words, state: 'open' as const, enrolment_id: named?.id ?? null };
}

/** Adds to lines recorded before what only this file has: the running balance, and missing rows. */
async function keepKnown(trx: Trx, lines: readonly PreviewLine[], at: Date): Promise<void> {
  for (const { known, ...line } of lines) {
    if (!known) continue;
    if (known.id === null) {
      await trx
        .insertInto('bank_lines')
        .values({ ...rowOf(line, at), payment_id: known.paymentId })
        .execute();
    } else if (known.balanceCents === null && line.marks.balanceCents !== null) {
      const balance = { balance_cents: line.marks.balanceCents };
      await trx.updateTable('bank_lines').set(balance).where('id', '=', known.id).execute();
    }
  }
}

/** An incoming line that names one enrolment. */
type Line = { at: number; enrolmentId: number; day: Day; amountCents: Cents };

/** The payment of money that is recorded already, and how: by hand, or as a refund that failed and came back. */
type RecordedBefore = { paymentId: number; how: 'by-hand' | 'returned' };

type Candidate = RecordedBefore & { enrolmentId: number; cents: Cents; day: Day };

/** How many days a bank may take between the day that staff entered and the day of its line. */
const mostDays = { 'by-hand': 7, returned: 30 };

/**
 * The lines whose money is recorded already although no line of a statement brought it, by their place: a transfer that
 * staff entered by hand, and a refund that they marked as failed. Amount and enrolment have to be the same. Each is found
 * for one line only, so that a second payment of the same amount is a new one.
 */
async function findRecordedByHand(db: Db, lines: readonly Line[]): Promise<Map<number, RecordedBefore>> {
  if (lines.length === 0) return new Map();
  const enrolments = [...new Set(lines.map(({ enrolmentId }) => enrolmentId))];
  const { rows } = await sql<Candidate>`
    select payment.id as "paymentId", 'by-hand' as how, enrolment_id as "enrolmentId",
      coalesce(arrived_cents, amount_cents) as cents, received_on as day
    from payments payment
    where enrolment_id = any(${enrolments}::bigint[]) and method = 'bank' and part_of is null
      and source not like 'bank%' and not exists (select from bank_lines where payment_id = payment.id)
    union all
    select payment.id, 'returned', payment.enrolment_id, refund.amount_cents, refund.sent_on
    from refunds refund join payments payment on payment.id = refund.payment_id
    where payment.enrolment_id = any(${enrolments}::bigint[]) and refund.state = 'failed'
      and not exists (select from bank_lines line where line.payment_id = payment.id
        and line.amount_cents = refund.amount_cents and line.recorded_at > refund.recorded_at)`.execute(db);
  const left = new Set(rows);
  const found = new Map<number, RecordedBefore>();
  for (const { at, enrolmentId, day, amountCents } of lines) {
    const [nearest] = [...left]
      .filter((one) => one.enrolmentId === enrolmentId && one.cents === amountCents && isNear(one, day))
      .toSorted((a, b) => Math.abs(daysBetween(a.day, day)) - Math.abs(daysBetween(b.day, day)));
    if (!nearest) continue;
    left.delete(nearest);
    found.set(at, { paymentId: nearest.paymentId, how: nearest.how });
  }
  return found;
}

/** A refund cannot come back before it was sent. */
function isNear({ how, day: recordedOn }: Candidate, day: Day): boolean {
  const days = daysBetween(recordedOn, day);
  return Math.abs(days) <= mostDays[how] && (how === 'by-hand' || days >= 0);
}
