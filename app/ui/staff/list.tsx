import type { Key, ReactNode } from 'react';
import { Link } from 'react-router';
import { button } from '#app/ui/button.ts';
import type { PageLinks } from './list-address.ts';

type RowsProps<Row> = {
  rows: readonly Row[];
  keyOf: (row: Row) => Key;
  /** Classes of a row: its columns where there is room, such as `md:grid-cols-[15rem_minmax(0,1fr)]`. */
  columns: string | ((row: Row) => string);
  /** Whether the whole row leads somewhere: then a `RowLink` is in it. */
  leads?: boolean;
  /** Whether stacked cells have more space between them, for cells with forms. */
  roomy?: boolean;
  /** Takes the place of the list. */
  none?: ReactNode;
  label?: string;
  /** The cells of a row, one for each column. */
  children: (row: Row) => ReactNode;
};

/** Rows between hairlines, one below the other, each with its cells side by side where there is room. */
export function Rows<Row>({
  rows,
  keyOf,
  columns,
  leads = false,
  roomy = false,
  none = null,
  label,
  children,
}: RowsProps<Row>) {
  if (rows.length === 0) return none;
  const looks = `${roomy ? 'gap-y-2' : 'gap-y-1'} ${leads ? 'relative hover:bg-hover' : ''}`;
  const columnsOf = typeof columns === 'string' ? () => columns : columns;
  return (
    <ul aria-label={label} className="border-t border-rule">
      {rows.map((row) => (
        <li
          key={keyOf(row)}
          className={`grid min-h-9 items-baseline gap-x-6 border-b border-line py-2 ${looks} ${columnsOf(row)}`}
        >
          {children(row)}
        </li>
      ))}
    </ul>
  );
}

/** The text of a row's link; the whole row is the link. */
export function RowLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="font-semibold underline-offset-3 wrap-anywhere after:absolute after:inset-0 hover:underline"
    >
      {children}
    </Link>
  );
}

/** The links to other parts of a list, below it. */
export function PagesNav({ pages }: { pages: PageLinks }) {
  return (
    <nav aria-label="Pages" className="mt-4 flex flex-wrap gap-2">
      {pages.map(
        (page) =>
          page && (
            <Link key={page.text} to={page.to} className={button.quiet}>
              {page.text}
            </Link>
          ),
      )}
    </nav>
  );
}
