import { type RefObject, useEffect, useRef } from 'react';
import { useNavigation } from 'react-router';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';
import type { FormState } from '#app/ui/form-state.ts';

/** The fault of a field; a fault of the whole form is shown in its place. */
function Fault({ form, name }: { form: FormState | undefined; name: string }) {
  const fault = form?.errors[name] ?? form?.fault;
  return fault ? (
    <p id={`${name}-error`} role="alert" className="mt-2 font-semibold text-fault">
      {fault}
    </p>
  ) : null;
}

type LineProps = { form: FormState | undefined; name: string; label: string; hint?: string } & Omit<
  React.ComponentProps<'input'>,
  'form' | 'name'
>;

/**
 * Gives the focus to a refused field after every answer, so that its fault is read aloud and typing goes on there; in a
 * form with several, to the first. The text of a code is selected, because a code is typed again from the start.
 */
function useFocusOfFault(form: FormState | undefined, faulty: boolean): RefObject<HTMLInputElement | null> {
  const box = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new form is a new answer
  useEffect(() => {
    const first = box.current?.form?.querySelector('[aria-invalid]');
    if (!faulty || !box.current || first !== box.current) return;
    box.current.focus();
    if (box.current.type !== 'email') box.current.select();
  }, [form, faulty]);
  return box;
}

/** One line of a sign-in, with its fault beside it; it has the focus after a refusal, with and without scripts. */
export function SignInField({ form, name, label, hint, className, ...input }: LineProps) {
  const faulty = Boolean(form?.errors[name] ?? form?.fault);
  const box = useFocusOfFault(form, faulty);
  const about = [faulty && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(' ');
  return (
    <div>
      <label htmlFor={name} className="mb-2 block font-bold">
        {label}
      </label>
      <input
        ref={box}
        id={name}
        name={name}
        required
        // biome-ignore lint/a11y/noAutofocus: only after a refusal, where the person was typing
        autoFocus={faulty}
        defaultValue={form?.values[name] ?? ''}
        aria-invalid={faulty || undefined}
        aria-describedby={about || undefined}
        {...input}
        className={`${field} aria-invalid:border-2 aria-invalid:border-fault ${className ?? ''}`}
      />
      <Fault form={form} name={name} />
      {hint && (
        <p id={`${name}-hint`} className="mt-2 text-sm text-mute">
          {hint}
        </p>
      )}
    </div>
  );
}

export const codeLook = 'min-h-16! font-display text-3xl! font-semibold tracking-[0.42em] tabular';

/** A button over the whole width of its form; it keeps its width while the form is sent. */
export function SignInButton({ children }: { children: string }) {
  const sending = useNavigation().state === 'submitting';
  return (
    <button type="submit" disabled={sending} className={`${button.primary} w-full`}>
      {sending ? 'Sending' : children}
    </button>
  );
}

/** The recovery codes, on the one page that shows them. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <>
      <p>
        Save these ten codes now, in your password manager or on paper. We show them this once. If you lose your phone,
        each of them lets you in once in place of a code from the app.
      </p>
      <ul className="my-6 grid grid-cols-2 gap-x-6 gap-y-2 rounded-card border border-line bg-card p-5 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </>
  );
}
