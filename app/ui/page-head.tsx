import type { ReactNode } from 'react';

/** The head of an inner page: title, a sentence or two, and what one can do at once. */
export function PageHead({ title, lead, children }: { title: string; lead: ReactNode; children?: ReactNode }) {
  return (
    <div className="on-satin bg-linear-to-br from-satin via-satin to-satin-light text-on-satin">
      <div className="page py-12 lg:py-18">
        <h1 className="max-w-[18em] text-4xl sm:text-5xl lg:text-[3.5rem]">{title}</h1>
        <p className="mt-5 max-w-prose text-lg text-on-satin-mute">{lead}</p>
        {children && <div className="no-print mt-8 flex flex-wrap gap-3">{children}</div>}
      </div>
    </div>
  );
}
