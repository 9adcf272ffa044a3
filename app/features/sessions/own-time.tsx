import { useEffect, useState } from 'react';
import { shortWeekday } from '#app/lib/short-dates.ts';
import { formatTime, instantOf } from '#app/lib/wall-clock.ts';
import type { TrainingSession } from './session.ts';

/** The session's time in the visitor's own time zone, when it differs (P14). Only the browser knows that zone. */
export function OwnTime({ session }: { session: TrainingSession }) {
  const [own, setOwn] = useState('');
  useEffect(() => {
    const { startDate, startTime, endTime, zone } = session;
    const [start, end] = [
      ownClock(instantOf(startDate, startTime, zone)),
      ownClock(instantOf(startDate, endTime, zone)),
    ];
    if (start.time === startTime) return;
    // The weekday is shown where it differs from the session's own.
    const sameDay = start.day === startDate && end.day === startDate;
    const text = ({ day, time }: typeof start) => `${sameDay ? '' : `${shortWeekday(day)} `}${formatTime(time)}`;
    setOwn(` (${text(start)} to ${text(end)} where you are)`);
  }, [session]);
  return own;
}

/** The day, and the time such as `09:00`, that this machine's clock shows at an instant. */
function ownClock(instant: Date): { day: string; time: string } {
  const wall = new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000).toISOString();
  return { day: wall.slice(0, 10), time: wall.slice(11, 16) };
}
