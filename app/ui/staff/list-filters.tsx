import type { ReactNode } from 'react';
import { Form, Link } from 'react-router';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';

type Props = {
  /** Links that narrow the list to a state, or to all. */
  states: readonly { label: string; to: string; current: boolean }[];
  /** The list's own address. */
  action: string;
  /** The state that a search keeps; null when the list has it by itself. */
  state: string | null;
  search: string;
  /** What is searched, for screen readers and in the field. */
  searches: string;
  placeholder: string;
  /** One further field. */
  children?: ReactNode;
};

/** States and search above a list. It needs a key that changes with the address, so that its fields follow. */
export function ListFilters({ states, action, state, search, searches, placeholder, children }: Props) {
  const columns = children ? 'sm:grid-cols-[minmax(0,1fr)_12rem_auto]' : 'sm:grid-cols-[minmax(0,1fr)_auto]';
  return (
    <div className="mt-4 mb-5 grid gap-4">
      <nav aria-label="State">
        <ul className="flex flex-wrap gap-2">
          {states.map(({ label, to, current }) => (
            <li key={label}>
              <Link
                to={to}
                aria-current={current ? 'page' : undefined}
                className="flex min-h-9 items-center rounded-full border border-edge px-4 text-sm font-bold hover:border-ink aria-[current=page]:border-ink aria-[current=page]:bg-ink aria-[current=page]:text-paper"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Form role="search" action={action} className={`grid gap-3 ${columns}`}>
        {state && <input type="hidden" name="state" value={state} />}
        <label>
          <span className="sr-only">{searches}</span>
          <input type="search" name="search" defaultValue={search} placeholder={placeholder} className={field} />
        </label>
        {children}
        <button type="submit" className={button.primary}>
          Search
        </button>
      </Form>
    </div>
  );
}
