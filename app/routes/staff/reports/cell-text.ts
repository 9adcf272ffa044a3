import type { Cell, Column } from '#app/features/reports/report.ts';
import type { CsvValue } from '#app/lib/csv-cell.ts';
import { formatDays } from '#app/lib/dates.ts';
import { formatCents } from '#app/lib/exact-money.ts';
import { formatCount } from '#app/lib/money.ts';

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text);

/** A cell of a report as a page shows it. */
export function cellText(kind: Column['kind'], cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return isDay(cell) ? formatDays(cell, cell) : cell;
  switch (kind) {
    case 'money':
      return formatCents(cell);
    case 'share':
      return `${Math.round(cell * 100)}%`;
    case 'hours':
      return cell.toFixed(1);
    default:
      return formatCount(cell);
  }
}

/** The same in a file: days as 2027-02-15, shares as parts of 1. */
export function cellInFile(kind: Column['kind'], cell: Cell): CsvValue {
  if (typeof cell !== 'number') return cell;
  return kind === 'money' ? { cents: cell } : Math.round(cell * 1000) / 1000;
}
