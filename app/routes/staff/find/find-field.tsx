import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Form, href, Link, useLocation, useNavigate } from 'react-router';
import { longestSearch } from '#app/features/reports/find/search.ts';

const FindDialog = lazy(() => import('./find-dialog.tsx'));

/** The field of the bar that finds anything; a link to its page where there is no room for it. */
export function FindField() {
  const { isOpen, open, close } = useFindDialog();
  return (
    <>
      <Form
        role="search"
        aria-label="The whole back office"
        action={href('/staff/find')}
        className="relative hidden xl:block"
      >
        <label>
          <span className="sr-only">Find anything</span>
          <Glass className="pointer-events-none absolute top-2 left-2.5 size-4" />
          <input
            type="search"
            name="q"
            maxLength={longestSearch}
            autoComplete="off"
            placeholder="Find anything, Ctrl K"
            aria-keyshortcuts="Control+K"
            onPointerDown={(event) => {
              // It opens the dialog, and has the focus when that closes.
              event.preventDefault();
              event.currentTarget.focus();
              open();
            }}
            className="h-8 w-60 rounded-lg border border-satin-line bg-satin-light pr-2 pl-9 text-on-satin placeholder:text-on-satin-mute"
          />
        </label>
      </Form>
      <Link
        to={href('/staff/find')}
        aria-label="Find anything"
        className="grid size-8 place-items-center rounded-lg hover:bg-satin-light xl:hidden"
      >
        <Glass className="size-4" />
      </Link>
      {isOpen && (
        <Suspense>
          <FindDialog onClose={close} />
        </Suspense>
      )}
    </>
  );
}

function Glass({ className }: { className: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      className={className}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
    >
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.5 10.5 4 4" strokeLinecap="round" />
    </svg>
  );
}

const opened = '#find';

/**
 * Whether the dialog is open, by the part of the address that is never sent to the server: Ctrl K opens it, going back
 * closes it, and going forward opens it again. The page beneath is not read anew.
 */
function useFindDialog() {
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
