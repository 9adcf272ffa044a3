import { href } from 'react-router';
import { nearText } from '#app/features/inbox/need.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { mostMails } from '#app/features/reports/today/mail.server.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { type Clock, trueTime } from '#app/lib/clock.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { formatCount } from '#app/lib/money.ts';
import { shortDay } from '#app/lib/short-dates.ts';
import { formatTime, wallClockAt } from '#app/lib/wall-clock.ts';
import type { Today } from './read.server.ts';

/** The local times of Brisbane and the other zones in use: `8:42 AM in Brisbane, 9:42 AM in Sydney and Melbourne`. */
export function localTimes(zones: readonly string[], now: Date): string {
  const byTime = new Map<string, string[]>();
  for (const zone of new Set([academyZone, ...zones])) {
    const time = formatTime(wallClockAt(zone, now).time);
    byTime.set(time, [...(byTime.get(time) ?? []), zone.replace(/^.*\//, '')]);
  }
  return [...byTime].map(([time, cities]) => `${time} in ${inWords(cities)}`).join(', ');
}

const inWords = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ');

/** Courses without a date that are named; of the others the number is. */
const mostAsked = 8;

/** The first page in words. */
export function shownToday(read: Today, actor: StaffActor, clock: Clock) {
  const { now, classes, weeks, needs, asked } = read;
  const first = weeks?.weeks.flatMap(({ dates }) => dates)[0];
  const zones = [...(classes?.shown ?? []).map(({ zone }) => zone), ...(weeks?.zones ?? [])];
  return {
    own: !actor.can.has('course-dates:read-all'),
    times: localTimes(zones, now),
    classes,
    next: first ? { title: first.title, when: shortDay(first.startsOn), to: first.to } : null,
    allClasses: actor.can.has('attendees:read') ? href('/staff/classes') : null,
    needs: needs && {
      ...needs,
      needs: needs.needs.map(({ dueAt, hold, ...need }) => ({
        ...need,
        due: nearText(dueAt, now),
        late: dueAt < now,
        take: hold && hold.holderId === null ? hold.item : null,
      })),
    },
    weeks,
    money: moneyShown(read.money),
    mail: mailShown(read.mail, trueTime(clock)),
    asked: (asked ?? [])
      .slice(0, mostAsked)
      .map(({ slug, title, waiting, nextDate }) => ({ slug, title, waiting, next: nextDate && shortDay(nextDate) })),
    moreAsked: Math.max(0, (asked ?? []).length - mostAsked),
  };
}

type Shown = { text: string; late: boolean; to: string | null; count: string; amount?: string };

const bands = [
  ['week', 'Due this week'],
  ['late', '1 to 14 days late'],
  ['long', 'Over 14 days late'],
] as const;

function moneyShown(money: Today['money']): Shown[] | null {
  if (!money) return null;
  const sum = (name: keyof typeof money) => {
    const { parts, cents } = money[name];
    return { count: String(parts), amount: formatExact(cents) };
  };
  return [
    ...bands.map(([name, text]) => ({
      text,
      late: name !== 'week' && money[name].parts > 0,
      to: `${href('/staff/owed')}?due=${name}`,
      ...sum(name),
    })),
    { text: 'Refunds to send', late: false, to: `${href('/staff/payments')}?show=refunds`, ...sum('refunds') },
  ];
}

/** Mail that is due for less than this is on its way. */
const shortMs = 60_000;

function mailShown(mail: Today['mail'], now: Date): { sums: Shown[]; last: string } | null {
  if (!mail) return null;
  const to = href('/staff/mail');
  const counted = (count: number) => (count >= mostMails ? `${formatCount(mostMails)}+` : formatCount(count));
  const waits = mail.oldestAt ? now.getTime() - mail.oldestAt.getTime() : 0;
  const waiting =
    mail.waiting === 0
      ? 'Waiting'
      : waits < shortMs
        ? 'Waiting, all under 1 minute'
        : `Waiting, the oldest since ${nearText(mail.oldestAt ?? now, now)}`;
  return {
    last: mail.lastAt ? `last left ${nearText(mail.lastAt, now).replace('Today, ', '')}` : '',
    sums: [
      { text: 'Sent in the last 24 hours', late: false, to: null, count: counted(mail.sent) },
      { text: waiting, late: waits > 15 * shortMs, to, count: counted(mail.waiting) },
      { text: 'Came back', late: mail.cameBack > 0, to, count: counted(mail.cameBack) },
      { text: 'Next: places to remind tomorrow', late: false, to: null, count: counted(mail.reminders) },
    ],
  };
}
