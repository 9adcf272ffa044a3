import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/**
 * Whether a dialog is open, by the address: `opened` is the part behind its `#`, with it. That part is never sent to the
 * server, and the page beneath is not read anew. Going back closes it, and going forward opens it again.
 */
export function useAddressedDialog(opened: string) {
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
  }, [navigate, opened, pathname, search]);
  const close = () => {
    // With the dialog's own entry of the history, forward would open it again.
    if (openedHere.current) void navigate(-1);
    else void navigate({ pathname, search }, { replace: true, preventScrollReset: true });
    openedHere.current = false;
  };
  return { isOpen, open, close };
}
