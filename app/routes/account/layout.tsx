import type { ReactNode } from 'react';
import { Form, href, Link, NavLink, Outlet, useLocation } from 'react-router';
import { organisationsOf } from '#app/features/companies/company-page.server.ts';
import { playerFor, playersOnly } from '#app/features/people/players.server.ts';
import { nameOf } from '#app/features/people/queries.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { ErrorScreen } from '#app/routes/storefront/frame/error-screen.tsx';
import { Logo } from '#app/ui/logo.tsx';
import type { Route } from './+types/layout';

export const middleware: Route.MiddlewareFunction[] = [playersOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { person, closing } = playerFor(context);
  const { db } = context.get(academyContext);
  const name = await unlessDatabaseAway(() => nameOf(db, person));
  const manages = (await unlessDatabaseAway(() => organisationsOf(db, person.id))).length > 0;
  return { name: name ?? person.email, closed: closing !== null, manages };
}

const links = [
  [href('/account'), 'Account'],
  [href('/account/bower'), 'Bower'],
  [href('/account/settings'), 'Settings'],
] as const;

const organisation = [href('/company'), 'Organisation'] as const;

/** The frame of the pages of a player's account. */
export default function Layout({ loaderData }: Route.ComponentProps) {
  // These begin with a drawing that is as wide as the window.
  const bleeds = ([href('/account'), href('/account/bower')] as string[]).includes(useLocation().pathname);
  return (
    <AccountFrame data={loaderData} bleeds={bleeds}>
      <Outlet />
    </AccountFrame>
  );
}

/** A page that failed is shown in the frame of the account; one that does not exist, too. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  return (
    <AccountFrame data={loaderData} bleeds>
      <ErrorScreen error={error} />
    </AccountFrame>
  );
}

function AccountFrame({
  data,
  bleeds,
  children,
}: {
  data: Route.ComponentProps['loaderData'] | undefined;
  bleeds: boolean;
  children: ReactNode;
}) {
  return (
    <>
      <header className="on-satin bg-satin text-on-satin print:hidden">
        <div className="page flex flex-wrap items-center gap-x-7 gap-y-1 py-3">
          <Link
            to={href('/')}
            reloadDocument
            className="flex min-h-11 items-center gap-2.5 font-display text-xl font-bold"
          >
            <Logo className="size-9" />
            Bowerbird
          </Link>
          <nav aria-label="Account" hidden={data?.closed} className="max-sm:order-last max-sm:basis-full">
            <ul className="flex flex-wrap gap-x-6">
              {[...links, ...(data?.manages ? [organisation] : [])].map(([to, text]) => (
                <li key={to}>
                  <NavLink
                    to={to}
                    end={to !== organisation[0]}
                    className="flex min-h-11 items-center border-b-2 border-transparent font-medium text-on-satin-mute hover:text-on-satin aria-[current=page]:border-straw aria-[current=page]:text-on-satin"
                  >
                    {text}
                  </NavLink>
                </li>
              ))}
            </ul>
          </nav>
          <Form method="post" action={href('/logout')} reloadDocument className="ml-auto flex items-center gap-4">
            <span className="max-w-60 truncate text-on-satin-mute max-sm:hidden">{data?.name}</span>
            <button
              type="submit"
              className="min-h-11 rounded-control border border-on-satin-mute px-4 font-bold hover:border-on-satin"
            >
              Log out
            </button>
          </Form>
        </div>
      </header>
      <main id="main" tabIndex={-1} className={bleeds ? 'outline-none' : 'page py-10 outline-none lg:py-14'}>
        {children}
      </main>
    </>
  );
}
