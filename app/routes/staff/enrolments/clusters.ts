import type { Cents } from '#app/lib/money.ts';

/** An enrolment without a payment, placed by its buyer. */
export type UnpaidEnrolment = {
  id: number;
  reference: string;
  buyer: string;
  email: string;
  title: string;
  /** The registered part of the buyer's address; null for large public providers. */
  domain: string | null;
  /** The keyed hash of the network it was placed from; null when it is not known. */
  network: string | null;
  placedAt: Date;
  /** In training sessions. */
  seats: number;
  owedCents: Cents;
};

/** What is compared of one. */
export type Compared = Pick<UnpaidEnrolment, 'id' | 'domain' | 'network' | 'placedAt' | 'seats' | 'owedCents'>;

/** Unpaid enrolments that may belong to one person. */
export type Cluster<Enrolment extends Compared = UnpaidEnrolment> = {
  /** Their common features, in words. */
  shared: string[];
  /** The earliest first. */
  enrolments: Enrolment[];
  seats: number;
  owedCents: Cents;
  /** The most seats placed within any 24 hours. */
  seatsInDay: number;
};

const minuteMs = 60 * 1000;
const dayMs = 24 * 60 * minuteMs;
/** Buyers who have nothing to do with each other seldom follow each other so closely, and so often. */
const quickGapMs = 2 * minuteMs;
const leastOfQuick = 5;
/** So many seats of one cluster in a day are for staff to look at. */
const jumpSeats = 10;

/** Whether so many places were bought at once that staff should look at them. */
export const isJump = ({ seatsInDay }: Pick<Cluster, 'seatsInDay'>): boolean => seatsInDay >= jumpSeats;

/**
 * What unpaid enrolments share: a network, a mail domain, or a time at which they were placed in quick succession. The
 * largest first; one that shares several things is one cluster.
 */
export function clustersOf<Enrolment extends Compared>(enrolments: readonly Enrolment[]): Cluster<Enrolment>[] {
  const ordered = enrolments.toSorted((a, b) => a.placedAt.getTime() - b.placedAt.getTime() || a.id - b.id);
  const groups = [
    ...groupsBy(
      ordered,
      ({ network }) => network,
      () => 'one network',
    ),
    ...groupsBy(
      ordered,
      ({ domain }) => domain,
      (domain) => `addresses of ${domain}`,
    ),
    ...quickRuns(ordered).map((members) => ({ shared: 'placed in quick succession', members })),
  ];
  const clusters = new Map<string, Cluster<Enrolment>>();
  for (const { shared, members } of groups) {
    const key = members.map(({ id }) => id).join();
    const known = clusters.get(key);
    if (known) known.shared.push(shared);
    else clusters.set(key, { shared: [shared], enrolments: members, ...sumsOf(members) });
  }
  return [...clusters.values()].toSorted((a, b) => b.seats - a.seats);
}

/** The first clusters with at most so many enrolments together, the last one cut there, and how many clusters are left. */
export function firstOf(clusters: readonly Cluster[], most: number) {
  let left = most;
  const withRoom = clusters.flatMap((cluster) => {
    const first = cluster.enrolments.slice(0, left);
    left -= first.length;
    return first.length > 0 ? [{ cluster, first }] : [];
  });
  return { clusters: withRoom, more: clusters.length - withRoom.length };
}

function groupsBy<Enrolment>(
  enrolments: readonly Enrolment[],
  keyOf: (enrolment: Enrolment) => string | null,
  words: (key: string) => string,
) {
  const groups = Map.groupBy(enrolments, keyOf);
  return [...groups].flatMap(([key, members]) =>
    key !== null && members.length > 1 ? [{ shared: words(key), members }] : [],
  );
}

function quickRuns<Enrolment extends Compared>(ordered: readonly Enrolment[]): Enrolment[][] {
  const runs: Enrolment[][] = [];
  for (const enrolment of ordered) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && enrolment.placedAt.getTime() - last.placedAt.getTime() <= quickGapMs) run.push(enrolment);
    else runs.push([enrolment]);
  }
  return runs.filter(({ length }) => length >= leastOfQuick);
}

function sumsOf(members: readonly Compared[]): Pick<Cluster, 'seats' | 'owedCents' | 'seatsInDay'> {
  return {
    seats: members.reduce((sum, { seats }) => sum + seats, 0),
    owedCents: members.reduce((sum, { owedCents }) => sum + owedCents, 0),
    seatsInDay: mostInDay(members),
  };
}

/** Members come by the time at which they were placed. */
function mostInDay(members: readonly Compared[]): number {
  let most = 0;
  let seats = 0;
  let next = 0;
  for (const first of members) {
    const end = first.placedAt.getTime() + dayMs;
    for (let one = members[next]; one && one.placedAt.getTime() < end; one = members[++next]) seats += one.seats;
    most = Math.max(most, seats);
    seats -= first.seats;
  }
  return most;
}
