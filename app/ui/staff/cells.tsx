import type { ReactNode } from 'react';

/** A cell whose text is cut where it does not fit; all of it is shown while the pointer rests on it. */
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

/** An amount or a count: right-aligned. */
export function NumberCell({ className = '', children }: { className?: string; children: ReactNode }) {
  return <td className={`tabular text-right whitespace-nowrap ${className}`}>{children}</td>;
}
