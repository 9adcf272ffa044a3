import { useEffect, useEffectEvent } from 'react';
import { useOutletContext } from 'react-router';
import { useFreshData } from '#app/features/conversations/use-live.ts';
import type { LiveCount } from '#app/routes/staff/layout.tsx';

const pollMs = 20_000;

/**
 * How many rows a view of the inbox has that the page does not show. `address` gives the view's keys as JSON. It is read
 * every 20 seconds while the page is in view, and at once when that comes back or the frame hears of a chat; null: never.
 */
export function useArrived(keys: readonly string[], address: string | null): number {
  const { data: now, read } = useFreshData(keys, address ?? '');
  const { reads } = useOutletContext<LiveCount>();
  const look = useEffectEvent(() => {
    if (address !== null && document.visibilityState === 'visible') read();
  });
  useEffect(() => {
    const poll = setInterval(look, pollMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(poll);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  useEffect(() => {
    if (reads > 0) look();
  }, [reads]);
  const shown = new Set(keys);
  return now.filter((key) => !shown.has(key)).length;
}
