import { type MouseEvent, type ReactNode, useEffect, useState } from 'react';
import type { FormField } from '#app/features/content/form/field.ts';
import { withFormAct } from '#app/features/content/form/form-acts.ts';
import type { Typed } from '#app/features/content/form/typed.ts';
import { button } from '#app/ui/button.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ActForm } from '#app/ui/staff/act-form.tsx';
import type { Choices } from './choices.server.ts';
import { ShownProvider } from './field-controls.tsx';
import { FieldViews } from './field-views.tsx';
import { forgetOnDevice, keepOnDevice, type OnDevice, onDevice, sameTyped } from './on-device.ts';

type Props = {
  /** The key under which the browser keeps unsaved entries. */
  place: string;
  /** The saved entries; those of a refused form differ from them. */
  saved: Typed;
  fields: readonly FormField[];
  form: FormState;
  choices: Choices;
  changed: Readonly<Record<string, string>>;
  published?: Typed;
  /** Content above the fields that is sent with them, and the fields in it. */
  above?: ReactNode;
  except?: ReadonlySet<string>;
  children?: ReactNode;
};

export const formId = 'content-form';

/**
 * The form of a record. What is typed is kept in the browser from the first key on, and offered again when the page is
 * opened without it having been saved (P71).
 */
export function TypedForm({
  place,
  saved,
  fields,
  form,
  choices,
  changed,
  published = {},
  above,
  except,
  children,
}: Props) {
  const [typed, setTyped] = useState<Typed>(form.values);
  const [drawn, setDrawn] = useState(0);
  const [left, setLeft] = useState<OnDevice | null>(null);
  useEffect(() => {
    const sent = document.getElementById(formId);
    const here = sent instanceof HTMLFormElement ? typedIn(sent) : form.values;
    const found = onDevice(place);
    if (found && sameTyped(fields, found.typed, saved)) forgetOnDevice(place);
    // A refused form is newer than the entries the browser kept, and has the changes of others.
    if (form.values !== saved) keepOnDevice(place, here);
    else setLeft(found && !sameTyped(fields, found.typed, here) ? found : null);
  }, [place, fields, saved, form.values]);

  function draw(next: Typed): void {
    setTyped(next);
    setDrawn((count) => count + 1);
  }

  function onFormAct(event: MouseEvent<HTMLButtonElement>): void {
    const { form: sent, value: act } = event.currentTarget;
    if (!sent) return;
    event.preventDefault();
    const next = withFormAct(typedIn(sent), act, { fields, published });
    keepOnDevice(place, next);
    draw(next);
  }

  const shown = { typed, errors: form.errors, choices, changed, published, onFormAct };
  return (
    <>
      {left && (
        <Offer
          at={left.at}
          onTake={() => {
            draw(left.typed);
            setLeft(null);
          }}
          onForget={() => {
            forgetOnDevice(place);
            setLeft(null);
          }}
        />
      )}
      <ActForm
        act={null}
        id={formId}
        form={form}
        needs="content:change"
        className="grid gap-5"
        carries={{ base: typed.base ?? '0', onto: typed.onto ?? '0', retired: typed.retired ?? '0' }}
        onInput={(event) => {
          if (left === null) keepOnDevice(place, typedIn(event.currentTarget));
        }}
      >
        <div key={drawn} className="grid gap-5">
          <ShownProvider value={shown}>
            {above}
            <FieldViews fields={fields} except={except} />
            {children}
          </ShownProvider>
        </div>
      </ActForm>
    </>
  );
}

/** The present entries of a form in the browser, and the open members of its lists. */
function typedIn(form: HTMLFormElement): Typed {
  const typed: Typed = {};
  for (const [name, value] of new FormData(form)) if (typeof value === 'string' && name !== 'form') typed[name] = value;
  for (const one of form.querySelectorAll<HTMLDetailsElement>('details[data-open][open]')) {
    if (one.dataset.open) typed[one.dataset.open] = 'on';
  }
  return typed;
}

function Offer({ at, onTake, onForget }: { at: string; onTake: () => void; onForget: () => void }) {
  return (
    <div role="status" className="mb-4 flex flex-wrap items-center gap-3 rounded-2xl bg-straw-tint px-4 py-3">
      <p className="mr-auto">
        <b>You typed something here that was not saved.</b> This browser has kept it since {at}.
      </p>
      <button type="button" className={button.quiet} onClick={onTake}>
        Bring it back
      </button>
      <button type="button" className={button.quiet} onClick={onForget}>
        Throw it away
      </button>
    </div>
  );
}
