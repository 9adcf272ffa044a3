import type { ReactNode } from 'react';
import { Form, Link } from 'react-router';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';
import { DropMenu } from './drop-menu.tsx';
import type { KeysetAddress, ListView } from './keyset-address.ts';

/** An active filter, in words, and the address without it. */
export type Chip<Name> = { name: Name; label: string; value: string };

/** A view of a list, and the addresses of its other views. */
export type AddressedView<Sort extends string, Name extends string, Column extends string> = {
  address: KeysetAddress<Sort, Name, Column>;
  view: ListView<Sort, Name, Column>;
};

export type BarProps<Sort extends string, Name extends string, Column extends string> = AddressedView<
  Sort,
  Name,
  Column
> & {
  /** The label of the search, for screen readers and in the field. */
  searches: string;
  chips: readonly Chip<Name>[];
  /** Fields of filters, named as in the address. */
  filters?: ReactNode;
  /** Which rows of the list the page shows, in words. */
  standing: string;
  newer: string | null;
  older: string | null;
};

/** Search, chips, columns, and the position of the page. Its fields follow the address. */
export function KeysetBar<Sort extends string, Name extends string, Column extends string>({
  address,
  view,
  searches,
  chips,
  filters,
  standing,
  newer,
  older,
}: BarProps<Sort, Name, Column>) {
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
}: { without: readonly string[] } & AddressedView<Sort, Name, Column>) {
  return [...address.queryOf(view)]
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
}

function ColumnMenu<Sort extends string, Name extends string, Column extends string>({
  address,
  view,
}: AddressedView<Sort, Name, Column>) {
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
