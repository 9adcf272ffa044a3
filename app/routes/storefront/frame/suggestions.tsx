import { useEffect } from 'react';
import { href } from 'react-router';
import type { Suggestion } from '#app/features/catalogue/suggestions.server.ts';
import { retryDelayMs, retryTimes } from '#app/lib/retry.ts';

const freshMs = 60_000;
const mostAnswers = 100;
const answers = new Map<string, { found: Suggestion[]; at: number }>();

/**
 * Fetches what the search suggests for a text (P11) and hands it on; shows nothing itself. It tries again as the data
 * client does (P35), without it: the client's 10 KB would come to every page for this one question.
 */
export default function FetchSuggestions({ text, onFound }: { text: string; onFound: (found: Suggestion[]) => void }) {
  useEffect(() => {
    const left = new AbortController();
    void suggestionsFor(text, left.signal).then((found) => found && !left.signal.aborted && onFound(found));
    return () => left.abort();
  }, [text, onFound]);
  return null;
}

/** Null when the server could not be reached, or nobody waits for the answer any more. */
async function suggestionsFor(text: string, signal: AbortSignal): Promise<Suggestion[] | null> {
  const known = answers.get(text);
  if (known && performance.now() - known.at < freshMs) return known.found;
  for (let attempt = 0; ; attempt++) {
    try {
      const found = await fetchSuggestions(text, signal);
      if (answers.size >= mostAnswers) answers.clear();
      answers.set(text, { found, at: performance.now() });
      return found;
    } catch {
      if (signal.aborted || attempt === retryTimes) return null;
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs(attempt)));
      if (signal.aborted) return null;
    }
  }
}

async function fetchSuggestions(text: string, signal: AbortSignal): Promise<Suggestion[]> {
  const response = await fetch(`${href('/api/suggestions')}?${new URLSearchParams({ search: text })}`, { signal });
  if (!response.ok) throw new Error(`Suggestions answered ${response.status}`);
  const { suggestions }: { suggestions: Suggestion[] } = await response.json();
  return suggestions;
}
