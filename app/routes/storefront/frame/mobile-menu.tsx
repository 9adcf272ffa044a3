import { href, Link, NavLink } from 'react-router';
import { button } from '#app/ui/button.ts';
import { Sign } from '#app/ui/sign.tsx';
import { HeaderPanel } from './header-panel.tsx';

// The specification adds Free Resources and Services here and omits Certifications.
const links = [
  [href('/courses'), 'Courses'],
  [href('/training-calendar'), 'Training Calendar'],
  [href('/about'), 'About Us'],
  [href('/free-resources'), 'Free Resources'],
  [href('/services'), 'Services'],
] as const;

/** The navigation where the header has no room for it (P22). */
export function MobileMenu() {
  return (
    <HeaderPanel
      label="Menu"
      icons={{
        closed: <Sign name="menu" className="size-6" />,
        open: <Sign name="close" className="size-6" />,
      }}
      className="lg:hidden"
    >
      <div className="page grid gap-5 py-5">
        <nav aria-label="Mobile">
          <ul>
            {links.map(([to, text]) => (
              <li key={to}>
                <NavLink
                  to={to}
                  // A choice of the page one is on closes the menu too.
                  onClick={({ currentTarget }) => currentTarget.closest('details')?.removeAttribute('open')}
                  className="flex min-h-11 items-center border-l-2 border-transparent pl-3 text-lg font-medium text-on-satin-mute aria-[current=page]:border-straw aria-[current=page]:text-on-satin"
                >
                  {text}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="grid grid-cols-2 gap-3">
          <a href={href('/login')} className={button.onSatin}>
            Login
          </a>
          <Link to={href('/enrol')} className={button.straw}>
            Enroll Now
          </Link>
        </div>
      </div>
    </HeaderPanel>
  );
}
