import type { Content } from '#app/features/content/schema.ts';
import type { Day } from '#app/lib/dates.ts';

/**
 * Content whose texts were in force on a day: the demonstration begins months ago, and nobody agreed then to a text that
 * is younger.
 */
export const inForceOn =
  (day: Day) =>
  (content: Content): Content => ({
    ...content,
    pages: content.pages.map(({ earlier, ...page }) => {
      const before = earlier?.filter(({ inForceFrom }) => inForceFrom < day) ?? [];
      const dated = page.inForceFrom !== undefined && page.inForceFrom > day ? { ...page, inForceFrom: day } : page;
      return before.length > 0 ? { ...dated, earlier: before } : dated;
    }),
  });
