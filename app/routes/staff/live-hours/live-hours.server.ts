import type { Db } from '#app/db/client.server.ts';
import { isAhead, occurrencesOf, weeklyInWords } from '#app/features/catalogue/live-hours.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { timesText } from '#app/features/reports/today/class-times.ts';
import { findLiveHour, listLiveHours } from '#app/features/study/live-hours.server.ts';
import type { PlannedHour } from '#app/features/study/own-hours.ts';
import { academyDay, academyZone } from '#app/lib/academy-day.ts';
import { addDays, type Day, formatDay } from '#app/lib/dates.ts';
import { shortDay } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { formatTime, wallClockAt, zoneAbbreviation } from '#app/lib/wall-clock.ts';

type AsOf = { today: Day; now: Date };

/** So many weeks to come may staff choose to leave out. */
const mostChoices = 26;

/** The live hours for the list of classes, the next one first. */
export async function readHoursListed(db: Db, actor: StaffActor, { today, now }: AsOf) {
  const rows = await listLiveHours(db, actor, today);
  return rows
    .map(({ id, title, people, planned }) => {
      const next = nextOf(planned, { today, now });
      return {
        id,
        title,
        people,
        next: next ? `${shortDay(next.day)}, ${timeOf(planned, next.day)}` : 'None to come',
        instructor: planned.hour.instructor,
        starts: next?.starts.getTime() ?? Number.POSITIVE_INFINITY,
      };
    })
    .toSorted((a, b) => a.starts - b.starts)
    .map(({ starts: _, ...row }) => row);
}

/** The live hours of today, on the academy's clock, that are not over, for the first page; the next one first. */
export async function hoursToday(db: Db, actor: StaffActor, { today, now }: AsOf) {
  const rows = await listLiveHours(db, actor, today);
  return rows
    .flatMap(({ id, title, people, planned }) => {
      const next = nextOf(planned, { today, now });
      if (!next || academyDay(next.starts) !== today) return [];
      const [from, to] = [wallClockAt(academyZone, next.starts).time, wallClockAt(academyZone, next.ends).time];
      const { instructor } = planned.hour;
      return { id: String(id), title, people, instructor, times: timesText(from, to), starts: next.starts.getTime() };
    })
    .toSorted((a, b) => a.starts - b.starts);
}

/** A live hour for its page; null when there is none that the person may see. */
export async function readHourShown(db: Db, actor: StaffActor, id: number, asOf: AsOf) {
  const found = await findLiveHour(db, actor, id, asOf.today);
  if (!found) return null;
  const { title, planned, people } = found;
  const { hour, link } = planned;
  const next = nextOf(planned, asOf);
  return {
    title,
    link,
    instructor: hour.instructor,
    weekly: weeklyInWords(hour, asOf.today),
    isOver: !isAhead(hour, asOf.today),
    next: next && `${formatDay(next.day)}, ${timeOf(planned, next.day)}`,
    days: heldFrom(planned, asOf)
      .slice(0, mostChoices)
      .map(({ day }) => ({ day, text: formatDay(day) })),
    people: people.map(({ id: placeId, name, guided_from, buyer_name, organisation, needs }) => ({
      id: placeId,
      name:
        showControlCharacters(name ?? '') || `To be named, from ${showControlCharacters(organisation ?? buyer_name)}`,
      needs: showControlCharacters(needs ?? ''),
      begins: guided_from ? `${guided_from > asOf.today ? 'Begins' : 'Since'} ${shortDay(guided_from)}` : '',
    })),
  };
}

const heldFrom = ({ hour, free }: PlannedHour, { today, now }: AsOf) =>
  occurrencesOf(hour, free, { from: addDays(today, -1), to: hour.lastOn }).filter(
    ({ off, ends }) => !off && ends > now,
  );

const nextOf = (planned: PlannedHour, asOf: AsOf) => heldFrom(planned, asOf)[0] ?? null;

const timeOf = ({ hour: { startsAt, zone } }: PlannedHour, day: Day): string =>
  `${formatTime(startsAt)} ${zoneAbbreviation(zone, day)}`;
