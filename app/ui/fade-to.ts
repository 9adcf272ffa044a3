import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router';
import { startFadeEarly } from './cross-fade.ts';
import { onPlainClick } from './plain-click.ts';

/**
 * What a router's link does on a click, with a cross-fade for those who want motion. The link's own `viewTransition` waits
 * for several frames before the fade begins; here React shows the page in one go (decision 114). `state` comes with the
 * page's entry in the history.
 */
export function useFade(state?: object): (click: MouseEvent<HTMLAnchorElement>) => void {
  const navigate = useNavigate();
  return onPlainClick(({ currentTarget: { pathname, search, hash, href } }) => {
    const replace = href === window.location.href;
    const viewTransition = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (viewTransition && pathname !== window.location.pathname) startFadeEarly();
    navigate(pathname + search + hash, { state, replace, viewTransition, flushSync: true });
  });
}
