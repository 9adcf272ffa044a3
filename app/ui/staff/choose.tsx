import { type ChangeEvent, useContext } from 'react';
import { Form } from 'react-router';
import { formatCount } from '#app/lib/money.ts';
import type { Permission } from '#app/lib/permission-names.ts';
import { button } from '#app/ui/button.ts';
import { select } from '#app/ui/field.ts';
import { type May, MayContext } from './act-form.tsx';

/** The acts on ticked rows of a list (P79). */
export type Choosing = {
  /** The page that shows the effects first. */
  to: string;
  /** Whether a file is there. */
  file?: true;
  /** The query of the list, with its search: by it all that match are found again. */
  list: string;
  /** The keys of the rows that the page shows. */
  shown: readonly string[];
  /** How many match; null where the list is not chosen as a whole. */
  matching: Matching | null;
  /** How many can be chosen. */
  most: number;
  /** The acts: the value in the address, the words, and the permission for each. */
  acts: readonly (readonly [act: string, text: string, needs: Permission])[];
};

/** How many rows match a list, as far as they were counted. */
export type Matching = { count: number; more: boolean };

const formId = 'choose';

const useActs = ({ acts }: Choosing) => {
  const may: May = useContext(MayContext);
  return acts.filter(([, , needs]) => may.has(needs));
};

/** Whether the person who looks may do anything with rows; nobody else sees boxes. */
export const useMayChoose = (choosing: Choosing | undefined): choosing is Choosing => {
  const may: May = useContext(MayContext);
  return choosing?.acts.some(([, , needs]) => may.has(needs)) ?? false;
};

/** The form above the rows, with the acts on ticked rows or on all that match. The boxes belong to this form. */
export function ChooseBar({ choosing }: { choosing: Choosing }) {
  const { to, file = false, list, shown, matching, most } = choosing;
  const acts = useActs(choosing);
  const only = acts.length === 1 ? acts[0] : null;
  return (
    <Form
      id={formId}
      method="get"
      action={to}
      reloadDocument={file}
      key={shown.join()}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2 text-sm print:hidden"
    >
      <input type="hidden" name="list" value={list} />
      <input type="hidden" name="shown" value={shown.join()} />
      {only ? (
        <input type="hidden" name="act" value={only[0]} />
      ) : (
        <label className="flex items-center gap-2">
          <span>With those ticked</span>
          <select name="act" className={`${select} w-auto`}>
            {acts.map(([act, text]) => (
              <option key={act} value={act}>
                {text}
              </option>
            ))}
          </select>
        </label>
      )}
      {matching && matching.count > shown.length && <AllThatMatch matching={matching} most={most} />}
      <button type="submit" className={button.quiet}>
        {only ? only[1] : 'Go on'}
      </button>
    </Form>
  );
}

function AllThatMatch({ matching: { count, more }, most }: { matching: Matching; most: number }) {
  if (count > most) {
    return (
      <span className="text-mute">{`More than ${formatCount(most)} match: narrow the list to choose them all.`}</span>
    );
  }
  return (
    <label className="flex min-h-8 items-center gap-2">
      <input type="checkbox" name="of" value="all" />
      {more ? `All that match, ${formatCount(most)} at most` : `All ${formatCount(count)} that match`}
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
