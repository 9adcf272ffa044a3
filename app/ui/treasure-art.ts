import { hex } from './course-art.ts';
import { strokesOf } from './icon-drawings.ts';
import type { IconName } from './icons.ts';
import { seeded, seedOf } from './seeded.ts';

/** How a treasure is divided, like a coat of arms. */
export const splits = ['plain', 'pale', 'bend', 'chevron', 'bars', 'quarter', 'saltire', 'pile'] as const;
export type Split = (typeof splits)[number];

const parts: Record<Split, string> = {
  plain: '',
  pale: 'M24-2h28v54H24Z',
  bend: 'M-4 52 52-4v56Z',
  chevron: 'M-2 40 24 20l26 20v12H-2Z',
  bars: 'M-2 15h52v7H-2ZM-2 29h52v7H-2Z',
  quarter: 'M24-2h28v26H24ZM-2 24h26v28H-2Z',
  saltire: 'M-4-4 24 24-4 52ZM52-4 24 24l28 28Z',
  pile: 'M2-4h44L24 44Z',
};

/** The edge of a treasure, by the tier of its course (P7). */
const metals = { bronze: '#d79a66', silver: '#d5dce6', gold: '#efcf7e', diamond: '#9be7ff' } as const;

/** One path of a treasure on the grid of 48; `inside` ones are seen within its body only. */
type TreasureShape = {
  d: string;
  fill?: string;
  fillOpacity?: number;
  stroke?: string;
  strokeWidth?: number;
  inside?: true;
};

/** A treasure: its shapes from the bottom up, and the outline of its body, to which those inside are cut. */
export type Treasure = { body: string; shapes: readonly TreasureShape[] };

type Wanted = { icon: IconName; tier: keyof typeof metals; split: Split; seed: string };

/** The treasure of a finished course: the category's shape in two blues, edged in the metal of its tier (P63). */
export function treasureOf({ icon, tier, split, seed }: Wanted): Treasure {
  const { deep, lit } = coloursOf(seed);
  const edge = metals[tier];
  const strokes = strokesOf(icon);
  const body = strokes.flatMap(({ d, as }) => (as === 'body' ? d : [])).join('');
  const bars = strokes.filter(({ as }) => as === 'bar');
  const shapes: TreasureShape[] = [
    ...bars.flatMap(({ d }) => [
      { d, stroke: edge, strokeWidth: 6.4 },
      { d, stroke: deep, strokeWidth: 3.8 },
    ]),
    { d: body, fill: deep },
    ...(parts[split] ? [{ d: parts[split], fill: lit, inside: true as const }] : []),
    { d: 'M-4-4h40C20 6 8 18-4 34Z', fill: '#ffffff', fillOpacity: 0.17, inside: true },
    { d: 'M52 20v32H8c20-4 36-14 44-32Z', fill: '#050220', fillOpacity: 0.22, inside: true },
    { d: body, stroke: edge, strokeWidth: 1.9 },
    ...strokes.flatMap(({ d, as }): TreasureShape[] => {
      if (as === 'hole') return [{ d, fill: dark, stroke: edge, strokeWidth: 1 }];
      return as === 'line' ? [{ d, stroke: dark, strokeWidth: 3 }] : [];
    }),
  ];
  return { body, shapes };
}

/** The place of a past or coming treasure: the dotted outline of its shape. */
export const hollowOf = (icon: IconName): readonly string[] =>
  strokesOf(icon).flatMap(({ d, as }) => (as === 'body' || as === 'bar' ? d : []));

/** The split that a course's treasure has unless another of the same shape and metal has it already. */
export const splitOf = (seed: string): Split => {
  const random = seeded(seedOf(seed));
  // The colours come first, as in `treasureOf`.
  random();
  random();
  return splits[Math.floor(random() * splits.length)] ?? 'plain';
};

/** The next split in order; after the last one the first. */
export const nextSplit = (split: Split): Split => splits[(splits.indexOf(split) + 1) % splits.length] ?? 'plain';

/** Two blues between the hues of 194 and 248. */
function coloursOf(seed: string): { deep: string; lit: string } {
  const random = seeded(seedOf(seed));
  const hue = 194 + random() * 54;
  return { deep: hex(hue, 0.8, hue < 210 ? 0.42 : 0.54), lit: hex(hue + (random() - 0.5) * 20, 0.95, 0.74) };
}

const dark = '#0d0828';
