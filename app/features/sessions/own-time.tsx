import { useEffect, useState } from 'react';
import { instantOf } from '#app/lib/wall-clock.ts';
import type { TrainingSession } from './session.ts';

/** The session's time in the visitor's own time zone, when it differs (P14). Only the browser knows that zone. */
export function OwnTime({ session }: { session: TrainingSession }) {
  const [own, setOwn] = useState('');
  useEffect(() => {
    const { startDate, startTime, endTime, zone } = session;
    const [start, end] = [instantOf(startDate, startTime, zone), instantOf(startDate, endTime, zone)];
    const wall = new Intl.DateTimeFormat('en-CA', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    if (wall.format(start) === startTime) return;
    // The weekday is shown where it differs from the session's own.
    const sameDay = start.getDate() === Number(startDate.slice(8)) && end.getDate() === start.getDate();
    const format = new Intl.DateTimeFormat('en-AU', {
      ...(sameDay ? {} : { weekday: 'short' as const }),
      hour: 'numeric',
      minute: '2-digit',
    });
    const text = (time: Date) => format.format(time).replace(/\b[ap]m\b/, (half) => half.toUpperCase());
    setOwn(` (${text(start)} to ${text(end)} where you are)`);
  }, [session]);
  return own;
}
