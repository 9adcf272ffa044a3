import { useCallback, useEffect, useRef } from 'react';
import { mostCompactCourses } from './held-catalogue.ts';

/**
 * Fetches the catalogue for filtering in the browser, when the browser is idle. Returns what to call when somebody is
 * about to filter. With more courses than a browser should hold, or where data is to be saved, the server filters.
 */
export function useHeldCatalogue(courses: number): () => void {
  const wanted = courses <= mostCompactCourses;
  const fetchIt = useCallback(() => {
    if (!wanted || savesData()) return;
    // Without it the server filters: nothing is lost when it cannot be fetched.
    import('./local-catalogue.ts').then(({ fetchCatalogue }) => fetchCatalogue()).catch(() => undefined);
  }, [wanted]);
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    if ('requestIdleCallback' in window) requestIdleCallback(fetchIt);
    else setTimeout(fetchIt, 1000);
  }, [fetchIt]);
  return fetchIt;
}

function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
