import type { ReactNode } from 'react';

/** A part of a page that stays folded until its words are pressed. */
export function More({
  label,
  className = 'group',
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <details className={className}>
      <summary className="inline-flex min-h-11 items-center font-bold text-link underline underline-offset-4">
        {label}
      </summary>
      {children}
    </details>
  );
}
