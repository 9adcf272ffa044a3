import type { Key, ReactNode } from 'react';
import { Form, Link } from 'react-router';
import { button } from '#app/ui/button.ts';
import { OnlyWith } from './act-form.tsx';
import { ChooseAll, ChooseBar, ChooseRow, type Choosing, useMayChoose } from './choose.tsx';
import type { List } from './define-list.ts';
import { DropMenu } from './drop-menu.tsx';
import type { ListTab, ListView } from './list-address.ts';
import { type BarProps, Carried, ListBar } from './list-bar.tsx';
import { PageHead, Tabs } from './page-head.tsx';
import { Words } from './typography.tsx';

type TableProps<Shown> = {
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
function ListTable<Shown>({ list, view, rows, keyOf, choosing }: TableProps<Shown>) {
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

type Props<Shown> = Pick<BarProps, 'searches' | 'chips' | 'filters'> &
  Pick<TableProps<Shown>, 'list' | 'rows' | 'keyOf'> & {
    /** The result of the list's `pageOf`. */
    page: { view: ListView; newer: string | null; older: string | null; standing: string };
    /** A few words beside the title, such as a sum. */
    beside?: ReactNode;
    /** The acts, right of the title. */
    acts?: ReactNode;
    tabs?: readonly ListTab[];
    /** Beside the tabs, such as the form that saves a view. */
    saving?: ReactNode;
    choosing?: Omit<Choosing, 'shown'> & { labelOf: (row: Shown) => string };
    /** The sentence when there are no rows. */
    none: string;
  };

/** A list of many records (P78): saved views, filters as chips, a dense table, and pages by key. */
export function ListPage<Shown>({
  page,
  beside,
  acts,
  tabs = [],
  saving,
  none,
  choosing: given,
  ...props
}: Props<Shown>) {
  const { list, rows, keyOf } = props;
  const { view, newer, older, standing } = page;
  const choosing = given && { ...given, shown: rows.map((row) => String(keyOf(row))) };
  const mayChoose = useMayChoose(choosing);
  return (
    <>
      <PageHead title={list.title} beside={beside}>
        <OnlyWith permission="lists:export">
          <a href={list.file(view)} className={button.quiet}>
            Export CSV
          </a>
        </OnlyWith>
        {acts}
      </PageHead>
      {(tabs.length > 0 || saving) && (
        <div className={saving ? 'grid items-stretch sm:grid-cols-[minmax(0,1fr)_auto]' : undefined}>
          <Tabs label="Views" tabs={tabs} />
          {saving && <div className="sm:mb-3 sm:pl-5 sm:shadow-[inset_0_-1px_var(--rule)]">{saving}</div>}
        </div>
      )}
      <ListBar {...props} view={view}>
        <div className="ml-auto flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <ColumnMenu list={list} view={view} />
          <span role="status" className="text-mute">
            {standing}
          </span>
          <nav aria-label="Pages" className="flex gap-1">
            <PageLink to={newer}>Newer</PageLink>
            <PageLink to={older}>Older</PageLink>
          </nav>
        </div>
      </ListBar>
      {rows.length > 0 ? (
        <>
          {mayChoose && <ChooseBar choosing={choosing} />}
          <ListTable {...props} view={view} choosing={mayChoose ? choosing : undefined} />
        </>
      ) : (
        <div className="mt-3">
          <Words>{none}</Words>
        </div>
      )}
    </>
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

function ColumnMenu<Shown>({ list, view }: Pick<TableProps<Shown>, 'list' | 'view'>) {
  return (
    <DropMenu
      label="Columns"
      button="Columns"
      className="flex min-h-7 cursor-pointer list-none items-center px-2 font-semibold text-mute hover:text-ink"
      float="top-9 right-0 w-56 p-4 max-sm:right-auto max-sm:left-0"
    >
      <Form action={list.path} className="grid gap-1.5">
        <Carried list={list} view={view} without={['columns']} />
        {view.search && <input type="hidden" name="search" value={view.search} />}
        {Object.entries(list.columns).map(([name, { title }]) => (
          <label key={name} className="flex min-h-7 items-center gap-2">
            <input type="checkbox" name="columns" value={name} defaultChecked={view.columns.includes(name)} />
            {title}
          </label>
        ))}
        <button type="submit" className={button.quiet}>
          Show these
        </button>
      </Form>
    </DropMenu>
  );
}
