import type { ReactNode } from 'react';
import { href } from 'react-router';

/** The head of an inner page: title, a sentence or two, and the first links, beside a piece of the bower. */
export function PageHead({ title, lead, children }: { title: string; lead: ReactNode; children?: ReactNode }) {
  return (
    <div className="on-satin relative overflow-hidden bg-linear-to-br from-satin via-satin to-satin-light text-on-satin">
      <img
        src={href('/art/:file', { file: 'wall.svg' })}
        alt=""
        width={340}
        height={520}
        fetchPriority="low"
        className="no-print absolute right-0 bottom-0 hidden h-full max-h-80 w-auto opacity-80 lg:block xl:right-[max(0rem,calc(50vw-41.5rem))]"
      />
      <div className="page relative py-10 sm:py-12 lg:py-18">
        <h1 className="max-w-[18em] text-4xl sm:text-5xl lg:text-[3.5rem]">{title}</h1>
        <p className="mt-5 max-w-prose text-lg text-on-satin-mute">{lead}</p>
        {/* On phones one below the other: whether two fit in a row would depend on the font, and change when it comes. */}
        {children && <div className="no-print mt-8 flex flex-wrap gap-3 max-[30rem]:flex-col">{children}</div>}
      </div>
    </div>
  );
}
