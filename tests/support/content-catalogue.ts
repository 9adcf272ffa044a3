import { assembleCatalogue } from '#app/features/catalogue/assemble.ts';
import type { Catalogue } from '#app/features/catalogue/catalogue.ts';
import { readAcademy } from './academy.ts';

/** The catalogue as content/ has it, made without a database: what searches look through is complete, prices are bare. */
export async function readContentCatalogue(): Promise<Catalogue> {
  const content = await readAcademy();
  const ids = new Map(content.courses.map(({ slug }, at) => [slug, at + 1]));
  const rows = content.courses.map((course) => ({
    ...course,
    id: ids.get(course.slug) ?? 0,
    categorySlug: course.category,
    priceId: 1,
    originalProof: null,
    priceSince: '2025-09-08',
    rating: course.rating ?? null,
    priceCents: course.price * 100,
    originalPriceCents: null,
    guided: course.guided === true,
    publishedOn: course.published,
    instructorSlug: course.instructor,
    examCodes: course.exams ?? [],
    trackSlugs: course.tracks,
    aliases: course.aliases ?? [],
    needs: [],
    leadsTo: [],
    changedAt: new Date('2025-09-08T00:00:00Z'),
    revision: 1,
  }));
  const categories = content.categories.map((category) => ({
    slug: category.slug,
    name: category.name,
    icon: category.icon,
    inFilter: category.filter === true,
    retired: false,
  }));
  const certificationGroups = content.certifications.map(({ certifications, ...group }) => ({
    ...group,
    certifications: certifications.map((certification) => ({
      ...certification,
      passRateSource: null,
      courseId: ids.get(certification.course) ?? 0,
    })),
  }));
  const { tracks, exams, synonyms, site } = content;
  return assembleCatalogue(rows, {
    categories,
    site,
    tracks,
    instructors: [],
    certificationGroups,
    questLines: [],
    exams,
    synonyms,
  });
}
