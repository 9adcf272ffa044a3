import type { CrossFault } from '#app/features/content/faults.ts';
import type { Content } from '#app/features/content/schema.ts';

/** Synonyms that lead nowhere: search looks for the words they mean in titles and descriptions of courses (P8). */
export function synonymFaults({ synonyms, courses }: Content): CrossFault[] {
  const texts = courses.map(({ title, description }) => `${title}\n${description}`.toLowerCase());
  return synonyms.flatMap(({ typed, means }, at) =>
    means.flatMap((text, inner): CrossFault[] => {
      const path = [at, 'means', inner];
      const meant = text.toLowerCase();
      if (meant === typed) return [{ file: { name: 'synonyms' }, path, message: 'is what was typed' }];
      if (texts.some((one) => one.includes(meant))) return [];
      return [{ file: { name: 'synonyms' }, path, message: `no course has "${text}" in its title or description` }];
    }),
  );
}
