import type { ReactNode } from 'react';
import { href } from 'react-router';

/** What stands around the pages on which players log in: the form on paper, beside the bower. */
export function LoginFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid lg:min-h-[42rem] lg:grid-cols-2">
      <div className="px-4 pt-10 pb-16 sm:px-14 lg:pt-30 lg:pl-[max(3.5rem,calc(50vw-38rem))]">
        <div className="max-w-100">
          <h1 className="text-4xl lg:text-5xl">{title}</h1>
          {children}
        </div>
      </div>
      <div className="on-satin no-print hidden items-end justify-center overflow-hidden bg-linear-to-b from-satin to-satin-light lg:flex">
        <img
          src={href('/art/:file', { file: 'bower.svg' })}
          alt=""
          width={640}
          height={560}
          fetchPriority="low"
          className="h-auto w-full max-w-160"
        />
      </div>
    </div>
  );
}

/** A link or button in the small print of a door. */
export const quietLink = 'font-semibold text-link underline underline-offset-4';
