import type { Db } from '#app/db/client.server.ts';
import { readDocuments } from '#app/features/content/read-documents.server.ts';
import { coursesWithoutDates } from '#app/features/course-dates/queries.server.ts';
import type { Whose } from '#app/features/inbox/inbox-address.ts';
import { bookingsSoon, chatsToAnswer, enquiriesToAnswer } from '#app/features/inbox/items.server.ts';
import { type NeedGroup, type Needs, oneList } from '#app/features/inbox/need.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import type { Permission } from '#app/features/people/permissions.ts';
import { classesToday } from '#app/features/reports/today/classes.server.ts';
import { mailToday } from '#app/features/reports/today/mail.server.ts';
import { moneyDue } from '#app/features/reports/today/money.server.ts';
import {
  datesBelowMinimum,
  datesToDecide,
  exercisesToMark,
  modulesToHandOut,
  namesMissing,
  waysInToSet,
} from '#app/features/reports/today/needs-of-dates.server.ts';
import {
  outgoingToExplain,
  paymentsToMatch,
  refundsToSend,
} from '#app/features/reports/today/needs-of-money.server.ts';
import { mailsThatCameBack, offersEnding } from '#app/features/reports/today/needs-of-people.server.ts';
import { nextWeeks } from '#app/features/reports/today/weeks.server.ts';
import type { Turn } from '#app/lib/at-most.ts';
import type { Day } from '#app/lib/dates.ts';
import type { MailHealth } from '#app/outbox/mail-health.server.ts';

type Read = (
  db: Db,
  actor: StaffActor,
  at: { now: Date; today: string; holidays: ReadonlySet<string>; whose: Whose },
) => Promise<Needs>;

/** The kinds of waiting items, by their group and the permission to read their page. */
const kinds: readonly (readonly [NeedGroup, Permission, Read])[] = [
  ['Money and dates', 'money:read', paymentsToMatch],
  ['Money and dates', 'money:read', outgoingToExplain],
  ['Money and dates', 'money:read', refundsToSend],
  ['Money and dates', 'course-dates:read-all', datesToDecide],
  ['Money and dates', 'course-dates:read-all', datesBelowMinimum],
  ['Money and dates', 'course-dates:read-all', waysInToSet],
  ['People', 'enquiries:read', enquiriesToAnswer],
  ['People', 'conversations:read', chatsToAnswer],
  ['People', 'bookings:read', bookingsSoon],
  ['People', 'waiting:read', offersEnding],
  ['People', 'mail:read', mailsThatCameBack],
  ['People', 'enrolments:read', namesMissing],
  ['Teaching', 'exercises:read', modulesToHandOut],
  ['Teaching', 'exercises:read', exercisesToMark],
];

type Services = { db: Db; health: () => Promise<MailHealth>; turn: Turn };
type At = { now: Date; today: Day; whose: Whose };

/** The first page of the back office for a person: each section is null where they may not read what it is made of. */
export async function readToday({ db, health, turn }: Services, actor: StaffActor, { now, today, whose }: At) {
  const { holidays } = await turn(() => readDocuments(db, ['holidays']));
  // Business days are counted by those of Queensland.
  const closed = holidays
    .filter(({ states }) => states.includes('QLD'))
    .flatMap(({ name, days }) => days.map((day) => ({ name, day })));
  const at = { now, today, holidays: new Set(closed.map(({ day }) => day)), whose };
  const ifMay = <Value>(permission: Permission, read: () => Promise<Value>) =>
    actor.can.has(permission) ? turn(read) : Promise.resolve(null);
  const readKinds = kinds.filter(([, permission]) => actor.can.has(permission));
  const [classes, money, weeks, mail, asked, ...waiting] = await Promise.all([
    ifMay('course-dates:read', () => classesToday(db, actor, now)),
    ifMay('money:read', () => moneyDue(db, actor, today)),
    ifMay('course-dates:read', () => nextWeeks(db, actor, { now, holidays: closed })),
    ifMay('mail:read', async () => mailToday(db, actor, { health: await health(), today })),
    ifMay('course-dates:read-all', () => coursesWithoutDates(db, actor, today)),
    ...readKinds.map(([group, , read]) => turn(async () => ({ ...(await read(db, actor, at)), group }))),
  ]);
  // Only items of the inbox can be in somebody’s hand.
  const needs = whose === 'mine' ? waiting.filter(({ needs }) => needs.some(({ hold }) => hold)) : waiting;
  return {
    ...{ now, today, classes, weeks, money, mail, asked },
    /** Null for those whose pages hold nothing that waits. */
    needs: readKinds.length > 0 ? oneList(needs, now) : null,
  };
}
export type Today = Awaited<ReturnType<typeof readToday>>;
