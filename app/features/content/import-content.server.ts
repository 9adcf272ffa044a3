import type { Db } from '../../db/client.server.ts';
import { daysBetween } from '../../lib/dates.ts';
import { applyPlan } from './apply-plan.server.ts';
import { loadContent } from './load-content.server.ts';
import { moveDates, type Plan, planImport } from './plan.ts';
import { firstSession } from './rules.ts';
import type { Content } from './schema.ts';

export type ImportResult = { ok: true; plan: Plan; shiftWeeks: number } | { ok: false; reason: 'declined'; plan: Plan };

/**
 * Brings the database to the content, in one transaction that also holds off other imports.
 * The first import fixes by how many weeks dates move, counted from `today` (P13); later ones keep it.
 * `agree` sees the plan before anything is written; what it refuses changes nothing.
 */
export async function importContent(
  db: Db,
  content: Content,
  at: { today: string; now: Date },
  agree: (plan: Plan, shiftWeeks: number) => boolean | Promise<boolean>,
): Promise<ImportResult> {
  return db.transaction().execute(async (trx) => {
    const state = await trx.selectFrom('catalogue_state').selectAll().forUpdate().executeTakeFirstOrThrow();
    const before = await loadContent(trx);
    const shiftWeeks = state.shift_weeks ?? weeksToMove(content, at.today);
    const after = moveDates(content, shiftWeeks);
    const plan = planImport(before, after);
    if (!(await agree(plan, shiftWeeks))) return { ok: false, reason: 'declined', plan };

    await applyPlan(trx, plan, after, at.now);
    await trx
      .updateTable('catalogue_state')
      .set({
        as_of: content.site.asOf,
        shift_weeks: shiftWeeks,
        first_imported_at: state.first_imported_at ?? at.now,
        imported_at: at.now,
      })
      .execute();
    return { ok: true, plan, shiftWeeks };
  });
}

/** The content as its files have it: dates moved back to the calendar of asOf. Null while nothing was imported. */
export async function exportContent(db: Db): Promise<Content | null> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const content = await loadContent(trx);
      const state = await trx.selectFrom('catalogue_state').select('shift_weeks').executeTakeFirstOrThrow();
      return content && moveDates(content, -(state.shift_weeks ?? 0));
    });
}

/** Weeks by which the first training session comes to start 7 to 13 days after `today`; 0 without sessions. */
export function weeksToMove(content: Content, today: string): number {
  const first = firstSession(content);
  if (first === undefined) return 0;
  // The sum avoids -0.
  return 0 + Math.ceil((7 - daysBetween(today, first)) / 7);
}
