import type { Db, Trx } from '#app/db/client.server.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import type { StaffActor } from '#app/features/people/actor.ts';
import { type Moment, momentOf } from '#app/http/academy.server.ts';
import type { Clock } from '#app/lib/clock.ts';
import { addDays, type Day } from '#app/lib/dates.ts';

/** Draws the same numbers for the same seed. */
export type Draw = {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  of<T>(from: readonly T[]): T;
  chance(of: number): boolean;
  /** A UUID, for what is sent once. */
  uuid(): string;
};

export function drawFrom(seed: number): Draw {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const hex = (digits: number) => Array.from({ length: digits }, () => below(16).toString(16)).join('');
  return {
    below,
    of(from) {
      const [one] = from.slice(below(from.length));
      if (one === undefined) throw new Error('nothing to draw from');
      return one;
    },
    chance: (of) => next() < of,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
  };
}

/** An event at a time. The summary counts its result; null counts nothing. */
type Act = (moment: Moment) => Promise<string | null>;

/** The staff of the demonstration. */
export type Team = {
  owner: StaffActor;
  admissions: StaffActor;
  editor: StaffActor;
  /** By slug. */
  instructors: ReadonlyMap<string, StaffActor>;
};

/** The state of the demonstration: a clock that is set, coming events, and counts of past ones. */
export type Stage = {
  db: Db;
  draw: Draw;
  team: Team;
  /** The key with which the program signs. */
  secret: string;
  firstDay: Day;
  lastDay: Day;
  moment(): Moment;
  setNow(now: Date): void;
  /** Schedules an event a number of days from now, at an hour in Brisbane; events after the last day never happen. */
  later(days: number, hour: number, act: Act): void;
  /** The acts of a day, in their order. */
  actsOf(day: Day): { hour: number; act: Act }[];
  count(what: string): void;
  counts: ReadonlyMap<string, number>;
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
};

/** The instant of an hour, such as 16.5, on a day in Brisbane, which has no daylight saving. */
export const instantAt = (day: Day, hour: number): Date =>
  new Date(Date.parse(`${day}T00:00:00+10:00`) + hour * 3_600_000);

export const weekday = (day: Day): number => new Date(`${day}T00:00:00Z`).getUTCDay();

export function openStage(
  parts: Pick<Stage, 'db' | 'draw' | 'team' | 'secret' | 'firstDay' | 'lastDay'> & {
    clock: Clock;
    academy: () => MailAcademy;
    setNow(now: Date): void;
  },
): Stage {
  const agenda = new Map<Day, { hour: number; act: Act }[]>();
  const counts = new Map<string, number>();
  const { clock, academy, ...own } = parts;
  const moment = () => momentOf({ clock, academy });
  return {
    ...own,
    moment,
    later(days, hour, act) {
      const day = addDays(moment().today, days);
      const acts = agenda.get(day) ?? [];
      acts.push({ hour, act });
      agenda.set(day, acts);
    },
    actsOf(day) {
      const acts = agenda.get(day) ?? [];
      agenda.delete(day);
      return acts.toSorted((a, b) => a.hour - b.hour);
    },
    count: (what) => counts.set(what, (counts.get(what) ?? 0) + 1),
    counts,
    transaction: (work) => own.db.transaction().execute(work),
  };
}
