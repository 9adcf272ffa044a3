import type { ReactNode } from 'react';
import { field, select } from './field.ts';
import { type FormState, tokenField, trapField } from './form-state.ts';

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

export function TextArea({ form, name, label, hint, required = false, rows = 6 }: FieldProps & { rows?: number }) {
  return (
    <FieldFrame form={form} name={name} label={label} hint={hint} required={required}>
      <textarea
        id={name}
        name={name}
        rows={rows}
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

/** The fields that no person fills in: the signed token, and the honeypot (P24). */
export function FormGuards({ form }: { form: FormState }) {
  return (
    <>
      <input type="hidden" name={tokenField} value={form.token} />
      <div className="absolute -left-[9999px] size-px overflow-hidden" aria-hidden="true">
        <label htmlFor={trapField}>Leave this empty</label>
        <input id={trapField} name={trapField} tabIndex={-1} autoComplete="off" />
      </div>
    </>
  );
}
