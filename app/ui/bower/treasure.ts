import type { IconName } from '#app/ui/icons.ts';
import { hollowOf, type Split, splits, treasureOf } from '#app/ui/treasure-art.ts';

/** A finished course as a thing on the floor of a bower. The seed, the course's slug, decides its two blues. */
export type Treasure = Parameters<typeof treasureOf>[0];

/** The first treasure's division that no other of the same shape and tier in the bower has; its own where all are taken. */
export function apart(treasure: Treasure, others: readonly Treasure[]): Treasure {
  const same = others.filter(({ icon, tier }) => icon === treasure.icon && tier === treasure.tier);
  const taken = new Set<Split>(same.map(({ split }) => split));
  const first = splits.indexOf(treasure.split);
  const inTurn = splits.map((_, at) => splits[(first + at) % splits.length] ?? treasure.split);
  return { ...treasure, split: inTurn.find((split) => !taken.has(split)) ?? treasure.split };
}

/** SVG markup on the grid of 48. `id` is unique in its file: the outline that cuts what lies inside carries it. */
export function treasureMarkup(treasure: Treasure, id: string): string {
  const { body, shapes } = treasureOf(treasure);
  const paths = shapes.map(({ d, fill = 'none', fillOpacity, stroke, strokeWidth, inside }) => {
    const filled = fillOpacity === undefined ? '' : ` fill-opacity="${fillOpacity}"`;
    const edged = stroke ? ` stroke="${stroke}" stroke-width="${strokeWidth}"` : '';
    return `<path d="${d}" fill="${fill}"${filled}${edged}${inside ? ` clip-path="url(#${id})"` : ''}/>`;
  });
  return `<clipPath id="${id}"><path d="${body}"/></clipPath><g stroke-linecap="round" stroke-linejoin="round">${paths.join('')}</g>`;
}

/** The place that waits for a treasure: its outline in dots, on the grid of 48. */
export function hollowMarkup(icon: IconName): string {
  const look =
    'fill="#8fb0ff" fill-opacity=".07" stroke="#8fb0ff" stroke-opacity=".5" stroke-width="1.4" stroke-dasharray="2.4 2.8"';
  return hollowOf(icon)
    .map((d) => `<path d="${d}" ${look}/>`)
    .join('');
}
