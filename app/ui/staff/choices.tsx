import type { ComponentProps, ReactNode } from 'react';

/** The options of a select: the first chooses nothing, then each value with its text. */
export function Options({
  none,
  of,
}: {
  none?: string;
  of: readonly (readonly [value: string | number, text: string])[];
}) {
  return (
    <>
      {none !== undefined && <option value="">{none}</option>}
      {of.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </>
  );
}

/** One of several choices, in a box of its own, with a box to tick or a radio button. */
export function ChoiceCard({ children, ...input }: ComponentProps<'input'> & { children: ReactNode }) {
  return (
    <label className="flex min-h-9 items-start gap-3 rounded-control border border-rule p-3 has-checked:border-action has-checked:bg-tint">
      <input {...input} className="mt-0.5 shrink-0" />
      {children}
    </label>
  );
}

/** A box to tick or a radio button with its text. */
export function Choice({ children, className = '', ...input }: ComponentProps<'input'> & { children: ReactNode }) {
  return (
    <label className={`flex min-h-8 items-center gap-2 ${className}`}>
      <input {...input} className="shrink-0" />
      <span>{children}</span>
    </label>
  );
}
