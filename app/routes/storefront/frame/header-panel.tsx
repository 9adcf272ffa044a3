import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

type Props = {
  label: string;
  /** The content of the button: while closed, and while open. */
  icons: { closed: ReactNode; open: ReactNode };
  /** A field to be typed in as soon as the panel opens. */
  focus?: 'input';
  className?: string;
  children: ReactNode;
};

/**
 * A panel under the header that a button opens, without JavaScript too; of two only one is open. With JavaScript it
 * closes when one goes to another page, on Escape wherever the focus is, and when the focus leaves it (P22).
 */
export function HeaderPanel({ label, icons, focus, className = '', children }: Props) {
  const panel = useRef<HTMLDetailsElement>(null);
  const { key } = useLocation();

  // Every navigation closes it; one opened before React came stays open.
  const closedFor = useRef(key);
  useEffect(() => {
    if (closedFor.current === key) return;
    closedFor.current = key;
    close(panel.current);
  }, [key]);

  useEffect(() => {
    function closeOnEscape(event: KeyboardEvent) {
      if (event.key !== 'Escape' || event.defaultPrevented || !panel.current?.open) return;
      const { activeElement } = document;
      const lost = activeElement === document.body || panel.current.contains(activeElement);
      close(panel.current);
      if (lost) panel.current.querySelector('summary')?.focus();
    }
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, []);

  return (
    <details
      ref={panel}
      name="header-panel"
      className={`group ${className}`}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) close(currentTarget);
      }}
      onToggle={({ currentTarget }) => {
        if (focus && currentTarget.open) currentTarget.querySelector(focus)?.focus();
      }}
    >
      <summary className="flex size-11 items-center justify-center rounded-control" aria-label={label}>
        <span className="group-open:hidden">{icons.closed}</span>
        <span className="hidden group-open:block">{icons.open}</span>
      </summary>
      <div className="absolute inset-x-0 top-full border-t border-satin-line bg-satin shadow-float">{children}</div>
    </details>
  );
}

function close(panel: HTMLDetailsElement | null): void {
  panel?.removeAttribute('open');
}
