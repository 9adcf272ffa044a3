import { Form, href, Link, useLocation, useNavigation } from 'react-router';
import { mostCounted } from '#app/features/inbox/enquiries/inbox.ts';
import { initialsOf } from '#app/lib/initials.ts';
import { FindField } from '#app/routes/staff/find/find-field.tsx';
import { type CountName, type Entry, entryAt, type May, menuPages, navFor, openTo } from '#app/routes/staff/nav.ts';
import { Logo } from '#app/ui/logo.tsx';
import { SchemeSwitch } from '#app/ui/scheme-switch.tsx';
import { DropMenu } from '#app/ui/staff/drop-menu.tsx';

type Props = {
  /** Null where the frame's own data could not be read. */
  person: { name: string; roles: string } | null;
  may: May;
  counts: Partial<Record<CountName, number>>;
};

/** The bar above every page for staff: its entries with what waits in them, and the person's own menu. */
export function Bar({ person, may, counts }: Props) {
  const { pathname } = useLocation();
  const nav = navFor(may);
  const current = entryAt(nav, pathname);
  const entries = nav.map((entry) => {
    const to = entry.under[0]?.to ?? href('/staff');
    const isCurrent = entry === current;
    return {
      ...entry,
      to,
      current: isCurrent ? (pathname === to ? ('page' as const) : ('true' as const)) : undefined,
      count: entry.count && { ...entry.count, count: counts[entry.count.of] ?? 0 },
    };
  });
  return (
    <header className="on-satin relative bg-satin text-on-satin print:hidden">
      <div className="staff-page flex h-12 items-center">
        <Link to={href('/staff')} className="mr-2 flex h-12 shrink-0 items-center gap-2 lg:mr-4">
          <Logo className="size-6.5" />
          <span className="font-display text-base font-bold max-lg:sr-only">Bowerbird</span>
        </Link>
        <nav aria-label="Back office" className="max-md:hidden">
          <ul className="flex">
            {entries.map(({ text, to, current, count }) => (
              <li key={text}>
                <Link
                  to={to}
                  aria-current={current}
                  className="relative flex h-12 items-center px-1.5 font-medium whitespace-nowrap text-on-satin-mute after:absolute after:inset-x-1.5 after:bottom-0 after:h-[3px] after:rounded-t-[3px] hover:text-on-satin aria-[current]:font-semibold aria-[current]:text-on-satin aria-[current]:after:bg-straw lg:px-3 lg:after:inset-x-3"
                >
                  {text}
                  {count && <Count {...count} />}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="md:hidden">
          <DropMenu
            label={current ? `${current.text}: all pages` : 'Menu'}
            className="flex h-9 items-center gap-2 rounded-lg px-2 font-semibold hover:bg-satin-light"
            button={
              <>
                {current?.text ?? 'Menu'}
                <svg aria-hidden="true" viewBox="0 0 10 10" className="size-2.5" fill="none" stroke="currentColor">
                  <path d="m2 3.5 3 3 3-3" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
                </svg>
              </>
            }
            float="left-0 top-11 w-60 p-2"
          >
            <nav aria-label="Back office">
              <ul>
                {entries.map(({ text, to, current, count }) => (
                  <li key={text}>
                    <Link to={to} aria-current={current} className={`${menuRow} justify-between`}>
                      {text}
                      {count && <Count {...count} />}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
          </DropMenu>
        </div>
        <div className="ml-auto flex items-center gap-3">
          {person && <FindField />}
          {person && <PersonMenu {...person} may={may} />}
        </div>
      </div>
      <SubPages entry={current} pathname={pathname} />
      <Fetching />
    </header>
  );
}

/** The pages beside the one that is shown, where its entry has more than one. */
function SubPages({ entry, pathname }: { entry: Entry | null; pathname: string }) {
  const pages = (entry?.under ?? []).filter(({ to, aside }) => !aside || to === pathname);
  if (!entry || pages.length < 2 || pages.every(({ to }) => to !== pathname)) return null;
  return (
    <nav aria-label={entry.text} className="overflow-x-auto bg-satin-light">
      <ul className="staff-page flex gap-1">
        {pages.map(({ to, text }, at) => (
          <li key={to}>
            <Link
              to={to}
              aria-current={to === pathname ? 'page' : undefined}
              className={`flex h-9 items-center px-2 text-sm font-medium whitespace-nowrap text-on-satin-mute hover:text-on-satin focus-visible:-outline-offset-2 aria-[current]:font-semibold aria-[current]:text-straw ${at === 0 ? '-ml-2' : ''}`}
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const menuRow =
  'flex min-h-9 w-full items-center rounded-lg px-3 font-medium hover:bg-hover aria-[current]:font-semibold aria-[current]:bg-tint';

function PersonMenu({ name, roles, may }: { name: string; roles: string; may: May }) {
  const initials = initialsOf(name).toUpperCase();
  return (
    <DropMenu
      label={`${initials}, ${name}: menu`}
      className="grid size-8 place-items-center rounded-[10px] bg-satin-light text-xs font-semibold hover:bg-satin-line"
      button={initials}
      float="right-0 top-10 w-64 p-2"
    >
      <p className="px-3 pt-1 pb-2">
        <b className="block font-semibold wrap-anywhere">{name}</b>
        <span className="text-sm text-mute">{roles}</span>
      </p>
      <ul className="border-y border-line py-1">
        {openTo(menuPages, may).map(({ to, text }) => (
          <li key={to}>
            <Link to={to} className={menuRow}>
              {text}
            </Link>
          </li>
        ))}
        <li>
          <Link to={href('/')} reloadDocument className={menuRow}>
            The public site
          </Link>
        </li>
      </ul>
      <div className="border-b border-line py-2 text-sm">
        <SchemeSwitch />
      </div>
      <Form method="post" action={href('/staff/sign-out')} className="pt-1">
        <button type="submit" className={menuRow}>
          Sign out
        </button>
      </Form>
    </DropMenu>
  );
}

/** A count of what waits; by its `status` screen readers hear when it changes. */
function Count({ count, what }: { count: number; what: string }) {
  return (
    <span role="status">
      {count > 0 && (
        <b className="text-xs font-semibold pl-1.5 text-straw in-[.bg-card]:text-mute">
          {count >= mostCounted ? `${mostCounted}+` : count}
          <span className="sr-only"> {what}</span>
        </b>
      )}
    </span>
  );
}

/** While the next page is fetched the old one stays, with a line under the bar after 300 ms. */
function Fetching() {
  const fetching = useNavigation().state !== 'idle';
  return fetching && <div aria-hidden="true" className="fetching-line absolute inset-x-0 -bottom-0.5 h-0.5" />;
}
