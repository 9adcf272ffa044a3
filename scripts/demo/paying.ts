import { accountOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import type { StatementLine } from '#app/features/money/bank-statement.server.ts';
import { recordStatement } from '#app/features/money/statements.server.ts';
import { type Stage, weekday } from './stage.ts';

/** The lines of the bank that nobody has read into the program yet. */
const waiting = new WeakMap<Stage, StatementLine[]>();

/** A payment of an enrolment's balance arrives at the academy's bank today. */
export async function transferMoney(
  stage: Stage,
  { enrolmentId, words }: { enrolmentId: number; words: string },
): Promise<void> {
  const amountCents = balanceOf(await accountOf(stage.db, enrolmentId));
  if (amountCents <= 0) return;
  const { today } = stage.moment();
  const lines = waiting.get(stage) ?? [];
  const text = words.toLowerCase();
  const marks = { balanceCents: null, cells: [`demo-${enrolmentId}-${today}`], texts: [text, String(amountCents)] };
  waiting.set(stage, [...lines, { line: lines.length + 1, day: today, amountCents, words, marks }]);
}

/** Staff read the bank's statement on weekdays. */
export async function readStatement(stage: Stage): Promise<void> {
  const { now, today } = stage.moment();
  const lines = waiting.get(stage) ?? [];
  if (lines.length === 0 || [0, 6].includes(weekday(today))) return;
  waiting.delete(stage);
  const { recorded, unmatched, failed } = await recordStatement(stage.db, lines, {
    actor: stage.team.admissions,
    at: now,
  });
  if (failed.length > 0) throw new Error(`${failed.length} lines of a statement were not recorded`);
  for (let at = 0; at < recorded; at += 1) stage.count('payments');
  for (let at = 0; at < unmatched; at += 1) stage.count('payments to match by hand');
}
