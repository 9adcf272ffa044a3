import type { ReactNode } from 'react';

type Props = {
  bar: ReactNode;
  /** Stays at the bottom of a phone as long as the left part is in sight. */
  foot?: ReactNode;
  children: ReactNode;
};

/** The page of a step: the form on the left, the price beside it; on a phone the price is a bar at the bottom. */
export function CheckoutColumns({ bar, foot, children }: Props) {
  return (
    <div className="page pt-5 lg:grid lg:grid-cols-[minmax(0,1fr)_26rem] lg:gap-x-16 lg:pt-9 lg:pb-12">
      {/* The bar must not cover the element with the focus. */}
      <div className="max-w-3xl min-w-0 **:scroll-mb-28">
        <div className="pb-8 lg:pb-0">{children}</div>
        {foot}
      </div>
      {bar}
    </div>
  );
}
