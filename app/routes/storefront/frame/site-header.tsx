import { href, Link, NavLink } from 'react-router';
import { button } from '#app/ui/button.ts';
import { Logo } from '#app/ui/logo.tsx';
import { Sign } from '#app/ui/sign.tsx';
import { HeaderPanel } from './header-panel.tsx';
import { MobileMenu } from './mobile-menu.tsx';
import { NavSearch } from './nav-search.tsx';

const links = [
  [href('/courses'), 'Courses'],
  [href('/training-calendar'), 'Training Calendar'],
  [href('/certifications'), 'Certifications'],
  [href('/about'), 'About Us'],
] as const;

export function SiteHeader() {
  return (
    <header className="on-satin relative z-30 bg-satin text-on-satin">
      <div className="page flex min-h-18 flex-wrap items-center gap-x-7 gap-y-2 py-3 sm:flex-nowrap lg:flex-wrap xl:flex-nowrap">
        <Link
          to={href('/')}
          className="flex shrink-0 items-center gap-2.5 rounded-lg font-display text-xl font-bold tracking-tight"
        >
          <Logo className="size-9" />
          Bowerbird
        </Link>
        <nav aria-label="Main" className="hidden lg:block">
          <ul className="flex gap-6">
            {links.map(([to, text]) => (
              <li key={to}>
                <NavLink
                  to={to}
                  prefetch="intent"
                  viewTransition
                  className="block whitespace-nowrap border-b-2 border-transparent py-1.5 font-medium text-on-satin-mute hover:text-on-satin aria-[current=page]:border-straw aria-[current=page]:text-on-satin"
                >
                  {text}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="ml-auto hidden w-full max-w-85 sm:block lg:order-last lg:max-w-none xl:order-none">
          <NavSearch asTool />
        </div>
        <div className="ml-auto hidden shrink-0 items-center gap-5 lg:flex xl:ml-0">
          <a
            href={href('/login')}
            className="w-21 truncate text-center font-medium text-on-satin-mute hover:text-on-satin"
          >
            Login
          </a>
          <Link to={href('/enrol')} className={button.straw}>
            Enroll Now
          </Link>
        </div>
        <div className="flex max-sm:ml-auto lg:hidden">
          <HeaderPanel
            label="Search"
            icons={{
              closed: <Sign name="search" className="size-6" />,
              open: <Sign name="close" className="size-6" />,
            }}
            focus="input"
            className="sm:hidden"
          >
            <div className="page py-4">
              <NavSearch />
            </div>
          </HeaderPanel>
          <MobileMenu />
        </div>
      </div>
    </header>
  );
}
