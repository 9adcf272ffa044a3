import { Menu, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { href, Link, NavLink, useLocation } from 'react-router';
import { button } from '#app/ui/button.ts';
import { NavSearch } from './nav-search.tsx';

// The specification adds Free Resources and Services here and omits Certifications.
const links = [
  [href('/courses'), 'Courses'],
  [href('/training-calendar'), 'Training Calendar'],
  [href('/about'), 'About Us'],
  [href('/free-resources'), 'Free Resources'],
  [href('/services'), 'Services'],
] as const;

/** A disclosure that opens without JavaScript; with it, it closes on a choice and on Escape (P22). */
export function MobileMenu() {
  const menu = useRef<HTMLDetailsElement>(null);
  const { key } = useLocation();

  // Every navigation closes the menu; one opened before React came stays open.
  const closedFor = useRef(key);
  useEffect(() => {
    if (closedFor.current === key) return;
    closedFor.current = key;
    menu.current?.removeAttribute('open');
  }, [key]);

  function closeOnEscape(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.defaultPrevented || !menu.current?.open) return;
    menu.current.open = false;
    menu.current.querySelector('summary')?.focus();
  }

  return (
    <details ref={menu} className="group ml-auto lg:hidden" onKeyDown={closeOnEscape}>
      <summary className="flex size-11 items-center justify-center rounded-control" aria-label="Menu">
        <Menu className="size-6 group-open:hidden" aria-hidden="true" />
        <X className="hidden size-6 group-open:block" aria-hidden="true" />
      </summary>
      <div className="absolute inset-x-0 top-full border-t border-satin-line bg-satin shadow-float">
        <div className="page grid gap-5 py-5">
          <NavSearch />
          <nav aria-label="Mobile">
            <ul>
              {links.map(([to, text]) => (
                <li key={to}>
                  <NavLink
                    to={to}
                    onClick={() => menu.current?.removeAttribute('open')}
                    className="flex min-h-11 items-center border-l-2 border-transparent pl-3 text-lg font-medium text-on-satin-mute aria-[current=page]:border-straw aria-[current=page]:text-on-satin"
                  >
                    {text}
                  </NavLink>
                </li>
              ))}
            </ul>
          </nav>
          <div className="grid grid-cols-2 gap-3">
            <Link to={href('/login')} className={button.onSatin}>
              Login
            </Link>
            <Link to={href('/enrol')} className={button.straw}>
              Enroll Now
            </Link>
          </div>
        </div>
      </div>
    </details>
  );
}
