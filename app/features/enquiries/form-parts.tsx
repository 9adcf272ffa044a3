import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { field, select } from '../../ui/field.ts';
import type { FormState } from './submit.server.ts';

/** What the form could not accept, with links to the fields; it takes the focus when it appears (P23). */
export function ErrorSummary({ form, labels }: { form: FormState; labels: Record<string, string> }) {
  const box = useRef<HTMLDivElement>(null);
  const faults = Object.entries(form.errors);
  const shown = form.fault !== null || faults.length > 0;
  // Again with every answer: a second refusal must be heard as well.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new form is a new answer
  useEffect(() => {
    if (shown) box.current?.focus();
  }, [form, shown]);
  if (!shown) return null;
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className="mb-7 rounded-card border-2 border-fault bg-card p-5 outline-none sm:p-6"
    >
      <h2 className="text-xl">Not sent yet</h2>
      {form.fault && <p className="mt-2">{form.fault}</p>}
      {faults.length > 0 && (
        <>
          <p className="mt-2">Nothing you wrote was lost. Please look at:</p>
          <ul className="mt-2 grid list-disc gap-1 pl-5">
            {faults.map(([name, message]) => (
              <li key={name}>
                <a href={`#${name}`} className="font-bold text-link underline underline-offset-4">
                  {labels[name] ?? name}
                </a>
                : {message}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

type FieldProps = {
  form: FormState;
  name: string;
  label: string;
  hint?: string;
  required?: boolean;
};

/** A one-line field with its label, its hint and, when refused, its fault beside it. */
export function TextField({
  form,
  name,
  label,
  hint,
  required = false,
  ...input
}: FieldProps & Omit<React.ComponentProps<'input'>, 'form'>) {
  return (
    <FieldFrame form={form} name={name} label={label} hint={hint} required={required}>
      <input
        id={name}
        name={name}
        defaultValue={form.values[name] ?? ''}
        required={required}
        {...describedBy(form, name, hint)}
        {...input}
        className={field}
      />
    </FieldFrame>
  );
}

export function TextArea({ form, name, label, hint, required = false }: FieldProps) {
  return (
    <FieldFrame form={form} name={name} label={label} hint={hint} required={required}>
      <textarea
        id={name}
        name={name}
        rows={6}
        defaultValue={form.values[name] ?? ''}
        required={required}
        {...describedBy(form, name, hint)}
        className={field}
      />
    </FieldFrame>
  );
}

export function SelectField({
  form,
  name,
  label,
  hint,
  required = false,
  children,
}: FieldProps & { children: ReactNode }) {
  return (
    <FieldFrame form={form} name={name} label={label} hint={hint} required={required}>
      <select
        id={name}
        name={name}
        defaultValue={form.values[name] ?? ''}
        required={required}
        {...describedBy(form, name, hint)}
        className={select}
      >
        {children}
      </select>
    </FieldFrame>
  );
}

function FieldFrame({ form, name, label, hint, required, children }: FieldProps & { children: ReactNode }) {
  const error = form.errors[name];
  return (
    <div>
      <label htmlFor={name} className="mb-1.5 block font-bold">
        {label}
        {!required && <span className="font-normal text-mute"> (optional)</span>}
      </label>
      {hint && (
        <p id={`${name}-hint`} className="mb-1.5 text-sm text-mute">
          {hint}
        </p>
      )}
      {children}
      {error && (
        <p id={`${name}-error`} className="mt-1.5 font-semibold text-fault">
          {error}
        </p>
      )}
    </div>
  );
}

function describedBy(form: FormState, name: string, hint: string | undefined) {
  const ids = [...(hint ? [`${name}-hint`] : []), ...(form.errors[name] ? [`${name}-error`] : [])];
  return {
    'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
    'aria-invalid': form.errors[name] ? true : undefined,
  };
}

/** First name, last name, e-mail and telephone: the same in every form. */
export function PersonFields({ form }: { form: FormState }) {
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField form={form} name="firstName" label="First name" autoComplete="given-name" required />
        <TextField form={form} name="lastName" label="Last name" autoComplete="family-name" required />
      </div>
      <TextField form={form} name="email" label="Email" type="email" autoComplete="email" required />
      <TextField form={form} name="phone" label="Phone" type="tel" autoComplete="tel" />
    </>
  );
}

/** The trap for programs, the signed token, the consent of its own, and the notice of what happens to the data. */
export function FormFoot({ form }: { form: FormState }) {
  return (
    <>
      <input type="hidden" name="form" value={form.token} />
      <div className="absolute -left-[9999px] size-px overflow-hidden" aria-hidden="true">
        <label htmlFor="website">Leave this empty</label>
        <input id="website" name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <label className="flex gap-3">
        <input
          type="checkbox"
          name="consent"
          defaultChecked={form.values.consent === 'on'}
          className="mt-1 size-5 shrink-0 accent-action"
        />
        <span>Tell me now and then about new courses and dates. I can stop this with one word.</span>
      </label>
      <p className="text-sm text-mute">
        We keep what you send to answer it, and use it for nothing else unless you tick the box.{' '}
        <Link to="/privacy" className="font-bold text-link underline underline-offset-4">
          How we treat your data
        </Link>
      </p>
    </>
  );
}

export const personLabels = { firstName: 'First name', lastName: 'Last name', email: 'Email', phone: 'Phone' };
