import { formatDay } from '#app/lib/dates.ts';
import type { CourseDateDay } from './days-of.ts';

/** The days of a course date in order, with their hours. */
export function CourseDateDays({ days }: { days: readonly CourseDateDay[] }) {
  return (
    <ol className="tabular mt-5 max-w-2xl border-t border-line">
      {days.map(({ day, times }, at) => (
        <li key={day} className="grid grid-cols-[2.75rem_minmax(0,1fr)] items-center gap-x-3 border-b border-line py-3">
          <span className="flex size-10 items-center justify-center rounded-full border-2 border-straw bg-card font-display font-bold">
            <span className="sr-only">Day </span>
            {at + 1}
          </span>
          <span className="flex flex-wrap justify-between gap-x-6">
            <b>{formatDay(day)}</b>
            <span className="text-mute">{times}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
