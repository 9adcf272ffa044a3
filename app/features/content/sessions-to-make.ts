import type { RecordKind } from './records.ts';
import { fieldsChanged } from './records.ts';
import type { Content } from './schema.ts';

export type SessionContent = Content['trainingSessions'][number];

/** A training session that the academy has or had. */
export type KnownSession = { session: SessionContent; now: 'held' | 'cancelled' | 'retired' };

/** Training sessions that an import leaves as they are. */
export type SessionsLeft = {
  /** Sessions that differ from the files; `fields` names the differences, and is empty unless `now` is `held`. */
  differing: { kind: RecordKind; key: string; now: KnownSession['now']; fields: string[] }[];
  /** The number of sessions still to come that no file has. */
  elsewhere: number;
};

/** Set by staff when they know it, mostly later than the files were written. */
const setByStaff: readonly string[] = ['room', 'street', 'joiningLink'];

/**
 * Files make a training session once (P46). `fresh` are those to make: no known session has or had their slug.
 * `differing` are known sessions that differ from the files; only staff change those. `courseOf` maps every present and
 * former slug of a course to one.
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
