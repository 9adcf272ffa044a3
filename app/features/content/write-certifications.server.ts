import type { Db } from '#app/db/client.server.ts';
import type { ToWrite } from './plan.ts';
import type { Content } from './schema.ts';
import { type Ids, idOf } from './write-aliases.server.ts';
import { upsert } from './write-rows.server.ts';

/** Certifications and their groups. */
export async function writeCertifications(trx: Db, content: Content, toWrite: ToWrite, courseIds: Ids): Promise<void> {
  await upsert(
    trx,
    'certification_groups',
    'slug',
    toWrite('certification group', content.certifications).map(({ item: { slug, title, description }, position }) => ({
      slug,
      title,
      description,
      position,
      retired_at: null,
    })),
  );
  const certifications = content.certifications.flatMap((group) =>
    group.certifications.map((certification, position) => ({ ...certification, group: group.slug, position })),
  );
  await upsert(
    trx,
    'certifications',
    'slug',
    toWrite('certification', certifications).map(({ item }) => ({
      slug: item.slug,
      group_slug: item.group,
      course_id: idOf(courseIds, item.course),
      name: item.name,
      provider: item.provider,
      description: item.description,
      pass_rate: item.passRate,
      pass_rate_source: item.passRateSource ?? null,
      job_roles: item.jobRoles,
      overview: item.overview,
      exam: JSON.stringify(item.exam),
      domains: item.domains,
      suits: item.suits,
      position: item.position,
      retired_at: null,
    })),
  );
}
