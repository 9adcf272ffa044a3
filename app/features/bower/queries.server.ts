import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { demand, type StaffActor } from '#app/features/people/actor.ts';

/** How a person's bower is shown. */
export type BowerSettings = {
  /** Slug of the course in the avenue; null for the one finished first. */
  avenue: string | null;
  name: string | null;
  slug: string | null;
  /** Why staff took it from public view; null while they did not. */
  hiddenWhy: string | null;
};

/** A person's choices about their bower; all of them empty before the first one. */
export async function readBowerSettings(db: Db, personId: number): Promise<BowerSettings> {
  const row = await db
    .selectFrom('bowers')
    .select(['avenue', 'name', 'slug', 'hidden_why'])
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return {
    avenue: row?.avenue ?? null,
    name: row?.name ?? null,
    slug: row?.slug ?? null,
    hiddenWhy: row?.hidden_why ?? null,
  };
}

export type PublicBower = { personId: number; name: string; slug: string; avenue: string | null };

/** The bower that everybody may see at a name; null when there is none, or when staff took it from public view. */
export async function findPublicBower(db: Db, slug: string): Promise<PublicBower | null> {
  const row = await db
    .selectFrom('bowers')
    .select(['person_id', 'name', 'slug', 'avenue'])
    .where('slug', '=', slug)
    .where('hidden_at', 'is', null)
    .executeTakeFirst();
  if (!row?.name || !row.slug) return null;
  return { personId: row.person_id, name: row.name, slug: row.slug, avenue: row.avenue };
}

/** A bower as staff see it: name and address of what is or was to be shown, and what visitors said. */
export type StaffBower = {
  personId: number;
  name: string | null;
  slug: string | null;
  shownAt: Date | null;
  hiddenWhy: string | null;
  reports: { name: string; reason: string; at: Date }[];
};

/** Bowers that are shown, reported or hidden, those with open reports first, then the latest. */
export async function listBowers(
  db: Db,
  actor: StaffActor,
  { page }: { page: number },
): Promise<{ bowers: StaffBower[]; more: boolean }> {
  demand(actor, 'bowers:read');
  const pageLength = 50;
  const rows = await db
    .selectFrom('bowers')
    .select(['person_id', 'name', 'slug', 'shown_at', 'hidden_why'])
    .select(
      sql<StaffBowerReport[]>`coalesce((
        select jsonb_agg(jsonb_build_object('name', report.name, 'reason', reason, 'at', reported_at) order by report.id)
        from bower_reports report where report.person_id = bowers.person_id and settled_at is null), '[]')`.as('reports'),
    )
    .where((row) =>
      row.or([
        row('shown_at', 'is not', null),
        row('hidden_at', 'is not', null),
        row.exists(
          row
            .selectFrom('bower_reports')
            .select('id')
            .whereRef('bower_reports.person_id', '=', 'bowers.person_id')
            .where('settled_at', 'is', null),
        ),
      ]),
    )
    .orderBy(
      sql`exists (select from bower_reports where bower_reports.person_id = bowers.person_id and settled_at is null)`,
      'desc',
    )
    .orderBy(sql`coalesce(shown_at, hidden_at)`, 'desc')
    .orderBy('person_id', 'desc')
    .offset((page - 1) * pageLength)
    .limit(pageLength + 1)
    .execute();
  const bowers = rows.slice(0, pageLength).map(({ person_id, shown_at, hidden_why, reports, ...row }) => ({
    ...row,
    personId: person_id,
    shownAt: shown_at,
    hiddenWhy: hidden_why,
    reports: reports.map(({ at, ...report }) => ({ ...report, at: new Date(at) })),
  }));
  return { bowers, more: rows.length > pageLength };
}

type StaffBowerReport = { name: string; reason: string; at: string };

/** How many reports wait for staff. */
export async function countBowerReports(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('bower_reports')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('settled_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}
