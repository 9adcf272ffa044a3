import type { Key, ReactNode } from 'react';
import { Link } from 'react-router';
import { ChooseAll, ChooseRow, type Choosing } from './choose.tsx';
import type { AddressedView } from './keyset-bar.tsx';

/** A cell of each row. */
export type CellOf<Row, Sort extends string> = {
  cell: (row: Row) => ReactNode;
  /** The order that its head leads to. */
  sort?: Sort;
  /** An amount or a count. */
  right?: true;
  /** The whole text, where the cell is cut when it does not fit. */
  cut?: (row: Row) => string;
  /** Its width where there is room, such as `sm:w-28`. */
  width?: string;
  /** Left out between the widths of a phone and of a wide screen. */
  wide?: true;
};

export type RowsProps<Row, Sort extends string, Name extends string, Column extends string> = AddressedView<
  Sort,
  Name,
  Column
> & {
  title: string;
  rows: readonly Row[];
  keyOf: (row: Row) => Key;
  cells: Readonly<Record<Column, CellOf<Row, Sort>>>;
  /** The acts on ticked rows, and the label of a row's box. */
  choosing?: Choosing & { labelOf: (row: Row) => string };
};

const onlyWide = 'sm:max-lg:hidden';
/**
 * The rows: 32 px each. On a phone long texts have a line each, short cells are in pairs with their headings before
 * them, and empty cells are left out.
 */
export function KeysetRows<Row, Sort extends string, Name extends string, Column extends string>({
  title,
  address,
  view,
  rows,
  keyOf,
  cells,
  choosing,
}: RowsProps<Row, Sort, Name, Column>) {
  return (
    <table className="w-full border-collapse text-left">
      <caption className="sr-only">{title}</caption>
      <thead className={choosing ? 'max-sm:block' : 'max-sm:sr-only'}>
        <tr className="border-b border-rule text-xs text-mute max-sm:block">
          {choosing && (
            <th scope="col" className="w-9 py-1 text-left font-medium max-sm:block max-sm:w-auto">
              <ChooseAll choosing={choosing} />
            </th>
          )}
          {view.columns.map((column) => {
            const { sort, right, wide, width = '' } = cells[column];
            const turned = sort === view.sort;
            return (
              <th
                key={column}
                scope="col"
                aria-sort={turned ? (view.descending ? 'descending' : 'ascending') : undefined}
                className={`py-1.5 font-medium whitespace-nowrap max-sm:sr-only aria-[sort]:font-semibold aria-[sort]:text-ink ${right ? 'pr-4 text-right' : 'pr-3'} ${width} ${wide ? onlyWide : ''}`}
              >
                {sort ? (
                  <Link to={address.sortedBy(view, sort)} className="hover:text-ink">
                    {address.columns[column]}
                    {turned && <span aria-hidden="true"> {view.descending ? '↓' : '↑'}</span>}
                  </Link>
                ) : (
                  address.columns[column]
                )}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody className="tabular">
        {rows.map((row) => (
          <tr key={keyOf(row)} className="list-row">
            {choosing && (
              <td className="h-8 max-sm:col-span-2 max-sm:h-auto">
                <ChooseRow value={String(keyOf(row))} label={choosing.labelOf(row)} />
              </td>
            )}
            {view.columns.map((column) => {
              const { cell, right, cut, wide } = cells[column];
              return (
                <td
                  key={column}
                  title={cut?.(row)}
                  data-head={address.columns[column]}
                  className={`${cut ? 'list-text' : 'list-value'} ${right ? 'sm:pr-4 sm:text-right' : ''} ${wide ? onlyWide : ''}`}
                >
                  <span className="min-w-0">{cell(row)}</span>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
