import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { href } from 'react-router';
import type { SeatsNow } from './session-view.ts';

const everyMs = 10_000;

/** Asks for the seats of all sessions while the page is visible, and hands them on; shows nothing itself. */
export default function PollSeats({ onSeats }: { onSeats: (seats: SeatsNow) => void }) {
  const { data } = useQuery({ queryKey: ['seats'], queryFn: fetchSeats, refetchInterval: everyMs });
  useEffect(() => {
    if (data) onSeats(data);
  }, [data, onSeats]);
  return null;
}

async function fetchSeats({ signal }: { signal: AbortSignal }): Promise<SeatsNow> {
  const response = await fetch(href('/api/seats'), { signal });
  if (!response.ok) throw new Error(`Seats answered ${response.status}`);
  return response.json();
}
