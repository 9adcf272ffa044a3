import type { ReactNode } from 'react';

/** The heading of a page of the checkout that is no step, with its first links. */
export function CheckoutHead({ title, lead, children }: { title: ReactNode; lead: ReactNode; children?: ReactNode }) {
  return (
    <div className="page pt-6 pb-2 lg:pt-10">
      <h1 className="max-w-[22em] text-[1.75rem] outline-none lg:text-4xl">{title}</h1>
      <p className="mt-3 max-w-prose text-mute">{lead}</p>
      {children && <div className="no-print mt-6 mb-8 flex flex-wrap gap-3">{children}</div>}
    </div>
  );
}
