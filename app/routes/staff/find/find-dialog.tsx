import { CSPProvider } from '@base-ui/react/csp-provider';
import { Dialog } from '@base-ui/react/dialog';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { href, Link, useNavigate } from 'react-router';
import type { FindAnswer, Found } from '#app/features/reports/find/found.ts';
import { longestSearch } from '#app/features/reports/find/search.ts';
import { Marked } from './marked.tsx';

/** Finds anything over the page that is shown, which stays as it is (P82). Loaded when it is first opened. */
export default function FindDialog({ onClose }: { onClose: () => void }) {
  const openedOn = useRef(window.location.pathname);
  // On the page that was found nothing has the focus that the dialog could give back.
  // Named as the place for it, the page would hand it on to its first control; `useHeadingFocus` gives it to the page.
  const after = () => window.location.pathname === openedOn.current;
  return (
    <CSPProvider disableStyleElements>
      <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
        <Dialog.Portal>
          <Dialog.Backdrop className="fixed inset-0 z-40 bg-satin/60" />
          <Dialog.Popup
            finalFocus={after}
            className="staff fixed inset-x-2 top-4 z-50 mx-auto flex max-h-[calc(100svh-2rem)] max-w-[42rem] flex-col overflow-hidden rounded-2xl border border-line bg-card text-ink shadow-float sm:top-24 sm:max-h-[calc(100svh-8rem)]"
          >
            <Dialog.Title className="sr-only">Find anything</Dialog.Title>
            <Finder />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </CSPProvider>
  );
}

function Finder() {
  const navigate = useNavigate();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const { answer, trouble, answered } = useFound(typed);
  // Enter was pressed before the answer: the first result of the typed text is opened, not one of an earlier text.
  const early = useRef<{ beside: boolean } | null>(null);
  const rows = answer.groups.flatMap((group) => group.rows);
  const at = Math.min(chosen, rows.length - 1);
  const optionId = (index: number) => `${id}-${index}`;

  const open = ({ to, file }: Found, beside: boolean) => {
    if (beside) window.open(to, '_blank', 'noopener');
    else if (file) window.location.assign(to);
    // The entry of the open dialog in the history becomes that of the page.
    else void navigate(to, { replace: true });
  };
  const choose = (index: number) => {
    setChosen(index);
    document.getElementById(optionId(index))?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    const row = rows[at];
    if (step !== undefined && rows.length > 0) choose((at + step + rows.length) % rows.length);
    else if (event.key === 'Enter' && answered !== typed) early.current = { beside: event.ctrlKey || event.metaKey };
    else if (event.key === 'Enter' && row) open(row, event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  };

  const openEarly = useEffectEvent(() => {
    const waits = early.current;
    early.current = null;
    if (waits && rows[0]) open(rows[0], waits.beside);
  });
  useEffect(() => {
    if (answered === typed) openEarly();
  }, [answered, typed]);

  const all = `${href('/staff/find')}?${new URLSearchParams({ q: typed })}`;
  const starts = answer.groups.map((_, index) =>
    answer.groups.slice(0, index).reduce((sum, group) => sum + group.rows.length, 0),
  );
  return (
    <>
      <div className="flex items-center gap-3 border-b-2 border-link px-4">
        <input
          type="search"
          role="combobox"
          aria-label="Find anything"
          aria-expanded={rows.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 ? optionId(at) : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={longestSearch}
          placeholder="Name, email, phone, organisation, number, course, page"
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            early.current = null;
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
          className="h-12 min-w-0 flex-1 bg-transparent text-lg outline-none placeholder:text-mute"
        />
        <Dialog.Close className="rounded border border-edge px-1.5 text-xs font-medium">Esc</Dialog.Close>
      </div>
      <p role="status" className="px-4 text-mute empty:hidden not-empty:py-3">
        {trouble ?? said(typed, answer.typed, rows.length)}
      </p>
      <div id={`${id}-list`} role="listbox" aria-label="Found" className="overflow-y-auto overscroll-contain pb-2">
        {answer.groups.map(({ name, rows: its }, group) => (
          <fieldset key={name} aria-label={name} className="min-w-0">
            <div aria-hidden="true" className="px-4 pt-3 pb-1 text-xs text-mute">
              {name}
            </div>
            {its.map((row, index) => {
              const place = (starts[group] ?? 0) + index;
              return (
                <a
                  key={row.to}
                  id={optionId(place)}
                  role="option"
                  tabIndex={-1}
                  aria-selected={place === at}
                  href={row.to}
                  onClick={(event) => {
                    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                    event.preventDefault();
                    open(row, false);
                  }}
                  className="grid min-h-8 items-baseline gap-x-4 border-l-3 border-transparent px-4 py-1.5 hover:bg-hover aria-selected:border-link aria-selected:bg-tint sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_8rem]"
                >
                  <span className="truncate font-medium">
                    <Marked text={row.text} words={answer.words} />
                  </span>
                  <span className="truncate text-sm text-mute">
                    <Marked text={row.line} words={answer.words} />
                  </span>
                  <span className="tabular text-sm text-mute sm:text-right">
                    <Marked text={row.end} words={answer.words} />
                  </span>
                </a>
              );
            })}
          </fieldset>
        ))}
      </div>
      <div className="flex flex-wrap gap-x-4 border-t border-line px-4 py-2 text-xs text-mute">
        <span className="max-sm:hidden">Arrows choose, Enter opens, Ctrl Enter opens beside</span>
        <Link to={all} replace className="ml-auto underline decoration-edge underline-offset-3">
          All results as a page
        </Link>
      </div>
    </>
  );
}

/** The sentence before there are results, or when there are none; `answered` is the text of the results. */
function said(typed: string, answered: string, count: number): string {
  if (typed.trim() === '') return 'Type the beginning of a word, a phone number or a number such as BB-7KQ2MX.';
  if (count > 0 || answered !== typed.trim()) return '';
  return `We found nothing for “${typed.trim()}”. Use fewer words or letters.`;
}

const nothing: FindAnswer = { typed: '', words: [], groups: [] };
const offline = 'There is no connection, so we could not look. What you typed stays here.';
const refused = 'We could not look: our system is busy, or you are no longer signed in. Reload the page to see.';

/**
 * The latest results and the words that they are for: while an answer is awaited, those of before. An answer that comes after
 * somebody typed on is thrown away.
 */
function useFound(typed: string): { answer: FindAnswer; trouble: string | null; answered: string } {
  const [found, setFound] = useState({ answer: nothing, trouble: null as string | null, answered: '' });
  useEffect(() => {
    const leaving = new AbortController();
    const ask = async () => {
      if (typed.trim() === '') return { answer: nothing, trouble: null };
      try {
        const query = new URLSearchParams({ q: typed });
        const response = await fetch(`${href('/staff/find.json')}?${query}`, { signal: leaving.signal });
        if (!response.ok || response.redirected) return { answer: nothing, trouble: refused };
        return { answer: (await response.json()) as FindAnswer, trouble: null };
      } catch {
        return { answer: nothing, trouble: offline };
      }
    };
    // Somebody who types fast is asked for once.
    const timer = setTimeout(async () => {
      const its = await ask();
      if (!leaving.signal.aborted) setFound({ ...its, answered: typed });
    }, 60);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [typed]);
  return found;
}
