import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { href } from 'react-router';
import { fetchJson } from '#app/ui/data-client.ts';
import type { CourseDateView, SeatsNow } from './course-date-view.ts';

const Now = createContext<SeatsNow | null>(null);

/** A page has just been rendered when it arrives: there is time before it is asked whether it is still true. */
const everyMs = 10_000;

/**
 * Keeps the seats shown in it true while the page is open and visible. Without scripts, or when they cannot be fetched,
 * the page stays as it came.
 */
export function LiveSeatsProvider({ children }: { children: ReactNode }) {
  const [now, setNow] = useState<SeatsNow | null>(null);
  useEffect(() => pollSeats(setNow), []);
  return <Now value={now}>{children}</Now>;
}

/** Asks every ten seconds while the page is visible, and at once when it is seen again; hands on what has changed. */
function pollSeats(onSeats: (seats: SeatsNow) => void): () => void {
  const left = new AbortController();
  let timer = setTimeout(ask, everyMs);
  let asking = false;
  let last = '';
  async function ask() {
    clearTimeout(timer);
    if (document.hidden || asking) return;
    asking = true;
    const seats = await fetchJson<SeatsNow>(href('/api/seats'), left.signal);
    if (left.signal.aborted) return;
    asking = false;
    const text = JSON.stringify(seats);
    if (seats && text !== last) onSeats(seats);
    last = text;
    timer = setTimeout(ask, everyMs);
  }
  document.addEventListener('visibilitychange', ask, { signal: left.signal });
  return () => {
    clearTimeout(timer);
    left.abort();
  };
}

/** The course date with the seats and words of this moment. */
export function useLiveSeats(courseDate: CourseDateView): CourseDateView {
  const live = use(Now)?.courseDates[courseDate.slug];
  return live ? { ...courseDate, ...live } : courseDate;
}

/** Seats on offer in all course dates to come; `shown` is what the page came with. */
export function useAvailableSeats(shown: number): number {
  return use(Now)?.available ?? shown;
}
