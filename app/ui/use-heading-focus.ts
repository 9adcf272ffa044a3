import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * After every move to another page its heading has the focus, so that it is read out and the keyboard goes on from there;
 * where something was refused, what was refused. A filter or an act on the same page moves the focus only when it took
 * away what had it: then the page itself gets it.
 */
export function useHeadingFocus(): void {
  const { key, pathname, hash } = useLocation();
  const shown = useRef({ key, pathname });
  const before = useRef<Element | null>(null);
  // Before the effects of the page, which may put the focus somewhere themselves.
  useLayoutEffect(() => {
    if (shown.current.key !== key) before.current = document.activeElement;
  }, [key]);
  useEffect(() => {
    // A page that was just loaded begins at its top, and one with an anchor there.
    if (shown.current.key === key) return;
    const moved = shown.current.pathname !== pathname;
    shown.current = { key, pathname };
    const main = document.getElementById('main');
    const { activeElement, body } = document;
    const placed = activeElement !== before.current && main?.contains(activeElement);
    if (hash !== '' || placed || !(moved || activeElement === body)) return;
    const heading = moved ? main?.querySelector<HTMLElement>('[role=alert], h1') : null;
    if (heading) heading.tabIndex = -1;
    (heading ?? main)?.focus({ preventScroll: true });
  }, [key, pathname, hash]);
}
