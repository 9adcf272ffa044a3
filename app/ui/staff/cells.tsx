import type { ReactNode } from 'react';

/** A cell whose text is cut where it does not fit; the whole text shows while the pointer is on it. */
export function CutCell({
  title,
  className = '',
  children,
}: {
  title: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <td title={title} className={`max-w-0 truncate ${className}`}>
      {children}
    </td>
  );
}

type NumberProps = {
  /** The name of its column, which is before it where a table stacks. */
  head?: string;
  className?: string;
  children: ReactNode;
};

/** An amount or a count: right-aligned. In a stacked table, two of them share a line. */
export function NumberCell({ head, className = '', children }: NumberProps) {
  return (
    <td data-head={head} className={`tabular text-right whitespace-nowrap max-sm:col-span-1 ${className}`}>
      {children}
    </td>
  );
}
