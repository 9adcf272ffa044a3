import { type ChangeEvent, useContext } from 'react';
import type { Standing } from '#app/lib/keyset.ts';
import { formatCount } from '#app/lib/money.ts';
import type { Permission } from '#app/lib/permission-names.ts';
import { button } from '#app/ui/button.ts';
import { type May, MayContext } from './act-form.tsx';

/** The acts on ticked rows of a list (P101). */
export type Choosing = {
  /** The query of the list, with its search: by it all that match are found again. */
  list: string;
  /** The keys of the rows that the page shows. */
  shown: readonly string[];
  /** How many rows match, as far as they were counted, and how many can be chosen; null where not all can be. */
  all: (Pick<Standing, 'total' | 'more'> & { most: number }) | null;
  /** A button each, with the address that it sends the rows to. */
  acts: readonly { to: string; text: string; needs: Permission }[];
};

const formId = 'choose';

/** Whether the person who looks may do anything with rows; nobody else sees boxes. */
export const useMayChoose = (choosing: Choosing | undefined): choosing is Choosing => {
  const may: May = useContext(MayContext);
  return choosing?.acts.some(({ needs }) => may.has(needs)) ?? false;
};

/** The form above the rows, with a button for each act. The boxes belong to this form. */
export function ChooseBar({ choosing: { list, shown, all, acts } }: { choosing: Choosing }) {
  const may: May = useContext(MayContext);
  return (
    // Some buttons lead to a file, so the browser itself sends the form.
    <form
      id={formId}
      key={shown.join()}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2 text-sm print:hidden"
    >
      <input type="hidden" name="list" value={list} />
      <input type="hidden" name="shown" value={shown.join()} />
      {all && all.total > shown.length && <AllThatMatch {...all} />}
      <span>With those ticked:</span>
      {acts
        .filter(({ needs }) => may.has(needs))
        .map(({ to, text }) => (
          <button key={to} type="submit" formAction={to} className={button.quiet}>
            {text}
          </button>
        ))}
    </form>
  );
}

function AllThatMatch({ total, more, most }: NonNullable<Choosing['all']>) {
  if (total > most) {
    return (
      <span className="text-mute">{`More than ${formatCount(most)} match. To tick them all, narrow the filter.`}</span>
    );
  }
  return (
    <label className="flex min-h-8 items-center gap-2">
      <input type="checkbox" name="of" value="all" />
      {more ? 'All that match' : `All ${formatCount(total)} that match`}
    </label>
  );
}

const boxes = (name: string) => document.querySelectorAll<HTMLInputElement>(`input[form="${formId}"][name="${name}"]`);

type AllProps = {
  choosing: Choosing;
  /** Whether its words are seen at every width, not on phones alone. */
  inWords?: boolean;
};

/** Ticks all rows of the page: the server reads this box; with scripts the boxes of the rows are ticked too. */
export function ChooseAll({ choosing: { shown }, inWords = false }: AllProps) {
  const tick = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    for (const box of boxes('row')) box.checked = currentTarget.checked;
  };
  return (
    <label className={`inline-flex h-6 items-center gap-2 ${inWords ? '' : 'sm:w-6 sm:justify-center'}`}>
      <input key={shown.join()} type="checkbox" form={formId} name="of" value="page" onChange={tick} />
      <span className={inWords ? '' : 'sm:sr-only'}>All on this page</span>
    </label>
  );
}

/** The box of a row. */
export function ChooseRow({ value, label }: { value: string; label: string }) {
  const untick = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    if (currentTarget.checked) return;
    for (const box of document.querySelectorAll<HTMLInputElement>(
      `input[form="${formId}"][name="of"], #${formId} input[name="of"]`,
    )) {
      box.checked = false;
    }
  };
  return (
    <label className="inline-flex size-6 items-center justify-center">
      <input type="checkbox" form={formId} name="row" value={value} onChange={untick} />
      <span className="sr-only">Choose {label}</span>
    </label>
  );
}
