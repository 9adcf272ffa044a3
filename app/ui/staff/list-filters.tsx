import type { ReactNode } from 'react';
import { Form } from 'react-router';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';
import { Tabs } from './page-head.tsx';

type Props = {
  /** Links that narrow the list to a state, or to all. */
  states: readonly { label: string; to: string; current: boolean }[];
  /** The list's own address. */
  action: string;
  /** The state that a search keeps; null for the default. */
  state: string | null;
  search: string;
  /** The label of the search, for screen readers and in the field. */
  searches: string;
  placeholder: string;
  /** One further field. */
  children?: ReactNode;
};

/** States and search above a list. It needs a key that changes with the address, so that its fields follow. */
export function ListFilters({ states, action, state, search, searches, placeholder, children }: Props) {
  const columns = children ? 'sm:grid-cols-[minmax(0,1fr)_12rem_auto]' : 'sm:grid-cols-[minmax(0,1fr)_auto]';
  return (
    <div className="mt-3 mb-3">
      <Tabs label="State" tabs={states.map(({ label, to, current }) => ({ text: label, to, current }))} />
      <Form role="search" action={action} className={`grid max-w-3xl gap-2 ${columns}`}>
        {state && <input type="hidden" name="state" value={state} />}
        <label>
          <span className="sr-only">{searches}</span>
          <input type="search" name="search" defaultValue={search} placeholder={placeholder} className={field} />
        </label>
        {children}
        <button type="submit" className={button.quiet}>
          Search
        </button>
      </Form>
    </div>
  );
}
