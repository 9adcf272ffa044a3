import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import { Logo } from '#app/ui/logo.tsx';

/** The frame of the pages on which staff sign in. */
export function SignInPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <header className="on-satin bg-satin text-on-satin">
        <div className="staff-page py-2">
          <Link
            to={href('/')}
            reloadDocument
            className="inline-flex min-h-11 items-center gap-2 font-display text-lg font-bold"
          >
            <Logo className="size-7" />
            Bowerbird Academy
          </Link>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-md px-4 py-12 outline-none lg:py-20">
        <h1 className="mb-4 text-3xl">{title}</h1>
        {children}
      </main>
    </>
  );
}
