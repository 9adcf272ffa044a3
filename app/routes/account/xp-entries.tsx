import type { XpEntry } from '#app/features/progress/records.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { formatCount } from '#app/lib/money.ts';
import { shortMonth, shortWeekday } from '#app/lib/short-dates.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';

/** An entry of the ledger as its page says it (P62). */
export type ShownEntry = { id: number; day: string; record: string; how: string; points: string };

/** Puts an entry and the record that it cites into words. */
export function entryInWords({ id, at, courseTitle, points, reverses, record }: XpEntry): ShownEntry {
  const day = academyDay(at);
  return {
    id,
    day: `${shortWeekday(day)} ${Number(day.slice(8))} ${shortMonth(day)} ${day.slice(0, 4)}`,
    record: `${courseTitle}, ${whatOf(record)}`,
    how: `${reverses ? 'Corrected: ' : ''}${howOf(record)}`,
    points: points < 0 ? `−${formatCount(-points)}` : `+${formatCount(points)}`,
  };
}

function whatOf(record: XpEntry['record']): string {
  if (record.kind === 'attendance') return `day ${record.dayNumber}`;
  return record.kind === 'exercise' ? `module ${record.module}` : 'certificate';
}

function howOf(record: XpEntry['record']): string {
  if (record.kind === 'certificate') return 'The rest, with the certificate';
  const by = record.by ? ` by ${record.by}` : '';
  if (record.kind === 'exercise') return `${record.accepted ? 'Exercise accepted' : 'Exercise not accepted'}${by}`;
  const { mark, minutesLate, minutesLeftEarly } = record;
  if (mark !== 'present') return `${mark === 'absent' ? 'Absent' : 'Excused'}, marked${by}`;
  const missed = [
    minutesLate > 0 && `${minutesLate} minutes late`,
    minutesLeftEarly > 0 && `left ${minutesLeftEarly} minutes early`,
  ].filter(Boolean);
  const how = missed.length > 0 ? missed.join(', ') : 'present';
  return `${how.charAt(0).toUpperCase()}${how.slice(1)}, marked${by}`;
}

/** Entries of the ledger, the latest first. */
export function XpEntries({ entries }: { entries: readonly ShownEntry[] }) {
  return (
    <ul className="tabular mt-4">
      {entries.map(({ id, day, record, how, points }) => (
        <li
          key={id}
          className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 border-t border-satin-line py-3 sm:grid-cols-[8.5rem_minmax(0,1fr)_auto]"
        >
          <span className="text-sm text-on-satin-mute max-sm:col-span-2">{day}</span>
          <span className="min-w-0">
            <b className="block text-pretty wrap-anywhere">
              <Unbroken text={record} />
            </b>
            <span className="text-sm text-on-satin-mute">{how}</span>
          </span>
          <b className="text-on-satin">{points}</b>
        </li>
      ))}
    </ul>
  );
}
