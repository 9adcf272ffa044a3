import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { BowerFilter } from './staff-list.ts';

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

/** Whether the owner of a bower has not closed the account, in a query of `bowers`. */
export const ownerStays = sql<boolean>`not exists (
  select from account_closures where account_closures.person_id = bowers.person_id and deleted_at is null)`;

export type PublicBower = { personId: number; name: string; slug: string; avenue: string | null };

/**
 * The bower that everybody may see at a name; null when there is none, when staff took it from public view, or when its
 * owner closed the account.
 */
export async function findPublicBower(db: Db, slug: string): Promise<PublicBower | null> {
  const row = await db
    .selectFrom('bowers')
    .select(['person_id', 'name', 'slug', 'avenue'])
    .where('slug', '=', slug)
    .where('hidden_at', 'is', null)
    .where(ownerStays)
    .executeTakeFirst();
  if (!row?.name || !row.slug) return null;
  return { personId: row.person_id, name: row.name, slug: row.slug, avenue: row.avenue };
}

/** A bower as staff see it: its public name and state, and the reports that nobody has settled. */
export type StaffBower = {
  personId: number;
  /** Null while its owner does not show it. */
  name: string | null;
  slug: string | null;
  shownAt: Date | null;
  hiddenWhy: string | null;
  reports: { name: string; reason: string; at: Date }[];
};

const pageLength = 50;

/** One page of the bowers that are shown, reported or hidden: those with open reports first, then the latest. */
export async function listBowers(
  db: Db,
  actor: StaffActor,
  { state, search, page }: BowerFilter,
): Promise<{ bowers: StaffBower[]; more: boolean }> {
  requirePermission(actor, 'bowers:read');
  const found = await staffBowers(db)
    .$if(state === 'reported', (query) => query.where(isReported))
    .$if(state === 'shown', (query) => query.where('shown_at', 'is not', null).where('hidden_at', 'is', null))
    .$if(state === 'hidden', (query) => query.where('hidden_at', 'is not', null))
    .$if(search !== '', (query) => query.where(sql<boolean>`strpos(lower(name), lower(${search})) > 0`))
    .where(sql<boolean>`(shown_at is not null or hidden_at is not null or ${isReported})`)
    .orderBy(isReported, 'desc')
    .orderBy(sql`coalesce(shown_at, hidden_at)`, 'desc')
    .orderBy('person_id', 'desc')
    .offset((page - 1) * pageLength)
    .limit(pageLength + 1)
    .execute();
  return { bowers: found.slice(0, pageLength).map(staffBowerOf), more: found.length > pageLength };
}

/** The bower of a person for staff; null when that person never chose anything about it. */
export async function findStaffBower(db: Db, actor: StaffActor, personId: number): Promise<StaffBower | null> {
  requirePermission(actor, 'bowers:read');
  const row = await staffBowers(db).where('person_id', '=', personId).executeTakeFirst();
  return row ? staffBowerOf(row) : null;
}

const isReported = sql<boolean>`exists (
  select from bower_reports where bower_reports.person_id = bowers.person_id and settled_at is null)`;

const staffBowers = (db: Db) =>
  db
    .selectFrom('bowers')
    .select(['person_id', 'name', 'slug', 'shown_at', 'hidden_why'])
    .select(
      sql<{ name: string; reason: string; at: string }[]>`coalesce((
        select jsonb_agg(jsonb_build_object('name', report.name, 'reason', reason, 'at', reported_at) order by report.id)
        from bower_reports report where report.person_id = bowers.person_id and settled_at is null), '[]')`.as(
        'reports',
      ),
    );

type Row = Awaited<ReturnType<ReturnType<typeof staffBowers>['execute']>>[number];

const staffBowerOf = ({ person_id, shown_at, hidden_why, reports, ...row }: Row): StaffBower => ({
  ...row,
  personId: person_id,
  shownAt: shown_at,
  hiddenWhy: hidden_why,
  reports: reports.map(({ at, ...report }) => ({ ...report, at: new Date(at) })),
});

/** How many bowers have reports that wait for staff. */
export async function countReportedBowers(db: Db, actor: StaffActor): Promise<number> {
  requirePermission(actor, 'bowers:read');
  const { count } = await db
    .selectFrom('bower_reports')
    .select(sql<number>`count(distinct person_id)::integer`.as('count'))
    .where('settled_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}
