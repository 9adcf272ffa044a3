import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * When a page or an act took what had the focus away, the page itself gets it: the next Tab goes on in the page, not
 * through the bar again. Pages that put the focus somewhere have done so before.
 */
export function useFocusKept(): void {
  const { key, hash } = useLocation();
  const shown = useRef(key);
  useEffect(() => {
    // A page that was just loaded begins at its top, and one with an anchor there.
    if (shown.current === key) return;
    shown.current = key;
    if (hash === '' && document.activeElement === document.body) {
      document.getElementById('main')?.focus({ preventScroll: true });
    }
  }, [key, hash]);
}
