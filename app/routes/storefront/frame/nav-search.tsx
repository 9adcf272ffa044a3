import { type FormEvent, type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { href, useNavigate } from 'react-router';
import { longestSearch } from '#app/features/catalogue/longest-search.ts';
import type { Suggestion } from '#app/features/catalogue/suggestions.server.ts';
import { fetchJson } from '#app/ui/data-client.ts';
import { Sign } from '#app/ui/sign.tsx';

const shortestSearch = 2;
const noActive = -1;
const tool = {
  toolname: 'search_courses',
  tooldescription:
    'Finds courses of the academy by words in their title, description or exam code, and shows them as a list.',
  toolautosubmit: '',
} as const;

/**
 * The navigation's search: a plain form to /courses, which suggests as one types once JavaScript runs (P11). `asTool`
 * names it to a browser's agent, once on a page. Keys follow the combobox pattern of the ARIA Authoring Practices:
 * arrows choose, Enter goes, Escape closes.
 */
export function NavSearch({ asTool = false }: { asTool?: boolean }) {
  const navigate = useNavigate();
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(noActive);
  const wanted = useDeferredValue(text.trim());
  const asking = open && wanted.length >= shortestSearch;
  const suggestions = useSuggestions(wanted, asking);
  const expanded = suggestions.length > 0;

  // Text typed before React started is answered as well.
  useEffect(() => {
    const field = input.current;
    if (!field?.value || document.activeElement !== field) return;
    setText(field.value);
    setOpen(true);
  }, []);

  function close() {
    setOpen(false);
    setActive(noActive);
  }

  function go(suggestion: Suggestion) {
    close();
    setText('');
    if (input.current) input.current.value = '';
    navigate(suggestion.address);
  }

  function search(event: FormEvent) {
    event.preventDefault();
    const chosen = suggestions[active];
    if (chosen) return go(chosen);
    close();
    const wantedNow = input.current?.value.trim() ?? '';
    const params = new URLSearchParams(wantedNow === '' ? {} : { search: wantedNow });
    navigate({ pathname: href('/courses'), search: params.toString() });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!expanded) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      // Round through the list and the field itself, which is one place before the first.
      const places = suggestions.length + 1;
      setActive(((active + 1 + step + places) % places) - 1);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      close();
    }
  }

  return (
    <search>
      <form action={href('/courses')} {...(asTool && tool)} className="relative" onSubmit={search}>
        <input
          ref={input}
          name="search"
          type="search"
          maxLength={longestSearch}
          role="combobox"
          aria-label="Search courses"
          toolparamdescription="A topic, a title or an exam code, such as threat hunting or SY0-701"
          aria-autocomplete="list"
          aria-expanded={expanded}
          aria-controls={expanded ? listId : undefined}
          aria-activedescendant={expanded && active !== noActive ? `${listId}-${active}` : undefined}
          autoComplete="off"
          placeholder="What do you want to learn?"
          onInput={(event) => {
            setText(event.currentTarget.value);
            setOpen(true);
            setActive(noActive);
          }}
          onKeyDown={onKeyDown}
          onBlur={close}
          className="block min-h-11 w-full rounded-full border border-on-satin-mute/70 bg-satin-light py-2 pr-11 pl-4 text-on-satin placeholder:text-on-satin-mute hover:border-on-satin [&::-webkit-search-cancel-button]:appearance-none"
        />
        <button
          type="submit"
          aria-label="Search"
          className="absolute inset-y-0 right-0 flex w-11 items-center justify-center rounded-full text-on-satin-mute hover:text-on-satin"
        >
          <Sign name="search" className="size-5" />
        </button>
        {expanded && (
          <div
            id={listId}
            role="listbox"
            aria-label="Suggestions"
            className="absolute inset-x-0 top-full z-50 mt-2 min-w-72 rounded-control border border-line bg-card p-1.5 text-ink shadow-float"
          >
            {suggestions.map((suggestion, at) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the field's, which names the active option
              <div
                key={suggestion.kind + suggestion.label}
                id={`${listId}-${at}`}
                role="option"
                tabIndex={-1}
                aria-selected={at === active}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => go(suggestion)}
                className="flex min-h-11 cursor-pointer items-center justify-between gap-3 rounded-lg px-3 py-2 leading-snug hover:bg-paper aria-selected:bg-action aria-selected:text-white"
              >
                <span className="font-medium">{suggestion.label}</span>
                <span className="shrink-0 text-sm">{suggestion.kind}</span>
              </div>
            ))}
          </div>
        )}
      </form>
    </search>
  );
}

const freshMs = 60_000;
const mostAnswers = 100;
const answers = new Map<string, { found: Suggestion[]; at: number }>();

/** The suggestions of the search for a text (P11) while `asking`. The last answer stays until the next one comes. */
function useSuggestions(text: string, asking: boolean): Suggestion[] {
  const [found, setFound] = useState<Suggestion[]>([]);
  useEffect(() => {
    if (!asking) return;
    const left = new AbortController();
    void suggestionsFor(text, left.signal).then((answer) => answer && !left.signal.aborted && setFound(answer));
    return () => left.abort();
  }, [text, asking]);
  return asking ? found : [];
}

/** Null when the server could not be reached, or nobody waits for the answer any more. */
async function suggestionsFor(text: string, signal: AbortSignal): Promise<Suggestion[] | null> {
  const known = answers.get(text);
  if (known && performance.now() - known.at < freshMs) return known.found;
  const address = `${href('/api/suggestions')}?${new URLSearchParams({ search: text })}`;
  const answer = await fetchJson<{ suggestions: Suggestion[] }>(address, signal);
  if (!answer) return null;
  if (answers.size >= mostAnswers) answers.clear();
  answers.set(text, { found: answer.suggestions, at: performance.now() });
  return answer.suggestions;
}
