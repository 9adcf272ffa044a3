import { academyZone } from '#app/lib/academy-day.ts';
import { type Day, formatDayAndMonth } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { brisbaneTime, formatMoment } from '#app/lib/short-dates.ts';
import { wallClockAt } from '#app/lib/wall-clock.ts';
import { accessEndsOn } from './guided-access.ts';
import { type RefundablePlace, refundAt, refundSteps, type Study } from './refund-ladder.ts';

/**
 * The ladder in words: `until 1 December AU$2,299 back, until 8 December AU$1,149.50, then nothing`. A year stands
 * where it is not that of `from`.
 */
export function refundText(place: RefundablePlace, from: Date): string {
  const steps = refundSteps(place, from);
  const year = wallClockAt(academyZone, from).day.slice(0, 4);
  if (place.study.way === 'next-date') return nothingCharged;
  if (place.study.way === 'guided') return guidedText(place, place.study, from);
  const texts = steps.map(({ cents, until, lastDay, before }, at) => {
    const money = cents === 0 ? 'nothing' : `${formatMoney(cents)}${at === 0 ? ' back' : ''}`;
    const back = before
      ? `${money} (${formatMoney(before.cents)} until ${brisbaneTime(before.until)} that day, Brisbane time)`
      : money;
    if (until) return `until ${lastDay ? dayText(lastDay, year) : `${formatMoment(until)} (Brisbane time)`} ${back}`;
    return at === 0 ? back : `then ${back}`;
  });
  return texts.join(', ');
}

/** Nothing was invoiced for a course on its next date (P39), so there is nothing to refund. */
const nothingCharged = 'nothing to pay, because nothing is charged before the course has a date';

/** The ladder of guided study in words: until access ends, the refund depends on opened modules and not on days. */
function guidedText(place: RefundablePlace, study: Study & { way: 'guided' }, from: Date): string {
  const { cents, reason } = refundAt(place, from);
  const { modules, modulesOpened } = study;
  const last = accessEndsOn(study.from);
  const lastDay = `${formatDayAndMonth(last)} ${last.slice(0, 4)}`;
  if (reason === 'access-over') return `nothing, because access to the modules ended on ${lastDay}`;
  const left = modules - modulesOpened;
  if (left <= 0) return `nothing, because all ${modules} modules were opened`;
  const each = Math.ceil(place.amountCents / modules);
  const less = `${each * modules === place.amountCents ? '' : 'about '}${formatMoney(each)} less for each`;
  const back =
    modulesOpened === 0
      ? `${formatMoney(cents)} back while no module is opened, ${less} of the ${modules} modules opened`
      : `${formatMoney(cents)} back for the ${left} of ${modules} modules not opened yet, ${less} further module opened`;
  return `${back}, and nothing after ${lastDay}, when access ends`;
}

function dayText(day: Day, yearShown: string): string {
  return day.startsWith(yearShown) ? formatDayAndMonth(day) : `${formatDayAndMonth(day)} ${day.slice(0, 4)}`;
}
