import type { IconName } from '#app/ui/icons.ts';
import { seeded, seedOf } from '#app/ui/seeded.ts';
import { birdMarkup } from './bird.ts';
import { type CrownPoint, crownMarkup } from './crown.ts';
import { straws, wallFloor, wallWidth } from './straws.ts';
import { hollowMarkup, type Treasure, treasureMarkup } from './treasure.ts';

/** The facts of a bower, all from records (P63). The same facts give the same drawing. */
export type BowerFacts = {
  /** The id of the owner, the seed for the position of the straws. */
  seed: string;
  /** Hours studied. */
  hours: number;
  /** Finished courses; the first is in the avenue. At most 41 are drawn. */
  treasures: readonly Treasure[];
  /** Courses under way, as empty places. */
  coming: readonly IconName[];
  crown: readonly CrownPoint[];
  /** The object in the bird's beak. */
  carries: Treasure | 'straw' | null;
};

/** `wide` is 1440 by 864, `tall` 375 by 470; `door` and `band` are beside and above the login. */
export type BowerFrame = 'wide' | 'tall' | 'door' | 'band';

type Layout = {
  size: readonly [number, number];
  /** The middle of the bower, its floor, and its size. */
  middle: number;
  floor: number;
  scale: number;
  /** The area of the treasures: middle, first row, half the breadth of the widest row, and depth. */
  court: { middle: number; top: number; reach: number; depth: number; item: number };
  bird: { x: number; y: number; size: number };
};

const layouts: Record<BowerFrame, Layout> = {
  wide: {
    size: [1440, 864],
    middle: 720,
    floor: 637,
    scale: 1,
    court: { middle: 700, top: 672, reach: 330, depth: 138, item: 1.5 },
    bird: { x: 1180, y: 740, size: 1.14 },
  },
  tall: {
    size: [375, 470],
    middle: 187,
    floor: 300,
    scale: 0.53,
    court: { middle: 126, top: 322, reach: 112, depth: 112, item: 0.84 },
    bird: { x: 300, y: 436, size: 0.56 },
  },
  door: {
    size: [720, 740],
    middle: 326,
    floor: 566,
    scale: 1,
    court: { middle: 330, top: 576, reach: 250, depth: 130, item: 1 },
    bird: { x: 560, y: 668, size: 0.98 },
  },
  band: {
    size: [375, 196],
    middle: 161,
    floor: 178,
    scale: 0.38,
    court: { middle: 188, top: 180, reach: 150, depth: 14, item: 0.6 },
    bird: { x: 284, y: 186, size: 0.46 },
  },
};

/** As many treasures as fit before the avenue. The page's list names all of them. */
const mostOnTheCourt = 40;

/**
 * A bower as a whole SVG file, 5 to 60 KB: two walls of straw, treasures before them, the crown above and the bird
 * beside it. Pages show it as a picture whose alternative says the same in words.
 */
export function bowerScene(facts: BowerFacts, frame: BowerFrame): string {
  const layout = layouts[frame];
  const { size, middle, floor, scale } = layout;
  const [width, height] = size;
  const [left, top] = [middle - (wallWidth / 2) * scale, floor - wallFloor * scale];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    light(layout, facts.hours > 0),
    litter(layout, facts),
    facts.crown.length > 0
      ? `<g transform="translate(${middle} ${(top + 112 * scale).toFixed(0)}) scale(${(scale * 1.12).toFixed(2)})">${crownMarkup(facts.crown)}</g>`
      : '',
    `<g transform="translate(${left.toFixed(1)} ${top.toFixed(1)}) scale(${scale})">${straws(facts.hours, seedOf(facts.seed))}</g>`,
    avenue(layout, facts),
    court(layout, facts),
    birdAt(layout, facts.carries),
    '</svg>',
  ].join('');
}

/** An empty bower with its bird, for the login: at its side where there is room, else above it. */
export const doorScene = (frame: 'door' | 'band'): string =>
  bowerScene({ seed: 'the login', hours: 150, treasures: [], coming: [], crown: [], carries: 'straw' }, frame);

/** The glow in the avenue and on the floor; fainter while nothing was studied. */
function light({ size: [width, height], middle, floor, scale, court }: Layout, lit: boolean): string {
  const stops = (inner: number, outer: string) =>
    `<stop offset="0" stop-color="${inner ? '#4f7bff' : '#6a86ff'}" stop-opacity="${outer}"/><stop offset=".5" stop-color="#3b49d8" stop-opacity="${lit ? 0.24 : 0.14}"/><stop offset="1" stop-color="#1a1440" stop-opacity="0"/>`;
  const [x, y] = [middle, floor + court.depth * 0.75];
  return [
    `<defs><radialGradient id="air" gradientUnits="userSpaceOnUse" cx="${middle}" cy="${floor - 150 * scale}" r="${360 * scale}">${stops(1, lit ? '.78' : '.36')}</radialGradient>`,
    `<radialGradient id="soil" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="1" gradientTransform="translate(${x} ${y.toFixed(0)}) scale(${(court.reach * 1.75).toFixed(0)} ${((height - y) * 0.98).toFixed(0)})">${stops(0, lit ? '.5' : '.26')}</radialGradient></defs>`,
    `<path fill="url(#air)" d="M0 0h${width}v${height}H0z"/><path fill="url(#soil)" d="M0 0h${width}v${height}H0z"/>`,
  ].join('');
}

