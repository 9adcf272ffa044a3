import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

const opened = '#find';

/**
 * Whether the dialog is open, by the part of the address that is never sent to the server: Ctrl K opens it, going back
 * closes it, and going forward opens it again. The page beneath is not read anew.
 */
export function useFindDialog() {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const openedHere = useRef(false);
  // The server does not know this part of the address, and what the browser renders first is what the server rendered.
  const [started, setStarted] = useState(false);
  useEffect(() => setStarted(true), []);
  const isOpen = started && hash === opened;
  const open = useCallback(() => {
    openedHere.current = true;
    void navigate({ pathname, search, hash: opened }, { preventScrollReset: true });
  }, [navigate, pathname, search]);
  const close = () => {
    // With the dialog's own entry of the history, forward would open it again.
    if (openedHere.current) void navigate(-1);
    else void navigate({ pathname, search }, { replace: true, preventScrollReset: true });
    openedHere.current = false;
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      if (!isOpen) open();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOpen, open]);
  return { isOpen, open, close };
}
