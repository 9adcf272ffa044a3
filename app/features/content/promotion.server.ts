import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { formatDay } from '#app/lib/dates.ts';
import { dayMs } from '#app/lib/durations.ts';
import { type Cents, centsFromDollars } from '#app/lib/money.ts';
import { lastInstant } from '#app/lib/short-dates.ts';
import { readDocuments } from './read-documents.server.ts';
import { type RecordChange, type RecordedContent, renamedBy } from './records.ts';

/** The latest promotion of combos and its end; the first one ends a fixed time after the database was filled (P16). */
export async function readLatestPromotion(trx: Db): Promise<{ subject: string; endsAt: Date }> {
  const latest = await trx
    .selectFrom('promotions')
    .select(['subject', 'ends_at as endsAt'])
    .orderBy('starts_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (latest) return latest;
  const { promotion } = await readDocuments(trx, ['promotion']);
  const { made_at: startsAt } = await trx
    .selectFrom('content_revisions')
    .innerJoin('content_records', 'content_records.id', 'record_id')
    .select('made_at')
    .where('kind', '=', 'promotion')
    .where('number', '=', 1)
    .executeTakeFirstOrThrow();
  const { days, hours, minutes, seconds } = promotion.lasts;
  const lastsMs = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
  return { subject: promotion.subject, endsAt: new Date(startsAt.getTime() + lastsMs) };
}

/** The prices of the last four weeks count as the ones that a saving is measured against (P47). */
export const fourWeeksMs = 28 * dayMs;

/**
 * The changes that a running promotion of combos forbids (P47), in whatever way they are made. A combo states its
 * saving against the prices of its courses. So the price of a course in a combo does not rise, and a combo gets no
 * course that cost less within the last four weeks.
 */
export async function promotionFaults(
  trx: Db,
  { changes, content, now }: { changes: readonly RecordChange[]; content: RecordedContent; now: Date },
): Promise<string[]> {
  const touched = changes.some((change) => change.now && (change.kind === 'course' || change.kind === 'combo'));
  if (!touched || content.combos.length === 0) return [];
  const before = await readCoursesBefore(trx, new Date(now.getTime() - fourWeeksMs));
  const { endsAt } = await readLatestPromotion(trx);
  if (endsAt <= now) return [];
  const renamed = renamedBy(changes);
  const keyOf = (kind: string, slug: string) =>
    renamed.find((one) => one.kind === kind && one.to === slug)?.key ?? slug;
  const priceOf = new Map(content.courses.map(({ slug, price }) => [slug, centsFromDollars(price)]));
  return content.combos.flatMap(({ slug: combo, courses }) =>
    courses.flatMap((course) => {
      const known = before.get(keyOf('course', course));
      const price = priceOf.get(course) ?? 0;
      if (!known || known.lowest === null || known.lowest >= price) return [];
      const isNew = !known.combos.includes(keyOf('combo', combo));
      if (!isNew && price <= known.price) return [];
      const until = formatDay(academyDay(lastInstant(endsAt)));
      return [
        `combo ${combo}: it is on promotion until ${until}, and ${course} cost less within the last four weeks, so the saving would be too high`,
      ];
    }),
  );
}

type Before = { slug: string; price: Cents; lowest: Cents | null; combos: string[] };

/** The courses as they are: the price, the lowest one since a moment, and the combos on offer that have it. */
async function readCoursesBefore(trx: Db, since: Date): Promise<Map<string, Before>> {
  const { rows } = await sql<Before>`
    select slug, price_cents as price,
      (select min(amount_cents) from prices where course_id = courses.id and coalesce(until_at, 'infinity') > ${since}) as lowest,
      array(select combos.slug from combo_courses join combos on combos.id = combo_id
        where course_id = courses.id and combos.retired_at is null) as combos
    from courses`.execute(trx);
  return new Map(rows.map((row) => [row.slug, row]));
}
