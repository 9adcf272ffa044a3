import type { ReactNode } from 'react';
import { button } from '#app/ui/button.ts';
import { OnlyWith } from './act-form.tsx';
import { ChooseBar, useMayChoose } from './choose.tsx';
import { type BarProps, KeysetBar } from './keyset-bar.tsx';
import { KeysetRows, type RowsProps } from './keyset-rows.tsx';
import { PageHead, Tabs } from './page-head.tsx';
import { Words } from './typography.tsx';

export type ListTab = { to: string; text: string; count?: string; current: boolean };

type Props<Row, Sort extends string, Name extends string, Column extends string> = BarProps<Sort, Name, Column> &
  RowsProps<Row, Sort, Name, Column> & {
    /** The acts, right of the title. */
    acts?: ReactNode;
    /** The address of its rows as a file, shown only with the permission for it. */
    csv: string;
    tabs?: readonly ListTab[];
    /** Beside the tabs, such as the form that saves a view. */
    saving?: ReactNode;
    notes?: ReactNode;
    /** The sentence when there are no rows. */
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
        <OnlyWith permission="lists:export">
          <a href={address.address({ ...view, cursor: null }, csv)} className={button.quiet}>
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
      <KeysetBar {...props} />
      {notes}
      {rows.length > 0 ? (
        <>
          {mayChoose && <ChooseBar choosing={choosing} />}
          <KeysetRows {...props} choosing={mayChoose ? choosing : undefined} />
        </>
      ) : (
        <div className="mt-3">
          <Words>{none}</Words>
        </div>
      )}
    </>
  );
}
