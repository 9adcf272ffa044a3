import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { href } from 'react-router';
import type { Suggestion } from '#app/features/catalogue/suggestions.server.ts';

/** Fetches what the search suggests for a text (P11) and hands it on; shows nothing itself. */
export default function FetchSuggestions({ text, onFound }: { text: string; onFound: (found: Suggestion[]) => void }) {
  const { data } = useQuery({
    queryKey: ['suggestions', text],
    queryFn: ({ signal }) => fetchSuggestions(text, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  useEffect(() => {
    if (data) onFound(data);
  }, [data, onFound]);
  return null;
}

async function fetchSuggestions(text: string, signal: AbortSignal): Promise<Suggestion[]> {
  const response = await fetch(`${href('/api/suggestions')}?${new URLSearchParams({ search: text })}`, { signal });
  if (!response.ok) throw new Error(`Suggestions answered ${response.status}`);
  const { suggestions }: { suggestions: Suggestion[] } = await response.json();
  return suggestions;
}
