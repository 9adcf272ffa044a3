import type { Key, ReactNode } from 'react';
import { Form, Link } from 'react-router';
import type { KeyKind } from '#app/lib/keyset.ts';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';
import { ChooseAll, ChooseBar, ChooseRow, type Choosing, useMayChoose } from './choose.tsx';
import { DropMenu } from './drop-menu.tsx';
import { PageHead, Tabs } from './heads.tsx';
import type { ListView } from './keyset-address.ts';
import { Words } from './parts.tsx';

/** What `keysetAddress` makes. */
type KeysetAddress<Sort extends string, Name extends string, Column extends string> = {
  path: string;
  columns: Readonly<Record<Column, string>>;
  everyColumn: readonly Column[];
  sorts: Readonly<Record<Sort, { kind: KeyKind; descending: boolean }>>;
  names: readonly Name[];
  queryOf(view: ListView<Sort, Name, Column>): URLSearchParams;
  address(view: ListView<Sort, Name, Column>, of?: string): string;
  to(
    view: ListView<Sort, Name, Column>,
    change: Partial<Omit<ListView<Sort, Name, Column>, 'values'>> & { values?: Partial<Record<Name, string | null>> },
  ): string;
  sortedBy(view: ListView<Sort, Name, Column>, sort: Sort): string;
};

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

/** A filter that is on: what it is, in words, and the address without it. */
export type Chip<Name> = { name: Name; label: string; value: string };

export type ListTab = { to: string; text: string; count?: string; current: boolean };

type Props<Row, Sort extends string, Name extends string, Column extends string> = {
  title: string;
  /** What one can do, right of the title. */
  acts?: ReactNode;
  /** Where its rows are as a file; null for whoever may not have it. */
  csv: string | null;
  address: KeysetAddress<Sort, Name, Column>;
  view: ListView<Sort, Name, Column>;
  tabs?: readonly ListTab[];
  /** Beside the tabs, such as the form that saves a view. */
  saving?: ReactNode;
  /** What is searched, for screen readers and in the field. */
  searches: string;
  chips: readonly Chip<Name>[];
  /** Fields of filters, named as in the address. */
  filters?: ReactNode;
  notes?: ReactNode;
  rows: readonly Row[];
  keyOf: (row: Row) => Key;
  /** What can be done with rows that are ticked, and how the box of one is named. */
  choosing?: Choosing & { labelOf: (row: Row) => string };
  cells: Readonly<Record<Column, CellOf<Row, Sort>>>;
  /** Where the page stands in its list, in words. */
  standing: string;
  newer: string | null;
  older: string | null;
  /** What is said where rows would be. */
  none: string;
};

/** A list of many records (P78): saved views, filters as chips, a dense table, and pages by key. */
export function KeysetList<Row, Sort extends string, Name extends string, Column extends string>(
  props: Props<Row, Sort, Name, Column>,
) {
  const { title, acts, csv, address, view, tabs = [], saving, notes, rows, none, choosing } = props;
  const mayChoose = useMayChoose(choosing);
  return (
    <>
      <PageHead title={title}>
        {csv && (
          <a href={address.address({ ...view, cursor: null }, csv)} className={button.quiet}>
            Export CSV
          </a>
        )}
        {acts}
      </PageHead>
      {(tabs.length > 0 || saving) && (
        <div className={saving ? 'grid items-stretch sm:grid-cols-[minmax(0,1fr)_auto]' : undefined}>
          <Tabs label="Views" tabs={tabs} />
          {saving && <div className="sm:mb-3 sm:pl-5 sm:shadow-[inset_0_-1px_var(--rule)]">{saving}</div>}
        </div>
      )}
      <Bar {...props} />
      {notes}
      {rows.length > 0 ? (
        <>
          {mayChoose && <ChooseBar choosing={choosing} />}
          <RowsTable {...props} choosing={mayChoose ? choosing : undefined} />
        </>
      ) : (
        <div className="mt-3">
          <Words>{none}</Words>
        </div>
      )}
    </>
  );
}

type BarProps = 'address' | 'view' | 'searches' | 'chips' | 'filters' | 'standing' | 'newer' | 'older';

