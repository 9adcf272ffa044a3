import { compareText } from '#app/lib/compare-text.ts';
import type { Drawing } from '#app/ui/course-art.ts';
import { type IconName, isIconName } from '#app/ui/icons.ts';
import type { Catalogue, ListedCourse } from './catalogue.ts';
import type { Tier } from './rules.ts';

/** The tiers' colours of brand.md, for drawings in files of their own. */
const gemsOf: Record<Tier, { gems: number; gemColour: string }> = {
  bronze: { gems: 1, gemColour: '#c98b57' },
  silver: { gems: 2, gemColour: '#c9d1dc' },
  gold: { gems: 3, gemColour: '#e8c872' },
  diamond: { gems: 4, gemColour: '#9be7ff' },
};

const known = (icon: string): IconName => (isIconName(icon) ? icon : 'shield');

/** The facts of a course's drawing: category, tracks, level and hours, and its slug as the seed for the rest. */
export function courseDrawing({ card, trackSlugs }: ListedCourse, { tracks }: Pick<Catalogue, 'tracks'>): Drawing {
  const icon = known(card.icon);
  const ofTracks = tracks.filter(({ slug }) => trackSlugs.includes(slug)).map((track) => known(track.icon));
  return {
    seed: card.slug,
    icon,
    beside: [...new Set(ofTracks)].filter((name) => name !== icon),
    ...gemsOf[card.tier],
    straws: Math.round(Math.min(22, Math.max(8, 5 + card.hours / 7))),
  };
}

/** The drawing of a course that is no longer offered: only its slug is known. */
export function formerDrawing(slug: string): Drawing {
  return { seed: slug, icon: 'gem', beside: [], straws: 14, ...gemsOf.bronze, gems: 0 };
}

/** The treasure of an instructor's field: the icon most of their courses have, of equals the first by name. */
export function instructorIcon(slug: string, { courses }: Pick<Catalogue, 'courses'>): IconName {
  const counts = new Map<IconName, number>();
  for (const { instructorSlug, card } of courses) {
    if (instructorSlug !== slug) continue;
    const icon = known(card.icon);
    counts.set(icon, (counts.get(icon) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([a, countA], [b, countB]) => countB - countA || compareText(a, b));
  return most?.[0] ?? 'compass';
}
