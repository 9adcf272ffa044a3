import type { ReactNode } from 'react';
import { href } from 'react-router';
import { Icon } from '#app/ui/icon.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';

type Props = {
  title: string;
  /** The treasure in the bower: the course's. */
  icon: string;
  small?: boolean;
  children: ReactNode;
};

/** The head of the pages of what was bought: the bower is complete, with the course's treasure in it. */
export function BowerBand({ title, icon, small = false, children }: Props) {
  return (
    <div className="on-satin relative overflow-hidden bg-linear-to-r from-satin via-satin to-satin-light text-on-satin">
      <div className="page relative flex items-end justify-between gap-4">
        <div className={`min-w-0 grow ${small ? 'py-5 lg:py-6' : 'pt-4 pb-7 lg:pt-9 lg:pb-14'}`}>
          <h1
            className={`outline-none ${small ? 'max-w-[30em] text-2xl lg:text-[2rem]' : 'text-[2rem] max-sm:min-h-20 max-sm:pr-28 max-[18rem]:pr-0 lg:text-5xl'}`}
            tabIndex={-1}
          >
            <Unbroken text={title} />
          </h1>
          {children}
        </div>
        <div
          className={`no-print relative shrink-0 ${small ? 'w-36 max-lg:hidden' : 'w-28 max-sm:absolute max-sm:top-0 max-sm:right-2 max-[18rem]:hidden sm:w-44 lg:w-64'}`}
          aria-hidden="true"
        >
          <img
            src={href('/art/:file', { file: 'bower.svg' })}
            alt=""
            width={640}
            height={560}
            className="h-auto w-full"
          />
          <Icon
            name={icon}
            className="absolute top-[48%] left-[40%] h-[24%] w-[20%] text-white [--icon-ink:var(--color-satin)]"
          />
        </div>
      </div>
    </div>
  );
}
