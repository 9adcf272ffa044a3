import type { Key } from 'react';
import { Link } from 'react-router';
import { ChooseAll, ChooseRow, type Choosing } from './choose.tsx';
import type { List } from './define-list.ts';
import type { ListView } from './list-address.ts';

export type TableProps<Shown> = {
  list: List<Shown>;
  view: ListView;
  rows: readonly Shown[];
  keyOf: (row: Shown) => Key;
  /** The acts on ticked rows, and the label of a row's box. */
  choosing?: Choosing & { labelOf: (row: Shown) => string };
};

const onlyWide = 'sm:max-lg:hidden';
/**
 * The rows: 32 px each. At the width of a phone texts that may be long have a line each, and short cells stand in twos
 * with their heads before them; what is empty is left out.
 */
export function ListTable<Shown>({ list, view, rows, keyOf, choosing }: TableProps<Shown>) {
  const columns = view.columns.flatMap((name) => {
    const column = list.columns[name];
    return column ? [{ name, ...column }] : [];
  });
  return (
    <table className="w-full border-collapse text-left">
      <caption className="sr-only">{list.title}</caption>
      <thead className={choosing ? 'max-sm:block' : 'max-sm:sr-only'}>
        <tr className="border-b border-rule text-xs text-mute max-sm:block">
          {choosing && (
            <th scope="col" className="w-9 py-1 text-left font-medium max-sm:block max-sm:w-auto">
              <ChooseAll choosing={choosing} />
            </th>
          )}
          {columns.map(({ name, title, sort, right, wide, width = '' }) => {
            const turned = sort?.name === view.sort;
            return (
              <th
                key={name}
                scope="col"
                aria-sort={turned ? (view.descending ? 'descending' : 'ascending') : undefined}
                className={`py-1.5 font-medium whitespace-nowrap max-sm:sr-only aria-[sort]:font-semibold aria-[sort]:text-ink ${right ? 'pr-4 text-right' : 'pr-3'} ${width} ${wide ? onlyWide : ''}`}
              >
                {sort ? (
                  <Link to={list.sortedBy(view, sort.name)} className="hover:text-ink">
                    {title}
                    {turned && <span aria-hidden="true"> {view.descending ? '↓' : '↑'}</span>}
                  </Link>
                ) : (
                  title
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
            {columns.map(({ name, title, cell, right, cut, wide }) => (
              <td
                key={name}
                title={cut?.(row)}
                data-head={title}
                className={`${cut ? 'list-text' : 'list-value'} ${right ? 'sm:pr-4 sm:text-right' : ''} ${wide ? onlyWide : ''}`}
              >
                <span className="min-w-0">{cell(row)}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
