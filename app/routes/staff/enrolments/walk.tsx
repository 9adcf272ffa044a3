import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router';
import { TextLink } from '#app/ui/staff/parts.tsx';

/** The list from which an enrolment was opened, and its neighbours there; null without a list. */
export type WalkTo = { list: { to: string; text: string }; previous: string | null; next: string | null };

/** Leads along the list that one came from: by links, and by the keys J (next) and K (previous) outside fields. */
export function Walk({ walk: { list, previous, next } }: { walk: WalkTo }) {
  const navigate = useNavigate();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (
        event.target instanceof HTMLElement &&
        event.target.closest('input, textarea, select, dialog, [contenteditable]')
      )
        return;
      const to = { j: next, k: previous }[event.key];
      if (to) void navigate(to);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate, next, previous]);
  return (
    <nav aria-label="The list" className="mb-2 flex flex-wrap items-center gap-x-4 text-sm print:hidden">
      <TextLink to={list.to}>{list.text}</TextLink>
      {previous && (
        <Link to={previous} rel="prev" aria-keyshortcuts="k" className={look}>
          Previous <kbd className={keyLook}>K</kbd>
        </Link>
      )}
      {next && (
        <Link to={next} rel="next" aria-keyshortcuts="j" className={look}>
          Next <kbd className={keyLook}>J</kbd>
        </Link>
      )}
    </nav>
  );
}

const keyLook = 'rounded border border-edge px-1 font-sans text-xs';
const look = 'flex items-center gap-1 font-medium underline decoration-edge underline-offset-3 hover:text-link';
