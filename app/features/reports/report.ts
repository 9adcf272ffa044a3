import type { Db } from '#app/db/client.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import type { Standing } from '#app/lib/keyset.ts';
import type { After } from './after.ts';
import type { Period } from './period.ts';

/**
 * A cell: text, the number of an enrolment, a count, days, an amount in cents, hours or a share from 0 to 1, as its
 * column says; null for nothing. Days, hours and shares are not added up.
 */
export type Cell = string | number | null;

export type Column = { head: string; kind: 'text' | 'enrolment' | 'count' | 'days' | 'money' | 'hours' | 'share' };

export type Figures = {
  columns: readonly Column[];
  rows: readonly (readonly Cell[])[];
  /** The columns that have a chart, over the first column. */
  charts: readonly number[];
  /** Whether a last row adds up the columns of counts and money. */
  hasSum: boolean;
  /** For a report whose rows fill several pages. */
  page?: {
    standing: Standing;
    /** Null on the last page. */
    next: After | null;
    /** The sums of all its rows, null for columns that cannot be added up. */
    sums: readonly Cell[];
  };
};

/** At most `most` rows after the page before, and further ones of the same day and record as the last. */
export type Part = { after: After | null; most: number };

export type Report = {
  /** Its address. */
  slug: string;
  title: string;
  /** It shows the present, not a period, so it has no first day. */
  isState?: true;
  /** The question that it answers, in a line. */
  about: string;
  /** The definition of each figure and its limits, a sentence or two each. Days are those of Brisbane. */
  definition: readonly string[];
  /** Only a report with pages looks at `part`; it returns all rows without. */
  read(db: Db, actor: StaffActor, period: Period, now: Date, part?: Part): Promise<Figures>;
};

/** The sums of a table, null for columns that cannot be added up. */
export const sumsOf = ({ columns, rows, page }: Figures): readonly Cell[] =>
  page?.sums ??
  columns.map(({ kind }, at) =>
    kind === 'count' || kind === 'money' ? rows.reduce((sum, row) => sum + Number(row[at] ?? 0), 0) : null,
  );
