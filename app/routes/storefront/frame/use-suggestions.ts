import { useEffect, useState } from 'react';
import { href } from 'react-router';
import type { Suggestion } from '#app/features/catalogue/suggestions.server.ts';
import { fetchJson } from '#app/ui/data-client.ts';

const freshMs = 60_000;
const mostAnswers = 100;
const answers = new Map<string, { found: Suggestion[]; at: number }>();

/** What the search suggests for a text (P11) while `asking`. The last answer stands until the next one comes. */
export function useSuggestions(text: string, asking: boolean): Suggestion[] {
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
