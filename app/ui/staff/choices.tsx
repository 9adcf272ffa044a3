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

/** One of several things to choose among, in a box of its own, with a box to tick or a radio button. */
export function ChoiceCard({ children, ...input }: ComponentProps<'input'> & { children: ReactNode }) {
  return (
    <label className="flex min-h-11 items-start gap-3 rounded-control border border-line bg-card p-3">
      <input {...input} className="mt-1 size-5 shrink-0 accent-action" />
      {children}
    </label>
  );
}

/** A box to tick or a radio button with its text. */
export function Choice({ children, className = '', ...input }: ComponentProps<'input'> & { children: ReactNode }) {
  return (
    <label className={`flex min-h-11 items-center gap-3 ${className}`}>
      <input {...input} className="size-5 accent-action" />
      <span>{children}</span>
    </label>
  );
}
