import { hex } from '#app/ui/course-art.ts';
import { drawingOf } from '#app/ui/icon-drawings.ts';
import type { IconName } from '#app/ui/icons.ts';
import { seeded, seedOf } from '#app/ui/seeded.ts';

/** How a treasure is divided into two blues, in the words of heraldry. Stored with a certificate: the order may grow, never change. */
export const splits = ['plain', 'pale', 'bend', 'chevron', 'bars', 'quarter', 'saltire', 'pile'] as const;
export type Split = (typeof splits)[number];

/** A finished course as a thing: its category's shape, its level's metal, and two blues of its own, divided like a coat of arms. */
export type Treasure = {
  icon: IconName;
  /** The level's colour, six hex digits after `#`. */
  metal: string;
  /** Degrees, 194 to 248: from teal to the edge of violet. */
  hue: number;
  split: Split;
};

/** What is drawn over the ground of a treasure, on the grid of 48. */
const divisions: Record<Split, string> = {
  plain: '',
  pale: 'M24-2h28v54H24Z',
  bend: 'M-4 52 52-4v56Z',
  chevron: 'M-2 40 24 20l26 20v12H-2Z',
  bars: 'M-2 15h52v7H-2ZM-2 29h52v7H-2Z',
  quarter: 'M24-2h28v26H24ZM-2 24h26v28H-2Z',
  saltire: 'M-4-4 24 24-4 52ZM52-4 24 24l28 28Z',
  pile: 'M2-4h44L24 44Z',
};

const ink = '#0d0828';

/**
 * The treasure of a course (P63): hue and division follow from its slug. Where a treasure of the same shape and metal
 * already has that division, it gets the next free one, so that no two of one bower are alike while there are eight or fewer.
 */
export function treasureOf(
  course: { slug: string; icon: IconName; metal: string },
  others: readonly Treasure[] = [],
): Treasure {
  const random = seeded(seedOf(course.slug));
  const hue = Math.round(194 + random() * 54);
  const first = Math.floor(random() * splits.length);
  const taken = new Set(
    others.filter(({ icon, metal }) => icon === course.icon && metal === course.metal).map(({ split }) => split),
  );
  const inTurn = splits.map((_, at) => splits[(first + at) % splits.length] ?? 'plain');
  const split = inTurn.find((one) => !taken.has(one)) ?? inTurn[0] ?? 'plain';
  return { icon: course.icon, metal: course.metal, hue, split };
}

/** SVG markup on the grid of 48. `id` is unique in its file: a clip path carries it. */
export function treasureMarkup({ icon, metal, hue, split }: Treasure, id: string): string {
  const deep = hex(hue, 0.8, hue < 210 ? 0.42 : 0.54);
  const lit = hex(hue + (hue < 221 ? -8 : 8), 0.95, 0.74);
  const parts = drawingOf(icon);
  const of = (as: string) => parts.filter((part) => part.as === as).map(({ d }) => d);
  const body = of('body').join('');
  const round = 'stroke-linecap="round" stroke-linejoin="round"';
  return [
    ...of('bar').map(
      (d) =>
        `<g fill="none" ${round}><path d="${d}" stroke="${metal}" stroke-width="6.4"/><path d="${d}" stroke="${deep}" stroke-width="3.8"/></g>`,
    ),
    `<clipPath id="${id}"><path d="${body}"/></clipPath><path d="${body}" fill="${deep}"/><g clip-path="url(#${id})">`,
    divisions[split] && `<path d="${divisions[split]}" fill="${lit}"/>`,
    // Light falls from the upper left; the lower right lies in shade.
    '<path d="M-4-4h40C20 6 8 18-4 34Z" fill="#fff" fill-opacity=".17"/><path d="M52 20v32H8c20-4 36-14 44-32Z" fill="#050220" fill-opacity=".22"/></g>',
    `<path d="${body}" fill="none" stroke="${metal}" stroke-width="1.9" stroke-linejoin="round"/>`,
    ...of('hole').map((d) => `<path d="${d}" fill="${ink}" stroke="${metal}" stroke-opacity=".8"/>`),
    ...of('line').map((d) => `<path d="${d}" fill="none" stroke="${ink}" stroke-width="3" ${round}/>`),
    icon === 'eye' && `<circle cx="26" cy="22" r="1.8" fill="${hex(hue, 1, 0.88)}"/>`,
  ]
    .filter(Boolean)
    .join('');
}

/** The place that waits for a treasure: its outline in dots, on the grid of 48. */
export function hollowMarkup(icon: IconName): string {
  const dotted = 'stroke="#8fb0ff" stroke-width="1.4" stroke-dasharray="2.4 2.8"';
  return drawingOf(icon)
    .map(({ d, as }) => {
      if (as === 'body') return `<path d="${d}" fill="#8fb0ff" fill-opacity=".07" stroke-opacity=".5" ${dotted}/>`;
      return as === 'bar' ? `<path d="${d}" fill="none" stroke-opacity=".4" ${dotted}/>` : '';
    })
    .join('');
}

/** One treasure as a whole SVG file, for lists beside a bower and for certificates. */
export function treasureFile(treasure: Treasure): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 52 52" width="52" height="52">${treasureMarkup(treasure, 't')}</svg>`;
}
