import type { ReactNode } from 'react';
import { href } from 'react-router';

type Props = {
  title: string;
  /** Whether a phone shows the bower too, above the form: only where somebody arrives. */
  welcome?: boolean;
  children: ReactNode;
};

/** The frame of the pages on which players log in: the form on paper, beside the bower and its bird. */
export function LoginFrame({ title, welcome = false, children }: Props) {
  return (
    <div className="grid lg:min-h-[42rem] lg:grid-cols-2">
      <div className="px-4 pt-10 pb-16 sm:px-14 lg:pt-30 lg:pl-[max(3.5rem,calc(50vw-38rem))]">
        <div className="max-w-100">
          <h1 className="text-4xl lg:text-5xl">{title}</h1>
          {children}
        </div>
      </div>
      <div
        className={`on-satin no-print items-end justify-center overflow-hidden bg-linear-to-b from-satin to-satin-light lg:order-none lg:flex ${welcome ? 'order-first flex' : 'hidden'}`}
      >
        <picture className="contents">
          <source media="(min-width: 64rem)" srcSet={art('door')} width={720} height={740} />
          <img
            src={art('door-band')}
            alt=""
            width={375}
            height={196}
            // Hidden pictures are not loaded.
            loading={welcome ? undefined : 'lazy'}
            fetchPriority="low"
            className="h-auto w-full max-w-[23.4375rem] lg:max-w-160"
          />
        </picture>
      </div>
    </div>
  );
}

const art = (name: string) => href('/art/:file', { file: `${name}.svg` });

/** A link or button in the small print. */
export const quietLink = 'font-semibold text-link underline underline-offset-4';
