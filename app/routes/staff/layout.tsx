import type { ReactNode } from 'react';
import { href, isRouteErrorResponse, Outlet } from 'react-router';
import { countToMatch } from '#app/features/enrolments/todo.server.ts';
import { useFreshData, useLive } from '#app/features/inbox/conversations/use-live.ts';
import { countChats, countEnquiries } from '#app/features/inbox/count.server.ts';
import { stripeContext } from '#app/features/money/card/checkouts.server.ts';
import { type Permission, type Role, rolesWith } from '#app/features/people/permissions.ts';
import { staffFor, staffOnly } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { type May, MayProvider } from '#app/ui/staff/act-form.tsx';
import type { Route } from './+types/layout';
import { Bar } from './frame/bar.tsx';
import { staffMeta } from './frame/staff-meta.ts';
import styles from './staff.css?url';

export const middleware: Route.MiddlewareFunction[] = [staffOnly];

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }];

export const meta: Route.MetaFunction = ({ error }) => staffMeta(error ? 'Not shown' : 'Staff');

export async function loader({ context }: Route.LoaderArgs) {
  const actor = staffFor(context, 'todo:read');
  const { can, person } = actor;
  const { db, clock } = context.get(academyContext);
  return unlessDatabaseAway(async () => {
    return {
      name: person.name,
      roles: actor.roles.map((role) => roleNames[role]).join(', '),
      can: [...can],
      byCard: context.get(stripeContext) !== null,
      enquiries: can.has('enquiries:read') ? await countEnquiries(db, actor, clock.now()) : 0,
      money: can.has('money:read') ? await countToMatch(db, actor) : 0,
      conversations: { waiting: can.has('conversations:read') ? await countChats(db, actor, clock.now()) : 0 },
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
  // The one stream of a page for staff.
  const { data: conversations, read, reads } = useFreshData(loaderData.conversations, href('/staff/live'));
  useLive(href('/staff/live'), read);
  return (
    <StaffFrame data={{ ...loaderData, conversations }}>
      <Outlet context={{ reads } satisfies LiveCount} />
    </StaffFrame>
  );
}

/** The error of a page in the same frame, or without the frame's data if that failed too. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const answered = isRouteErrorResponse(error);
  return (
    <StaffFrame data={loaderData}>
      <h1 className="text-2xl">{(answered && headings[error.status]) ?? 'We could not show this page'}</h1>
      <p role="alert" className="mt-3 max-w-prose">
        {answered && typeof error.data === 'string' && error.data !== ''
          ? error.data
          : 'Something went wrong on our side. Try again in a moment. If you had sent something, look first whether it was done.'}
      </p>
    </StaffFrame>
  );
}

const headings: Record<number, string> = { 403: 'Not allowed for your role', 404: 'There is nothing here' };

function StaffFrame({ data, children }: { data: Route.ComponentProps['loaderData'] | undefined; children: ReactNode }) {
  // If the frame's data could not be read, each page checks permissions on its own.
  const may: May = {
    has: (permission) => data?.can.some((one) => one === permission) ?? true,
    who: (permission) => rolesInWords(permission as Permission),
  };
  const inBar = { has: may.has, byCard: data?.byCard ?? false };
  const counts = data && { inbox: data.enquiries + data.conversations.waiting, money: data.money };
  return (
    <MayProvider value={may}>
      <div className="staff min-h-svh">
        <Bar person={data ? { name: data.name, roles: data.roles } : null} may={inBar} counts={counts ?? {}} />
        <main id="main" tabIndex={-1} className="staff-page pt-5 pb-10 outline-none">
          {children}
        </main>
      </div>
    </MayProvider>
  );
}

/** A person's own roles, in their menu. */
const roleNames: Record<Role, string> = {
  owner: 'Owner',
  admissions: 'Admissions',
  editor: 'Editor',
  instructor: 'Instructor',
  reader: 'Reader',
};

const plurals: Record<Role, string> = {
  owner: 'owners',
  admissions: 'admissions',
  editor: 'editors',
  instructor: 'instructors',
  reader: 'readers',
};

/** The roles with a permission, as the beginning of a sentence: `Owners and admissions`. */
function rolesInWords(permission: Permission): string {
  const names = rolesWith(permission).map((role) => plurals[role]);
  const text = [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
