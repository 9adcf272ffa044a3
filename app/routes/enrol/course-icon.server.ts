import { courseDrawing, formerDrawing } from '#app/features/catalogue/drawings.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import type { IconName } from '#app/ui/icons.ts';

/** The treasure of a course by its slug, also of one that is no longer offered. */
export function iconOf(snapshot: Snapshot, slug: string): IconName {
  const course = snapshot.bySlug.get(snapshot.aliases.get(slug) ?? slug);
  return (course ? courseDrawing(course, snapshot) : formerDrawing(slug)).icon;
}
