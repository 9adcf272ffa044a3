import { academyDay } from '#app/lib/academy-day.ts';
import { addDays, type Day, formatDay, formatDayAndMonth } from '#app/lib/dates.ts';
import { type Cents, formatMoney } from '#app/lib/money.ts';
import { brisbaneTime, formatMoment } from '#app/lib/short-dates.ts';
import { accessEndsOn } from './guided-access.ts';
import { type Purchase, refundAt, refundReasons, refundSteps, type Study } from './refund.ts';

/** One step of a refund as pages and emails show it: `Until`, `Monday 13 October`, the amount. */
export type RefundRow = {
  /** `Until`, `From`, or words without a day: `From now on`. */
  word: string;
  day: string;
  cents: Cents;
  /** The share of what is charged, from 0 to 1. */
  share: number;
  /** `tomorrow, 4:52 AM Brisbane time`: `day` as it is said today, of a step that ends within a day. */
  near: string | null;
};

/** The refund of a purchase by dates, from `now` on (P31, P100). */
export function refundRows(purchase: Purchase, now: Date): RefundRow[] {
  const year = academyDay(now).slice(0, 4);
  const steps = refundSteps(purchase, now);
  const charged = purchase.courses.reduce((sum, { chargedCents }) => sum + chargedCents, 0);
  return steps.map(({ until, lastDay, cents }, at) => {
    const ended = steps[at - 1]?.lastDay ?? null;
    const when = until
      ? { word: 'Until', day: lastDay ? weekdayText(lastDay, year) : momentText(until, year) }
      : ended
        ? { word: 'From', day: weekdayText(addDays(ended, 1), year) }
        : { word: at === 0 ? 'From now on' : 'After that', day: '' };
    return {
      ...when,
      cents,
      share: charged > 0 ? cents / charged : 0,
      near: until && !lastDay ? nearText(until, now) : null,
    };
  });
}

/**
 * The refund of a purchase in words: `until 1 December AU$2,299 back, until 8 December AU$1,149.50, then nothing`. A
 * year is written where it differs from that of `from`.
 */
export function refundText(purchase: Purchase, from: Date): string {
  const [only, ...others] = purchase.courses;
  if (only && others.length === 0) {
    const { study } = only;
    if (only.academyChanged) return refundReasons['academy-changed'];
    if (study.way === 'next-date') return 'nothing to pay, because nothing is charged before the course has a date';
    if (study.way === 'guided' && !purchase.combo) return guidedText(purchase, { ...only, study }, from);
  }
  const year = academyDay(from).slice(0, 4);
  const texts = refundSteps(purchase, from).map(({ cents, until, lastDay }, at) => {
    const back = cents === 0 ? 'nothing' : `${formatMoney(cents)}${at === 0 ? ' back' : ''}`;
    if (until) return `until ${lastDay ? dayText(lastDay, year) : `${formatMoment(until)} (Brisbane time)`} ${back}`;
    return at === 0 ? back : `then ${back}`;
  });
  return texts.join(', ');
}

/** Until access ends, the refund of guided study depends on opened modules and not on days. */
function guidedText(
  purchase: Purchase,
  { study, chargedCents }: { study: Study & { way: 'guided' }; chargedCents: Cents },
  from: Date,
): string {
  const { cents, courses } = refundAt(purchase, from);
  const { modules, modulesOpened } = study;
  const last = accessEndsOn(study.from);
  const lastDay = `${formatDayAndMonth(last)} ${last.slice(0, 4)}`;
  if (courses[0]?.reason === 'access-over') return `nothing, because access to the modules ended on ${lastDay}`;
  const left = modules - modulesOpened;
  if (left <= 0) return `nothing, because all ${modules} modules were opened`;
  const each = Math.ceil(chargedCents / modules);
  const less = `${each * modules === chargedCents ? '' : 'about '}${formatMoney(each)} less for each`;
  const back =
    modulesOpened === 0
      ? `${formatMoney(cents)} back while no module is opened, ${less} of the ${modules} modules opened`
      : `${formatMoney(cents)} back for the ${left} of ${modules} modules not opened yet, ${less} further module opened`;
  return `${back}, and nothing after ${lastDay}, when access ends`;
}

const momentText = (until: Date, year: string) =>
  `${weekdayText(academyDay(until), year)}, ${brisbaneTime(until)} Brisbane time`;

function nearText(until: Date, now: Date): string {
  const day = academyDay(until) === academyDay(now) ? 'today' : 'tomorrow';
  return `${day}, ${brisbaneTime(until)} Brisbane time`;
}

/** The year is written where it is another one. */
const weekdayText = (day: Day, year: string) => formatDay(day).replace(` ${year}`, '');

const dayText = (day: Day, yearShown: string) =>
  day.startsWith(yearShown) ? formatDayAndMonth(day) : `${formatDayAndMonth(day)} ${day.slice(0, 4)}`;
