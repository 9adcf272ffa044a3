import type { Db } from '#app/db/client.server.ts';
import { certificatesOfPlaces } from '#app/features/certificates/queries.server.ts';
import { readStudies } from '#app/features/progress/study.server.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { tierOf } from '#app/features/catalogue/rules.ts';
import type { BowerCourse, BowerRecords } from './facts.ts';

/** A treasure's record: the certificate that proves it. */
export type BowerTreasure = BowerCourse & { number: string; issuedAt: Date };

/** The certificate's public page is linked only where its holder lets others see name and bower (P65). */
export type ReadBower = BowerRecords & { finished: readonly BowerTreasure[] };

/**
 * What a person's bower is made of (P63): the minutes studied in all of their places, and their courses. A course finished
 * twice is one treasure, of the certificate issued first. `avenue` is the course that its owner put first.
 */
export async function readBower(
  db: Db,
  personId: number,
  { bySlug, aliases }: Pick<Snapshot, 'bySlug' | 'aliases'>,
  avenue: string | null,
): Promise<ReadBower> {
  const places = await db
    .selectFrom('places')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['places.id', 'places.state', 'courses.slug'])
    .where('attendees.person_id', '=', personId)
    .orderBy('places.id')
    .execute();
  const ids = places.map(({ id }) => id);
  const studies = await readStudies(db, ids);
  const certificates = [...(await certificatesOfPlaces(db, ids)).values()]
    .flat()
    .filter(({ state }) => state === 'issued')
    .sort((a, b) => a.issuedAt.getTime() - b.issuedAt.getTime() || a.id - b.id);

  const nowCalled = (slug: string) => aliases.get(slug) ?? slug;
  const finished = new Map<string, BowerTreasure>();
  for (const { facts, number, issuedAt } of certificates) {
    const slug = nowCalled(facts.course.slug);
    if (finished.has(slug)) continue;
    const { icon, tier, split } = facts.treasure;
    finished.set(slug, { slug, title: facts.course.title, icon, tier, split, number, issuedAt });
  }
  const minutesOf = new Map(studies.map(({ placeId, minutesAttended }) => [placeId, minutesAttended]));
  const underWay = new Map<string, BowerCourse & { minutes: number }>();
  for (const { id, slug: sold, state } of places) {
    const slug = nowCalled(sold);
    const listed = bySlug.get(slug);
    if (state === 'cancelled' || finished.has(slug) || !listed) continue;
    const { title, icon, level } = listed.card;
    underWay.set(slug, { slug, title, icon, tier: tierOf[level], split: null, minutes: minutesOf.get(id) ?? 0 });
  }
  return {
    minutes: [...minutesOf.values()].reduce((sum, one) => sum + one, 0),
    finished: [...finished.values()].sort((a, b) => Number(b.slug === avenue) - Number(a.slug === avenue)),
    // The one that was studied is under way rather than the one that waits for its first day.
    underWay: [...underWay.values()].sort((a, b) => Number(b.minutes > 0) - Number(a.minutes > 0)),
  };
}
