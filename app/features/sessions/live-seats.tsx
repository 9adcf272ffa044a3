import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { useDataClient } from '#app/ui/data-client.tsx';
import type { SeatsNow, SessionView } from './session-view.ts';

const Now = createContext<SeatsNow | null>(null);

/** A page has just been rendered when it arrives: there is time before it is asked whether it is still true. */
const firstAfterMs = 10_000;

/**
 * Keeps the seats shown in it true while the page is open and visible. What it takes is fetched some seconds after the
 * page; without scripts, or when it cannot be fetched, the page stays as it came.
 */
export function LiveSeatsProvider({ children }: { children: ReactNode }) {
  const { ready, load } = useDataClient();
  const [Poll, setPoll] = useState<typeof import('./poll-seats.tsx').default>();
  const [now, setNow] = useState<SeatsNow | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      load();
      import('./poll-seats.tsx').then(
        ({ default: component }) => setPoll(() => component),
        () => undefined,
      );
    }, firstAfterMs);
    return () => clearTimeout(timer);
  }, [load]);
  return (
    <Now value={now}>
      {children}
      {ready && Poll && <Poll onSeats={setNow} />}
    </Now>
  );
}

/** The session with the seats and words of this moment. */
export function useLiveSeats(session: SessionView): SessionView {
  const live = use(Now)?.sessions[session.slug];
  return live ? { ...session, ...live } : session;
}

/** Seats on offer in all sessions to come; `shown` is what the page came with. */
export function useAvailableSeats(shown: number): number {
  return use(Now)?.available ?? shown;
}
