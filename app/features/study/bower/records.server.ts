import type { Db, Trx } from '#app/db/client.server.ts';
import { tierOf } from '#app/features/catalogue/rules.ts';
import { setAvenue } from '#app/features/people/players.server.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { earnedOnPlaces } from '#app/features/study/certificates/queries.server.ts';
import { type BowerRecord, bowerRecords } from '#app/features/study/completion.server.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import type { Day } from '#app/lib/dates.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import type { BowerCourse, BowerRecords } from './facts.ts';

/** A treasure with the certificate that proves it. */
type BowerTreasure = BowerCourse & { number: string; issuedAt: Date };

/** The facts of a bower and the records of its places. */
export type ReadBower = Omit<BowerRecords, 'finished'> & {
  finished: readonly BowerTreasure[];
  places: readonly BowerRecord[];
};

/**
 * The facts for a person's bower (P63): the minutes studied in all of their places, and their courses. A course
 * finished twice is one treasure, with the certificate issued first. The course that its owner chose for the avenue
 * comes first.
 */
export async function readBower(
  db: Db,
  personId: number,
  { bySlug, aliases }: Pick<Snapshot, 'bySlug' | 'aliases'>,
): Promise<ReadBower> {
  const player = await db.selectFrom('players').select('avenue').where('person_id', '=', personId).executeTakeFirst();
  const places = await bowerRecords(db, personId);
  const certificates = await earnedOnPlaces(
    db,
    places.map(({ placeId }) => placeId),
  );

  const nowCalled = (slug: string) => aliases.get(slug) ?? slug;
  const avenue = player?.avenue && nowCalled(player.avenue);
  const finished = new Map<string, BowerTreasure>();
  for (const { facts, number, issuedAt } of certificates) {
    const slug = nowCalled(facts.course.slug);
    if (finished.has(slug)) continue;
    const { icon, tier, split } = facts.treasure;
    finished.set(slug, { slug, title: facts.course.title, icon, tier, split, number, issuedAt });
  }
  const running = places.filter(({ state, courseSlug }) => state === 'running' && !finished.has(nowCalled(courseSlug)));
  // A course that was begun is in the bird's beak rather than one that waits for its first day.
  running.sort((a, b) => Number(b.minutesAttended > 0) - Number(a.minutesAttended > 0));
  const underWay = new Map(
    running.map(({ courseSlug, courseTitle, level }): [string, BowerCourse] => {
      const slug = nowCalled(courseSlug);
      return [
        slug,
        { slug, title: courseTitle, icon: bySlug.get(slug)?.card.icon ?? 'gem', tier: tierOf[level], split: null },
      ];
    }),
  );
  return {
    minutes: places.reduce((sum, { minutesAttended }) => sum + minutesAttended, 0),
    finished: [...finished.values()].sort((a, b) => Number(b.slug === avenue) - Number(a.slug === avenue)),
    underWay: [...underWay.values()],
    places,
  };
}

/** Whether a day that a person attended was marked on a day in Brisbane. */
export async function wasMarkedOn(db: Db, personId: number, day: Day): Promise<boolean> {
  const mark = await db
    .selectFrom('attendance_marks as mark')
    .innerJoin('places', 'places.id', 'place_id')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .select('mark.id')
    .where('attendees.person_id', '=', personId)
    .where('mark', '=', 'present')
    .where('received_at', '>=', instantOf(day, '00:00', academyZone))
    .limit(1)
    .executeTakeFirst();
  return mark !== undefined;
}

/** Puts a treasure into the middle of a player's bower (P63). A course that is not among their treasures changes nothing. */
export async function chooseAvenue(trx: Trx, personId: number, slug: string): Promise<void> {
  await setAvenue(trx, personId, slug);
}
