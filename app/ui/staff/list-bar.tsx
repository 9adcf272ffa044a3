import type { ReactNode } from 'react';
import { Form, Link } from 'react-router';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';
import { DropMenu } from './drop-menu.tsx';
import type { Chip, ListAddresses, ListView } from './list-address.ts';

/** A view of a list, and the addresses of its other views. */
export type AddressedView = { list: ListAddresses; view: ListView };

export type BarProps = AddressedView & {
  /** The label of the search, for screen readers and in the field. */
  searches: string;
  /** The words in the field, where the label is too long for it. */
  placeholder?: string;
  /** A further field of the search, by the name of its filter. */
  field?: { name: string; input: ReactNode };
  chips?: readonly Chip[];
  /** Fields of filters, named as in the address. */
  filters?: ReactNode;
  /** The menu of columns, which rows the page shows, and the links to others. */
  children?: ReactNode;
};

/** Search and chips above a list. Its fields follow the address. */
export function ListBar({
  list,
  view,
  searches,
  placeholder = searches,
  field: further,
  chips = [],
  filters,
  children,
}: BarProps) {
  const shown = list.address(view);
  const nothingOn = Object.fromEntries(list.names.map((name) => [name, null]));
  return (
    <div key={shown} className="mb-1 flex flex-wrap items-center gap-2">
      <Form role="search" action={list.path} className="flex min-w-0 gap-2 max-sm:w-full">
        <Carried list={list} view={view} without={further ? [further.name] : []} />
        <label className="min-w-0 grow">
          <span className="sr-only">{searches}</span>
          <input
            type="search"
            name="search"
            defaultValue={view.search}
            placeholder={placeholder}
            className={`${field} sm:w-72`}
          />
        </label>
        {further?.input}
        <button type="submit" className={button.quiet}>
          Search
        </button>
      </Form>
      {chips.map(({ name, label, value }) => (
        <Link
          key={name}
          to={list.to(view, { values: { [name]: null } })}
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
          <Form action={list.path} className="grid gap-3">
            <Carried list={list} view={view} without={list.names} />
            {view.search && <input type="hidden" name="search" value={view.search} />}
            {filters}
            <button type="submit" className={button.primary}>
              Show
            </button>
          </Form>
        </DropMenu>
      )}
      {chips.length > 0 && (
        <Link to={list.to(view, { search: '', values: nothingOn })} className="px-2 text-sm font-semibold text-mute">
          Clear
        </Link>
      )}
      {children}
    </div>
  );
}

/** The parts of the address that a form of the list keeps. */
export function Carried({ list, view, without }: AddressedView & { without: readonly string[] }) {
  return [...list.queryOf(view)]
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
}
