import type { CrossFault, ReadableContent } from './faults.ts';

/** Pages that people agree to or rely on: it must be plain which text applied on a day. */
export const versionedPages: readonly string[] = ['terms', 'privacy'];

/** Faults of the versions of pages: a missing day, and earlier texts that do not go back in time. */
export function pageVersionFaults({ pages = [] }: ReadableContent): CrossFault[] {
  return pages.flatMap(({ slug, inForceFrom, earlier = [] }, at): CrossFault[] => {
    const fault = (path: PropertyKey[], message: string): CrossFault => ({
      file: { name: 'pages' },
      path: [at, ...path],
      message,
    });
    if (inForceFrom === undefined) {
      const needed = versionedPages.includes(slug) || earlier.length > 0;
      return needed ? [fault(['inForceFrom'], 'is missing: people must be able to see which text applies')] : [];
    }
    const days = [inForceFrom, ...earlier.map((version) => version.inForceFrom)];
    return days.slice(1).flatMap((day, before) => {
      if (day < (days[before] ?? '')) return [];
      return [fault(['earlier', before, 'inForceFrom'], 'does not lie before the version above it')];
    });
  });
}
