import type { ReactNode } from 'react';
import type { CsvColumns, CsvValue } from '#app/lib/csv-cell.ts';
import { type Cursor, type Standing, standingText } from '#app/lib/keyset.ts';
import { type ListAddresses, type ListView, listAddress, type Order } from './list-address.ts';

/** A column of a list: its title, its cell on the page, its values in the file, and the order that its title leads to. */
export type Column<Row, Shown, Sort = string> = {
  title: string;
  cell: (row: Shown) => ReactNode;
  /** The value under its title, or several under titles of their own. */
  csv: ((row: Row) => CsvValue) | CsvColumns<Row>;
  sort?: Order<Sort>;
  /** An amount or a count. */
  right?: true;
  /** The whole text, where the cell is cut when it does not fit. */
  cut?: (row: Shown) => string;
  /** Its width where there is room, such as `sm:w-28`. */
  width?: string;
  /** Left out between the widths of a phone and of a wide screen. */
  wide?: true;
};

/** A list as its page takes it. */
export type List<Shown> = ListAddresses & {
  title: string;
  columns: Readonly<Record<string, Column<never, Shown>>>;
  file(view: ListView): string;
  sortedBy(view: ListView, sort: string): string;
};

type Readers = Readonly<Record<string, (text: string) => string | null>>;

/** A list with a table of columns (P78): its page, its file and their addresses come from this one definition. */
export function defineList<Row, More extends unknown[], Shown, const Filters extends Readers, Sort extends string>({
  usual,
  filters,
  columns,
  ...list
}: {
  title: string;
  /** The address of the page without a query; that of the file ends in `.csv`. */
  path: string;
  /** What the page gets of a row. */
  show: (row: Row, ...more: More) => Shown;
  /** The usual order. */
  usual: NoInfer<Sort>;
  /** Reads each filter; null when it is missing or invalid. */
  filters: Filters;
  /** In the order of the page. */
  columns: Readonly<Record<string, Column<Row, Shown, Sort>>>;
}) {
  const orders = Object.values(columns).flatMap(({ sort }) => sort ?? []);
  const inOrder = orders.toSorted((one, other) => Number(other.name === usual) - Number(one.name === usual));
  const address = listAddress({ path: list.path, filters, orders: inOrder, columns: Object.keys(columns) });
  type View = ReturnType<typeof address.viewOf>;
  return {
    ...list,
    ...address,
    columns,
    /** The address of the file with all rows of a view. */
    file: (view: View): string => address.address({ ...view, cursor: null }, `${list.path}.csv`),
    /** The columns that the file of a view has. */
    csvOf(view: Pick<View, 'columns'>): CsvColumns<Row> {
      const shown = view.columns.flatMap((name) => columns[name] ?? []);
      return Object.assign({}, ...shown.map(({ title, csv }) => (typeof csv === 'function' ? { [title]: csv } : csv)));
    },
    /** What a page of a view gets beside its rows. */
    pageOf(view: View, { newer, older, standing }: { newer: Cursor | null; older: Cursor | null; standing: Standing }) {
      return {
        view,
        query: address.queryOf(view).toString(),
        newer: newer && address.address({ ...view, cursor: newer }),
        older: older && address.address({ ...view, cursor: older }),
        standing: standingText(standing),
      };
    },
  };
}
