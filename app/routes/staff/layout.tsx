import type { ReactNode } from 'react';
import { Form, href, isRouteErrorResponse, Link, NavLink, Outlet } from 'react-router';
import { noteStaffPresent } from '#app/features/conversations/presence.server.ts';
import { countWaiting } from '#app/features/conversations/queries.server.ts';
import { useFreshData, useLive } from '#app/features/conversations/use-live.ts';
import { countNew } from '#app/features/enquiries/inbox.server.ts';
import { mostCounted } from '#app/features/enquiries/inbox.ts';
import { stripeContext } from '#app/features/money/card/checkouts.server.ts';
import { type Permission, type Role, rolesWith } from '#app/features/people/permissions.ts';
import { staffFor, staffOnly } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { Logo } from '#app/ui/logo.tsx';
import { SchemeSwitch } from '#app/ui/scheme-switch.tsx';
import { type May, MayProvider } from '#app/ui/staff/act-form.tsx';
import type { Route } from './+types/layout';
import { staffMeta } from './frame/staff-meta.ts';
import { staffNav } from './nav.ts';
import styles from './staff.css?url';

export const middleware: Route.MiddlewareFunction[] = [staffOnly];

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }];

export const meta = () => staffMeta('Staff');

export async function loader({ context }: Route.LoaderArgs) {
  const actor = staffFor(context, 'todo:read');
  const { can, person } = actor;
  const { db, clock } = context.get(academyContext);
  return orAway(async () => {
    await noteStaffPresent(db, actor, clock.now());
    return {
      name: person.name,
      can: [...can],
      byCard: context.get(stripeContext) !== null,
      enquiries: can.has('enquiries:read') ? await countNew(db) : 0,
      conversations: { waiting: can.has('conversations:read') ? await countWaiting(db) : 0 },
    };
  });
}

/** For the pages inside: how often the frame has heard that conversations may have changed. */
export type LiveCount = { reads: number };

export default function Layout({ loaderData }: Route.ComponentProps) {
  if (loaderData.can.includes('conversations:read')) return <LiveLayout loaderData={loaderData} />;
  return (
    <StaffFrame data={loaderData}>
      <Outlet context={{ reads: 0 } satisfies LiveCount} />
    </StaffFrame>
  );
}

function LiveLayout({ loaderData }: Pick<Route.ComponentProps, 'loaderData'>) {
  // The one stream of a page for staff; by it a member of staff counts as online (P20).
  const { data: conversations, read, reads } = useFreshData(loaderData.conversations, href('/staff/live'));
  useLive(href('/staff/live'), read);
  return (
    <StaffFrame data={{ ...loaderData, conversations }}>
      <Outlet context={{ reads } satisfies LiveCount} />
    </StaffFrame>
  );
}

/** What went wrong on a page, in the same frame; without the frame's data when that failed too. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const answered = isRouteErrorResponse(error);
  return (
    <StaffFrame data={loaderData}>
      <title>Not shown | Bowerbird staff</title>
      <h1 className="text-2xl">{(answered && headings[error.status]) ?? 'We could not show this page'}</h1>
      <p role="alert" className="mt-3 max-w-prose">
        {answered && typeof error.data === 'string' && error.data !== ''
          ? error.data
          : 'Something went wrong on our side. Nothing was changed unless the page said so. Try again in a moment.'}
      </p>
    </StaffFrame>
  );
}

const headings: Record<number, string> = { 403: 'Not allowed for your role', 404: 'There is nothing here' };

function StaffFrame({ data, children }: { data: Route.ComponentProps['loaderData'] | undefined; children: ReactNode }) {
  // Where the frame's own data could not be read, each page says by itself who may see it.
  const may: May = {
    has: (permission) => data?.can.some((one) => one === permission) ?? true,
    who: (permission) => rolesInWords(permission as Permission),
  };
  const counts = { enquiries: data?.enquiries, conversations: data?.conversations.waiting };
  return (
    <MayProvider value={may}>
      <header className="on-satin bg-satin text-on-satin print:hidden">
        <div className="staff-page flex flex-wrap items-center gap-x-6 gap-y-1 py-2">
          <Link to={href('/staff')} className="flex min-h-11 items-center gap-2 font-display text-lg font-bold">
            <Logo className="size-7" />
            Bowerbird staff
          </Link>
          <nav aria-label="Staff" className="-mx-3">
            <ul className="flex flex-wrap">
              {staffNav.map(
                ({ to, text, needs, count, byCard }) =>
                  may.has(needs) &&
                  (data?.byCard || !byCard) && (
                    <NavItem key={to} to={to}>
                      {text}
                      {count && <Count {...count} count={counts[count.of]} />}
                    </NavItem>
                  ),
              )}
            </ul>
          </nav>
          {data && (
            <Form method="post" action={href('/staff/sign-out')} className="ml-auto flex items-center gap-3 text-sm">
              <span className="text-on-satin-mute">{data.name}</span>
              <button
                type="submit"
                className="min-h-9 rounded-control border border-on-satin-mute px-3 font-bold hover:border-on-satin"
              >
                Sign out
              </button>
            </Form>
          )}
        </div>
      </header>
      <main id="main" tabIndex={-1} className="staff-page py-6 outline-none lg:py-8">
        {children}
      </main>
      <footer className="staff-page flex print:hidden flex-wrap items-center justify-between gap-3 border-t border-line py-4 text-sm">
        <Link to={href('/')} reloadDocument className="font-bold text-link underline underline-offset-4">
          The public site
        </Link>
        <SchemeSwitch />
      </footer>
    </MayProvider>
  );
}

const plurals: Record<Role, string> = {
  owner: 'owners',
  admissions: 'admissions',
  editor: 'editors',
  instructor: 'instructors',
  reader: 'readers',
};

/** Who may do something, at the beginning of a sentence: `Owners and admissions`. */
function rolesInWords(permission: Permission): string {
  const names = rolesWith(permission).map((role) => plurals[role]);
  const text = [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function Count({ count = 0, what, live }: { count: number | undefined; what: string; live?: true }) {
  const shown = count > 0 && (
    <span className="tabular ml-2 rounded-full bg-straw px-2 text-sm font-bold text-on-straw">
      {count >= mostCounted ? `${mostCounted}+` : count}
      <span className="sr-only"> {what}</span>
    </span>
  );
  return live ? <span role="status">{shown}</span> : shown;
}

function NavItem({ to, children }: { to: string; children: ReactNode }) {
  return (
    <li>
      <NavLink
        to={to}
        className="flex min-h-11 items-center border-b-3 border-transparent px-3 font-semibold text-on-satin-mute hover:text-on-satin aria-[current=page]:border-straw aria-[current=page]:text-on-satin"
      >
        {children}
      </NavLink>
    </li>
  );
}
