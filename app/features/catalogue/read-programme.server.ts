import type { Db } from '../../db/client.server.ts';
import { documentNames } from '../content/plan.ts';
import { type Content, contentFiles } from '../content/schema.ts';
import type {
  Certification,
  CertificationGroup,
  Combo,
  Instructor,
  ListedCourse,
  Promotion,
  Site,
  TrainingSession,
} from './snapshot.ts';

type BySlug = ReadonlyMap<string, ListedCourse>;

type Documents = Pick<Content, (typeof documentNames)[number]>;

/** The content that is kept whole. Throws when one is missing or has another shape. */
export async function readDocuments(trx: Db): Promise<Documents> {
  const rows = await trx.selectFrom('site_documents').selectAll().execute();
  const bodies = new Map(rows.map(({ name, body }) => [name, body]));
  const entries = documentNames.map((name) => [name, contentFiles[name].schema.parse(bodies.get(name))]);
  return Object.fromEntries(entries) as Documents;
}

/** Certifications of courses that are offered, in their groups. */
export async function readCertificationGroups(trx: Db, bySlug: BySlug): Promise<CertificationGroup[]> {
  const groups = await trx
    .selectFrom('certification_groups')
    .select(['slug', 'title', 'description'])
    .where('retired_at', 'is', null)
    .orderBy('position')
    .execute();
  const rows = await trx
    .selectFrom('certifications')
    .selectAll()
    .where('retired_at', 'is', null)
    .orderBy('position')
    .execute();
  return groups.map((group) => ({
    ...group,
    certifications: rows
      .filter((row) => row.group_slug === group.slug)
      .flatMap((row): Certification[] => {
        const course = bySlug.get(row.course_slug);
        if (!course) return [];
        const { slug, name, provider, description, overview, domains, suits } = row;
        return [
          {
            ...{ slug, name, provider, description, overview, domains, suits },
            exam: row.exam as Certification['exam'],
            passRate: row.pass_rate,
            jobRoles: row.job_roles,
            course: course.card,
          },
        ];
      }),
  }));
}

/** Training sessions of courses that are offered, by start. */
export async function readSessions(
  trx: Db,
  bySlug: BySlug,
  instructors: ReadonlyMap<string, Instructor>,
): Promise<TrainingSession[]> {
  const rows = await trx
    .selectFrom('training_sessions')
    .selectAll()
    .where('retired_at', 'is', null)
    .orderBy('starts_on')
    .orderBy('slug')
    .execute();
  return rows.flatMap((row): TrainingSession[] => {
    const course = bySlug.get(row.course_slug);
    if (!course) return [];
    return [
      {
        slug: row.slug,
        course: course.card,
        startDate: row.starts_on,
        endDate: row.ends_on,
        startTime: row.starts_at.slice(0, 5),
        endTime: row.ends_at.slice(0, 5),
        zone: row.zone,
        mode: row.mode,
        instructor: instructors.get(row.instructor_slug)?.name ?? row.instructor_slug,
        seatsAvailable: row.capacity,
      },
    ];
  });
}

/** Combos whose courses are all offered. */
export function combosOf(combos: Content['combos'], bySlug: BySlug): Combo[] {
  return combos.flatMap(({ courses, ...combo }): Combo[] => {
    const cards = courses.flatMap((slug) => bySlug.get(slug)?.card ?? []);
    return cards.length === courses.length ? [{ ...combo, courses: cards }] : [];
  });
}

/** The promotion ends a fixed time after the first import (P16). */
export function promotionOf({ subject, lasts }: Content['promotion'], firstImportedAt: Date): Promotion {
  const seconds = ((lasts.days * 24 + lasts.hours) * 60 + lasts.minutes) * 60 + lasts.seconds;
  return { subject, endsAt: new Date(firstImportedAt.getTime() + seconds * 1000).toISOString() };
}

const socialNames = {
  linkedin: 'LinkedIn',
  youtube: 'YouTube',
  facebook: 'Facebook',
  instagram: 'Instagram',
  x: 'X',
} as const;

export function siteOf({ name, email, phone, address, copyrightYear, social }: Content['site']): Site {
  const links = Object.entries(socialNames).flatMap(([key, label]) => {
    const url = social[key as keyof typeof socialNames];
    return url ? [{ name: label, url }] : [];
  });
  return { name, email, phone, ...address, copyrightYear, social: links };
}