/** Short straws on the floor; their number grows with what was built. */
function litter({ middle, court, scale }: Layout, { hours, seed }: BowerFacts): string {
  const random = seeded(seedOf(`${seed} floor`));
  const ds = ['', ''];
  for (let at = 0; at < Math.min(110, hours * 0.4); at += 1) {
    const [angle, far] = [random() * Math.PI * 2, Math.sqrt(random())];
    const x = middle + Math.cos(angle) * far * court.reach * 1.4;
    const y = court.top + court.depth * 0.35 + Math.sin(angle) * far * court.depth * 0.72;
    const [long, turn] = [(9 + random() * 20) * Math.max(0.6, scale), (random() - 0.5) * 1.1];
    ds[at % 2] +=
      `M${x.toFixed(0)} ${y.toFixed(0)}l${(Math.cos(turn) * long).toFixed(0)} ${(Math.sin(turn) * long * 0.35).toFixed(0)}`;
  }
  if (!ds[0]) return '';
  return `<g fill="none" stroke-linecap="round" stroke-width="1.5"><path d="${ds[0]}" stroke="#b98a35" stroke-opacity=".5"/><path d="${ds[1]}" stroke="#e8c872" stroke-opacity=".4"/></g>`;
}

/** The object in the avenue: the first treasure, in its own light, or the first empty place. */
function avenue({ middle, floor, scale }: Layout, { treasures: [first], coming: [next] }: BowerFacts): string {
  if (!first && !next) return '';
  const place = `translate(${middle} ${(floor - 104 * scale).toFixed(0)}) rotate(-4) scale(${(2 * scale).toFixed(2)}) translate(-24 -24)`;
  if (!first) return next ? `<g transform="${place}">${hollowMarkup(next)}</g>` : '';
  const halo =
    '<circle cx="24" cy="24" r="40" fill="#8fb0ff" opacity=".1"/><circle cx="24" cy="24" r="31" fill="#a9c2ff" opacity=".12"/>';
  return `<g transform="${place}">${halo}${treasureMarkup(first, 't')}</g>`;
}

/** The treasures before the avenue, the farthest painted first. */
function court({ court: { middle, top, reach, depth, item } }: Layout, facts: BowerFacts): string {
  const got = facts.treasures.slice(1).map((treasure, at) => ({ treasure, icon: treasure.icon, at }));
  const waiting = (facts.treasures.length > 0 ? facts.coming : facts.coming.slice(1)).map((icon, at) => ({
    treasure: null,
    icon,
    at: got.length + at,
  }));
  const lying = [...got, ...waiting].slice(0, mostOnTheCourt);
  const rows = rowsFor(lying.length);
  const places = rows.flatMap((count, row) => {
    const far = rows.length === 1 ? 0.35 : row / (rows.length - 1);
    const breadth = reach * (0.86 + 0.14 * far) * Math.min(1, 0.35 + count / 6);
    return Array.from({ length: count }, (_, at) => {
      const random = seeded(seedOf(`place ${row} ${at}`));
      // Rows are staggered, and nothing lies quite in line.
      const shift = row % 2 === 0 ? -0.5 : 0.5;
      const step = count === 1 ? 0 : (2 * breadth) / count;
      const across = (at - (count - 1) / 2 + shift * 0.4 + (random() - 0.5) * 0.36) * step;
      const lift = (across / reach) ** 2 * depth * 0.2;
      return { x: middle + across, y: top + depth * (far + 0.1) - lift + (random() - 0.5) * depth * 0.13, far };
    });
  });
  const size = item * Math.min(1, 3.4 / Math.sqrt(lying.length));
  return lying
    .map(({ treasure, icon, at }) => {
      const { x, y, far } = places[at] ?? { x: middle, y: top, far: 0 };
      const scale = size * (0.88 + 0.2 * far);
      const turn = (seeded(at * 97 + 3)() - 0.5) * 26;
      const shadow = `<ellipse cx="${x.toFixed(0)}" cy="${(y + 21 * scale).toFixed(0)}" rx="${(19 * scale).toFixed(0)}" ry="${(4.6 * scale).toFixed(1)}" ${treasure ? 'fill="#050220" opacity=".6"' : 'fill="none" stroke="#8fb0ff" stroke-opacity=".35" stroke-dasharray="3 4"'}/>`;
      const thing = treasure ? treasureMarkup(treasure, `t${at}`) : hollowMarkup(icon);
      return `${shadow}<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn.toFixed(0)}) scale(${scale.toFixed(2)}) translate(-24 -24)">${thing}</g>`;
    })
    .join('');
}

/** How many lie in each row, the farthest first: rows grow towards the viewer. */
function rowsFor(count: number): number[] {
  const rows = count <= 3 ? 1 : count <= 7 ? 2 : count <= 15 ? 3 : 4;
  const weight = (row: number) => 1 + 0.2 * row;
  let [left, weights] = [count, Array.from({ length: rows }, (_, row) => weight(row)).reduce((a, b) => a + b, 0)];
  return Array.from({ length: count > 0 ? rows : 0 }, (_, row) => {
    const share = Math.round((left * weight(row)) / weights);
    left -= share;
    weights -= weight(row);
    return share;
  });
}

function birdAt({ bird: { x, y, size } }: Layout, carries: BowerFacts['carries']): string {
  const carried = carries === null || carries === 'straw' ? carries : treasureMarkup(carries, 'beak');
  // It looks at the bower, to the left.
  return `<ellipse cx="${x}" cy="${y + 2}" rx="${(60 * size).toFixed(0)}" ry="${(9 * size).toFixed(0)}" fill="#050220" opacity=".55"/><g transform="translate(${x} ${y}) scale(${-size} ${size}) translate(-102 -160)">${birdMarkup(carried, 'bird')}</g>`;
}
