import { dayMs } from '#app/lib/durations.ts';

/** Which backups are kept, and which one a moment is restored from. Days and weeks are UTC's. */

/** A copy of all files of the database. It is of use with the log from its first segment to its last, or further. */
export type Base = {
  name: string;
  startedAt: Date;
  endedAt: Date;
  timeline: number;
  firstSegment: string;
  lastSegment: string;
  segmentBytes: number;
  /** As it is stored. */
  bytes: number;
};

/** A stored file of the database's log, such as `000000010000000000000007` or `00000002.history`. */
export type LogFile = { name: string; storedAt: Date };

/** What may have been written between the end of a base in the log and the time that is noted as its end. */
const segmentsBehind = 16;
const kept = { days: 7, weeks: 4, months: 12 };
const logFile = /^([0-9A-F]{8})(?:([0-9A-F]{8})([0-9A-F]{8})(?:\.partial|\.[0-9A-F]{8}\.backup)?|\.history)$/;

export const isLogFile = (name: string) => logFile.test(name);
const isSegment = (name: string) => /^[0-9A-F]{24}$/.test(name);
const isHistory = (name: string) => name.endsWith('.history');

/** The place of a segment in the log, whichever timeline it is of. */
function segmentNumber(name: string, segmentBytes: number): number {
  const [, , high = '0', low = '0'] = logFile.exec(name) ?? [];
  return Number.parseInt(high, 16) * (2 ** 32 / segmentBytes) + Number.parseInt(low, 16);
}

/** What is of no use any more: bases beyond 7 days, 4 weeks and 12 months, and the log that no kept base needs. */
export function prunable(
  bases: readonly Base[],
  log: readonly LogFile[],
  now: Date,
): { bases: Base[]; log: LogFile[] } {
  const newestFirst = bases.toSorted((a, b) => b.endedAt.getTime() - a.endedAt.getTime());
  const keep = new Set(newestFirst.slice(0, 1));
  const keepOnePer = (period: (at: Date) => string, most: number) => {
    const seen = new Set<string>();
    for (const base of newestFirst) {
      const name = period(base.endedAt);
      if (seen.has(name) || seen.size === most) continue;
      seen.add(name);
      keep.add(base);
    }
  };
  keepOnePer((at) => at.toISOString().slice(0, 10), kept.days);
  keepOnePer((at) => String(Math.floor((at.getTime() / dayMs + 3) / 7)), kept.weeks);
  keepOnePer((at) => at.toISOString().slice(0, 7), kept.months);
  const recentFrom = now.getTime() - kept.days * dayMs;
  const numberIn = (base: Base, segment: string) => segmentNumber(segment, base.segmentBytes);
  // Any moment of the last days: from the newest base that is older, on.
  const chain = newestFirst.find(({ endedAt }) => endedAt.getTime() <= recentFrom) ?? newestFirst.at(-1);
  if (chain) keep.add(chain);
  const isNeeded = ({ name }: LogFile) =>
    isHistory(name) ||
    !chain ||
    numberIn(chain, name) >= numberIn(chain, chain.firstSegment) ||
    [...keep].some(
      (base) =>
        numberIn(base, name) >= numberIn(base, base.firstSegment) &&
        numberIn(base, name) <= numberIn(base, base.lastSegment),
    );
  return {
    bases: bases.filter((base) => !keep.has(base)),
    log: log.filter((file) => !isNeeded(file)),
  };
}

export type RestorePlan = {
  base: Base;
  /** Files of the log to replay. */
  log: LogFile[];
  /** The whole log, up to a moment, or only what the base needs because the log after it was pruned. */
  until: 'newest' | 'base' | Date;
  /** The timeline of the log: restoring begins a new one. */
  timeline: number | 'current' | 'latest';
  /** Whether the log goes on after what is replayed, but with a file missing. */
  hasGap: boolean;
};

/** From what to restore the state of a moment, null for the newest; a sentence when it cannot be had. */
export function planRestore(
  bases: readonly Base[],
  log: readonly LogFile[],
  to: Date | null,
): { ok: true; plan: RestorePlan } | { ok: false; message: string } {
  const oldestFirst = bases.toSorted((a, b) => a.endedAt.getTime() - b.endedAt.getTime());
  const oldest = oldestFirst[0];
  if (!oldest) return { ok: false, message: 'There is no backup yet.' };
  const at = oldestFirst.findLastIndex(({ endedAt }) => to === null || endedAt <= to);
  const base = oldestFirst[at];
  if (!base) return { ok: false, message: `The oldest backup is of ${oldest.endedAt.toISOString()}, which is later.` };
  const next = oldestFirst[at + 1];
  const number = (name: string) => segmentNumber(name, base.segmentBytes);
  const run = runFrom(base, log);
  const wanted = next ? number(next.lastSegment) + segmentsBehind : Number.POSITIVE_INFINITY;
  const histories = log.filter(({ name }) => isHistory(name));
  const files = log.filter(
    ({ name }) =>
      isHistory(name) || (number(name) >= number(base.firstSegment) && number(name) <= Math.min(run.last, wanted)),
  );
  if (run.last < number(base.lastSegment))
    return { ok: false, message: `The log of the backup of ${base.endedAt.toISOString()} is missing or not whole.` };
  const isAlone = to !== null && next !== undefined && run.last === number(base.lastSegment);
  return {
    ok: true,
    plan: {
      base,
      log: files,
      until: to === null ? 'newest' : isAlone ? 'base' : to,
      timeline: to === null ? 'latest' : timelineAt(base, histories, to),
      hasGap: !isAlone && run.hasGap && run.last < wanted,
    },
  };
}

/** Up to which segment the log goes on from a base without one missing. */
export function runFrom(base: Base, log: readonly LogFile[]): { last: number; hasGap: boolean } {
  const numbers = new Set(
    log.filter(({ name }) => isSegment(name)).map(({ name }) => segmentNumber(name, base.segmentBytes)),
  );
  let last = segmentNumber(base.firstSegment, base.segmentBytes) - 1;
  while (numbers.has(last + 1)) last += 1;
  return { last, hasGap: [...numbers].some((number) => number > last) };
}

/** A restore begins a timeline. One that began later than the moment leads past it. */
function timelineAt(base: Base, histories: readonly LogFile[], to: Date): number | 'current' {
  const begun = histories
    .filter(({ storedAt }) => storedAt <= to)
    .map(({ name }) => Number.parseInt(name.slice(0, 8), 16));
  const newest = Math.max(base.timeline, ...begun);
  return newest === base.timeline ? 'current' : newest;
}