/** Search, chips, columns, and where the page stands. Its fields follow the address. */
function Bar<Row, Sort extends string, Name extends string, Column extends string>({
  address,
  view,
  searches,
  chips,
  filters,
  standing,
  newer,
  older,
}: Pick<Props<Row, Sort, Name, Column>, BarProps>) {
  const shown = address.address(view);
  const nothingOn = Object.fromEntries(address.names.map((name) => [name, null])) as Record<Name, null>;
  return (
    <div key={shown} className="mb-1 flex flex-wrap items-center gap-2">
      <Form role="search" action={address.path} className="flex min-w-0 gap-2 max-sm:w-full">
        <Carried address={address} view={view} without={[]} />
        <label className="min-w-0 grow">
          <span className="sr-only">{searches}</span>
          <input
            type="search"
            name="search"
            defaultValue={view.search}
            placeholder={searches}
            className={`${field} sm:w-72`}
          />
        </label>
        <button type="submit" className={button.quiet}>
          Search
        </button>
      </Form>
      {chips.map(({ name, label, value }) => (
        <Link
          key={name}
          to={address.to(view, { values: { [name]: null } as Partial<Record<Name, null>> })}
          className="inline-flex min-h-7 items-center gap-1.5 rounded-full bg-tint px-3 text-sm hover:bg-hover"
        >
          <span className="text-mute">{label}</span>
          <b className="font-semibold">{value}</b>
          <span aria-hidden="true" className="text-mute">
            ×
          </span>
          <span className="sr-only">, take this filter off</span>
        </Link>
      ))}
      {filters && (
        <DropMenu
          label="Filter"
          button="+ Filter"
          className="flex min-h-7 cursor-pointer list-none items-center rounded-full border border-dashed border-edge px-3 text-sm text-mute hover:text-ink"
          float="top-9 left-0 w-72 p-4"
        >
          <Form action={address.path} className="grid gap-3">
            <Carried address={address} view={view} without={address.names} />
            {view.search && <input type="hidden" name="search" value={view.search} />}
            {filters}
            <button type="submit" className={button.primary}>
              Show
            </button>
          </Form>
        </DropMenu>
      )}
      {chips.length > 0 && (
        <Link to={address.to(view, { search: '', values: nothingOn })} className="px-2 text-sm font-semibold text-mute">
          Clear
        </Link>
      )}
      <div className="ml-auto flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <ColumnMenu address={address} view={view} />
        <span role="status" className="text-mute">
          {standing}
        </span>
        <nav aria-label="Pages" className="flex gap-1">
          <PageLink to={newer}>Newer</PageLink>
          <PageLink to={older}>Older</PageLink>
        </nav>
      </div>
    </div>
  );
}

function PageLink({ to, children }: { to: string | null; children: string }) {
  if (to === null) return <span className="inline-flex min-h-8 items-center px-3 text-mute">{children}</span>;
  return (
    <Link to={to} className={button.quiet}>
      {children}
    </Link>
  );
}

/** The parts of the address that a form of the list keeps. */
function Carried<Sort extends string, Name extends string, Column extends string>({
  address,
  view,
  without,
}: {
  address: KeysetAddress<Sort, Name, Column>;
  view: ListView<Sort, Name, Column>;
  without: readonly string[];
}) {
  return [...address.queryOf(view)]
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
}

function ColumnMenu<Sort extends string, Name extends string, Column extends string>({
  address,
  view,
}: {
  address: KeysetAddress<Sort, Name, Column>;
  view: ListView<Sort, Name, Column>;
}) {
  return (
    <DropMenu
      label="Columns"
      button="Columns"
      className="flex min-h-7 cursor-pointer list-none items-center px-2 font-semibold text-mute hover:text-ink"
      float="top-9 right-0 w-56 p-4 max-sm:right-auto max-sm:left-0"
    >
      <Form action={address.path} className="grid gap-1.5">
        <Carried address={address} view={view} without={['columns']} />
        {view.search && <input type="hidden" name="search" value={view.search} />}
        {address.everyColumn.map((column) => (
          <label key={column} className="flex min-h-7 items-center gap-2">
            <input type="checkbox" name="columns" value={column} defaultChecked={view.columns.includes(column)} />
            {address.columns[column]}
          </label>
        ))}
        <button type="submit" className={button.quiet}>
          Show these
        </button>
      </Form>
    </DropMenu>
  );
}

const onlyWide = 'sm:max-lg:hidden';
const longCell = 'sm:max-w-0 sm:truncate max-sm:col-span-2 max-sm:wrap-anywhere';
const shortCell =
  'whitespace-nowrap max-sm:flex max-sm:gap-2 max-sm:whitespace-normal max-sm:before:shrink-0 max-sm:before:text-sm max-sm:before:text-mute max-sm:before:content-[attr(data-head)]';

/**
 * The rows: 32 px each. At the width of a phone texts that may be long have a line each, and short cells stand in twos with
 * their heads before them; what is empty is left out.
 */
function RowsTable<Row, Sort extends string, Name extends string, Column extends string>({
  title,
  address,
  view,
  rows,
  keyOf,
  cells,
  choosing,
}: Props<Row, Sort, Name, Column>) {
  return (
    <table className="w-full border-collapse text-left">
      <caption className="sr-only">{title}</caption>
      <thead className={choosing ? 'max-sm:block' : 'max-sm:sr-only'}>
        <tr className="border-b border-rule text-xs text-mute max-sm:block">
          {choosing && (
            <th scope="col" className="w-8 py-1 text-left font-medium max-sm:block max-sm:w-auto">
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
          <tr
            key={keyOf(row)}
            className="border-b border-line hover:bg-hover max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-4 max-sm:py-2"
          >
            {choosing && (
              <td className="h-8 max-sm:col-span-2 max-sm:h-auto">
                <ChooseRow value={String(keyOf(row))} label={choosing.labelOf(row)} />
              </td>
            )}
            {view.columns.map((column) => {
              const { cell, right, cut, wide } = cells[column];
              const looks = cut ? longCell : shortCell;
              return (
                <td
                  key={column}
                  title={cut?.(row)}
                  data-head={address.columns[column]}
                  className={`h-8 max-sm:h-auto max-sm:py-0.5 max-sm:pr-0 max-sm:has-[span:empty]:hidden ${looks} ${right ? 'pr-4 sm:text-right' : 'pr-3'} ${wide ? onlyWide : ''}`}
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
