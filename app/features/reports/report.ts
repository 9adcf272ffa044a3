import type { Db } from '#app/db/client.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import type { Period } from './period.ts';

/**
 * A cell: text, a count, an amount in cents, hours or a share from 0 to 1, as its column says; null for nothing. Hours
 * and shares are not added up.
 */
export type Cell = string | number | null;

export type Column = { head: string; kind: 'text' | 'count' | 'money' | 'hours' | 'share' };

export type Figures = {
  columns: readonly Column[];
  rows: readonly (readonly Cell[])[];
  /** The columns that have a chart, over the first column. */
  charts: readonly number[];
  /** Whether a last row adds up the columns of counts and money. */
  hasSum: boolean;
};

export type Report = {
  /** Its address. */
  slug: string;
  title: string;
  /** The question that it answers, in a line. */
  about: string;
  /** The definition of each figure and its limits, a sentence or two each. Days are those of Brisbane. */
  definition: readonly string[];
  read(db: Db, actor: StaffActor, period: Period, now: Date): Promise<Figures>;
};

/** The sums of a table, null for columns that cannot be added up. */
export const sumsOf = ({ columns, rows }: Figures): readonly Cell[] =>
  columns.map(({ kind }, at) =>
    kind === 'count' || kind === 'money' ? rows.reduce((sum, row) => sum + Number(row[at] ?? 0), 0) : null,
  );
