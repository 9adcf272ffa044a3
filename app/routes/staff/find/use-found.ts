import { useEffect, useState } from 'react';
import { href } from 'react-router';
import type { FindAnswer } from './found.ts';

const nothing: FindAnswer = { typed: '', words: [], groups: [] };
const offline = 'There is no connection, so we could not look. What you typed stays here.';
const refused = 'We could not look: our system is busy, or you are no longer signed in. Reload the page to see.';

/**
 * The latest results and the words that they are for: while an answer is awaited, those of before. An answer that comes after
 * somebody typed on is thrown away.
 */
export function useFound(typed: string): { answer: FindAnswer; trouble: string | null; answered: string } {
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
