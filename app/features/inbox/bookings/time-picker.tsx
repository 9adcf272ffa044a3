import { Link } from 'react-router';
import { academyZone } from '#app/lib/academy-day.ts';
import { addDays, type Day, formatDay, mondayOf, shortMonth } from '#app/lib/dates.ts';
import { button } from '#app/ui/button.ts';
import { select } from '#app/ui/field.ts';
import type { FormState } from '#app/ui/form-state.ts';
import type { TimeChoice } from './choice.server.ts';
import { academyTime, offeredZones, placeOf, timeElsewhere } from './zones.ts';

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** The days as weeks from Monday to Saturday: the academy is closed on Sundays. Null where a week has no day to offer. */
function weeksOf(days: TimeChoice['days']): { monday: Day; days: (TimeChoice['days'][number] | null)[] }[] {
  const mondays = new Set(days.map(({ day }) => mondayOf(day)));
  return [...mondays].map((monday) => ({
    monday,
    days: weekdays.map((_, at) => days.find(({ day }) => day === addDays(monday, at)) ?? null),
  }));
}

/**
 * The days of four weeks with their free times; `addressOf` gives the address at which a day is chosen. A phone with
 * large text has no room for six days in a row: it shows a list of whole dates.
 */
export function DayPicker({ choice, addressOf }: { choice: TimeChoice; addressOf: (day: Day) => string }) {
  return (
    <table className="-mx-1 w-[calc(100%+0.5rem)] max-w-2xl table-fixed border-separate border-spacing-1 max-[18rem]:block sm:-mx-2 sm:w-[calc(100%+1rem)] sm:max-w-[43rem] sm:border-spacing-2">
      <caption className="sr-only">Days with free times, in Brisbane</caption>
      <thead className="max-[18rem]:hidden">
        <tr>
          {weekdays.map((name) => (
            <th key={name} scope="col" className="pb-1 text-sm font-semibold text-mute">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-[18rem]:block">
        {weeksOf(choice.days).map(({ monday, days }) => (
          <tr key={monday} className="max-[18rem]:block">
            {days.map((one, at) => (
              <td key={weekdays[at]} className="p-0 max-[18rem]:block max-[18rem]:pb-2">
                {one && <DayCell {...one} chosen={one.day === choice.date} address={addressOf(one.day)} />}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const cell = 'flex min-h-14 flex-col items-center justify-center rounded-control px-0.5 py-1.5 leading-tight';

function DayCell({ day, free, chosen, address }: { day: Day; free: number; chosen: boolean; address: string }) {
  const text = (
    <>
      <span className="sr-only text-center max-[18rem]:not-sr-only">{formatDay(day)}: </span>
      <span
        aria-hidden="true"
        className="tabular flex flex-col items-center max-[18rem]:hidden sm:flex-row sm:items-baseline sm:gap-1"
      >
        <b>{Number(day.slice(8))}</b> <span className="text-xs sm:text-sm">{shortMonth(day)}</span>
      </span>
      <span className="tabular text-xs sm:text-sm">{free === 0 ? 'none' : `${free} free`}</span>
    </>
  );
  if (free === 0) return <span className={`${cell} text-mute`}>{text}</span>;
  const look = chosen ? 'bg-action text-white' : 'border border-edge bg-card hover:border-ink';
  return (
    <Link to={address} preventScrollReset aria-current={chosen ? 'date' : undefined} className={`${cell} ${look}`}>
      {text}
    </Link>
  );
}

/** The free times of the chosen day as radio buttons named `start`, with the visitor's own time beside Brisbane's. */
export function TimeRadios({ choice, form, zone }: { choice: TimeChoice; form: FormState; zone: string | null }) {
  const error = form.errors.start;
  if (choice.date === null) {
    return <p>No time is free in the next four weeks. Please email or call us, and we’ll find one.</p>;
  }
  const differs = zone !== null && choice.times.some((time) => timeElsewhere(new Date(time), zone) !== null);
  return (
    <fieldset
      id="start"
      tabIndex={-1}
      // A refusal may choose another time; React then renders new buttons.
      key={`${choice.date} ${form.values.start}`}
      aria-describedby={error ? 'start-error' : undefined}
    >
      <legend className="mb-3">
        <b>{formatDay(choice.date)}, Brisbane time</b>
        {differs && <span className="block text-sm text-mute">Below it the time in {placeOf(zone)}</span>}
      </legend>
      {error && (
        <p id="start-error" className="mb-3 font-semibold text-fault">
          {error}
        </p>
      )}
      {choice.times.length === 0 && <p>Nothing is free on this day now. Please choose another.</p>}
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
        {choice.times.map((time) => {
          const start = new Date(time);
          const elsewhere = timeElsewhere(start, zone);
          return (
            <label
              key={time}
              className="flex min-h-12 items-center gap-3 rounded-control border border-edge bg-card px-3 py-2 has-checked:border-action has-checked:ring-2 has-checked:ring-action hover:border-ink"
            >
              <input
                type="radio"
                name="start"
                value={time}
                required
                defaultChecked={form.values.start === time}
                className="size-5 shrink-0 accent-action"
              />
              <span className="tabular leading-tight">
                <b>{academyTime(start)}</b>
                {elsewhere && zone && (
                  <span className="block text-sm text-mute">
                    {elsewhere}
                    <span className="sr-only"> in {placeOf(zone)}</span>
                  </span>
                )}
              </span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

/** A choice of zone that works without scripts; `kept` are the other parts of the address. */
export function ZoneForm({
  action,
  zone,
  kept,
}: {
  action: string;
  zone: string | null;
  kept: Record<string, string | null>;
}) {
  return (
    <form action={action} className="max-w-md">
      {Object.entries(kept).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <label htmlFor="zone" className="mb-1.5 block font-bold">
        Also show the times in
      </label>
      <div className="flex flex-wrap gap-2">
        <select
          id="zone"
          name="zone"
          key={zone}
          defaultValue={zone ?? academyZone}
          className={`${select} min-w-0 flex-1 basis-44`}
        >
          {offeredZones(zone).map((one) => (
            <option key={one} value={one}>
              {placeOf(one)}
            </option>
          ))}
        </select>
        <button type="submit" className={button.quiet}>
          Show
        </button>
      </div>
    </form>
  );
}
