import type { RecordKind } from './records.ts';
import { fieldsChanged } from './records.ts';
import type { Content } from './schema.ts';

export type SessionContent = Content['trainingSessions'][number];

/** A training session that the academy has or had. */
export type KnownSession = { session: SessionContent; now: 'held' | 'cancelled' | 'retired' };

/** Training sessions that an import leaves as they are. */
export type SessionsLeft = {
  /** Those that the files have otherwise; `fields` says in what, and is empty where `now` is not `held`. */
  differing: { kind: RecordKind; key: string; now: KnownSession['now']; fields: string[] }[];
  /** How many that are not over stand in no file. */
  elsewhere: number;
};

/** Set by staff when they know it, mostly later than the files were written. */
const setByStaff: readonly string[] = ['room', 'street', 'joiningLink'];

/**
 * Files make a training session once (P46): of those in the files the ones to make, which no present or former slug is
 * known of; and the others where they differ from what the academy has, which only staff change. `courseOf` makes one of
 * all slugs that a course has or had.
 */
export function sessionsToMake(
  files: readonly SessionContent[],
  known: readonly KnownSession[],
  courseOf: (slug: string) => string,
): { fresh: SessionContent[]; differing: SessionsLeft['differing'] } {
  const byName = new Map(known.flatMap((one) => namesOf(one.session).map((name) => [name, one])));
  const fresh: SessionContent[] = [];
  const differing: SessionsLeft['differing'] = [];
  for (const session of files) {
    const one = namesOf(session)
      .map((name) => byName.get(name))
      .find((found) => found !== undefined);
    if (!one) {
      fresh.push(session);
      continue;
    }
    const record = { kind: 'training session', key: one.session.slug, now: one.now } as const;
    if (one.now !== 'held') {
      differing.push({ ...record, fields: [] });
      continue;
    }
    const fields = fieldsChanged(
      { ...one.session, course: courseOf(one.session.course) },
      { ...session, course: courseOf(session.course) },
    ).filter((field) => field in session || !setByStaff.includes(field));
    if (fields.length > 0) differing.push({ ...record, fields });
  }
  return { fresh, differing };
}

function namesOf({ slug, aliases = [] }: SessionContent): string[] {
  return [slug, ...aliases];
}
