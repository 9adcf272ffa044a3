import { type IconName, iconNames } from './icons.ts';

/** The blue treasures of the bower, drawn on a grid of 48: one for each family of categories (brand.md). */

type Stroke = { d: string; as: 'body' | 'line' | 'bar' | 'hole' };

const disc = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

const drawings = {
  shield: [
    { d: 'M24 5 40 11v12c0 10-7 17-16 20C15 40 8 33 8 23V11Z', as: 'body' },
    { d: 'm17 24 5 5 9-10', as: 'line' },
  ],
  eye: [
    { d: 'M4 24s7-13 20-13 20 13 20 13-7 13-20 13S4 24 4 24Z', as: 'body' },
    { d: disc(24, 24, 6), as: 'hole' },
  ],
  cloud: [{ d: 'M14 38a9 9 0 0 1-1-18 12 12 0 0 1 23-1 9.5 9.5 0 0 1 0 19Z', as: 'body' }],
  key: [
    { d: disc(16, 17, 9), as: 'body' },
    { d: 'm22 23 18 18m-7-7 5-5m-10 0 4-4', as: 'bar' },
    { d: disc(16, 17, 3), as: 'hole' },
  ],
  lock: [
    { d: 'M15 22v-7a9 9 0 0 1 18 0v7', as: 'bar' },
    { d: 'M14 21h20a5 5 0 0 1 5 5v11a5 5 0 0 1-5 5H14a5 5 0 0 1-5-5V26a5 5 0 0 1 5-5Z', as: 'body' },
    { d: disc(24, 31, 3), as: 'hole' },
  ],
  chip: [
    { d: 'M18 12V6m6 6V6m6 6V6M18 42v-6m6 6v-6m6 6v-6M12 18H6m6 6H6m6 6H6m36-12h-6m6 6h-6m6 6h-6', as: 'bar' },
    { d: 'M16 12h16a4 4 0 0 1 4 4v16a4 4 0 0 1-4 4H16a4 4 0 0 1-4-4V16a4 4 0 0 1 4-4Z', as: 'body' },
    { d: 'M21 19h6a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2h-6a2 2 0 0 1-2-2v-6a2 2 0 0 1 2-2Z', as: 'hole' },
  ],
  flag: [
    { d: 'M12 6v37', as: 'bar' },
    { d: 'M14 8c8-5 14 4 23 0v18c-9 4-15-5-23 0Z', as: 'body' },
  ],
  gem: [
    { d: 'M14 8h20l9 12-19 22L5 20Z', as: 'body' },
    { d: 'M6 20h36M18 20l6 20 6-20-6-11Z', as: 'line' },
  ],
  scroll: [
    { d: 'M10 7h22a5 5 0 0 1 5 5v24a6 6 0 0 1-6 6H17a6 6 0 0 1-6-6V14H9a3.5 3.5 0 0 1 1-7Z', as: 'body' },
    { d: 'M18 17h12M18 24h12M18 31h7', as: 'line' },
  ],
  compass: [
    { d: disc(24, 24, 18), as: 'body' },
    { d: 'm33 15-5.5 12.5L15 33l5.5-12.5Z', as: 'hole' },
  ],
  magnifier: [
    { d: 'm31 31 11 11', as: 'bar' },
    { d: disc(21, 21, 14), as: 'body' },
    { d: 'M13 21a8 8 0 0 1 8-8', as: 'line' },
  ],
  terminal: [
    { d: 'M10 8h28a5 5 0 0 1 5 5v22a5 5 0 0 1-5 5H10a5 5 0 0 1-5-5V13a5 5 0 0 1 5-5Z', as: 'body' },
    { d: 'm13 18 7 6-7 6M24 31h11', as: 'line' },
  ],
  network: [
    { d: 'M24 12 11 36m13-24 13 24M11 36h26', as: 'bar' },
    { d: disc(24, 12, 7) + disc(11, 36, 6.5) + disc(37, 36, 6.5), as: 'body' },
  ],
  crown: [
    { d: 'M8 35 4 13l11 8 9-14 9 14 11-8-4 22Z', as: 'body' },
    { d: 'M10 41h28', as: 'bar' },
  ],
} as const satisfies Record<IconName, readonly Stroke[]>;

/** The paths of one icon. */
export const strokesOf = (name: IconName): readonly Stroke[] => drawings[name];

/** SVG markup of one icon, for an `<svg>` or `<g>` of the 48 grid. Colours are CSS colours. */
export function iconMarkup(name: IconName, colours: { body: string; ink: string }): string {
  return drawings[name]
    .map(({ d, as }) => {
      if (as === 'body') return `<path d="${d}" fill="${colours.body}"/>`;
      if (as === 'hole') return `<path d="${d}" fill="${colours.ink}"/>`;
      const [stroke, width] = as === 'bar' ? [colours.body, 5] : [colours.ink, 3];
      return `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
    })
    .join('');
}

/** All icons as one picture for `<use>`; `--icon-ink` is the colour inside a body. */
export function iconSheet(): string {
  const colours = { body: 'currentColor', ink: 'var(--icon-ink)' };
  const symbols = iconNames.map(
    (name) => `<symbol id="${name}" viewBox="0 0 48 48">${iconMarkup(name, colours)}</symbol>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>`;
}
