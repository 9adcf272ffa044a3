import type { IconName } from '#app/ui/icons.ts';
import { seeded, seedOf } from '#app/ui/seeded.ts';
import { straws, wallFloor, wallWidth } from './straws.ts';
import { hollowMarkup, type Treasure, treasureMarkup } from './treasure.ts';

const upperBeak = '<path d="M163 41c9-2 21 2 30 11-8 2-18 3-27 3Z" fill="#e6e3c4"/>';

/**
 * The satin bowerbird, looking right, on a grid of 210 by 170 with its feet at 102,160. `carried` is markup on the grid
 * of 48 that lies in its beak; `'straw'` is a straw.
 */
function birdMarkup(carried: string | 'straw' | null, id: string): string {
  const barbs = Array.from({ length: 7 }, (_, at) => {
    return `M${112 - at * 8} ${84 + at * 3}q-10 ${11 - at}-24 ${(17 - at * 1.4).toFixed(1)}`;
  }).join('');
  return [
    `<linearGradient id="${id}" x1=".7" y1="0" x2=".35" y2="1"><stop offset="0" stop-color="#5b74ff"/><stop offset=".38" stop-color="#2f3aa6"/><stop offset="1" stop-color="#120b3a"/></linearGradient>`,
    // Legs, tail, body with light along the back, wing, brow.
    '<path d="M94 128l-3 30m0 0-13 3m13-3 4 5m-4-5 12 2M112 126l3 32m0 0-12 3m12-3 5 5m-5-5 12 1" fill="none" stroke="#b9a57a" stroke-width="3.6" stroke-linecap="round" stroke-linejoin="round"/>',
    '<path d="M72 100C50 106 26 116 6 130c-2 5 0 10 4 12 22 0 40-6 60-12Z" fill="#1b1556"/><path d="M8 132c20-8 40-16 58-20M12 140c20-4 38-10 54-16" stroke="#4a5fe0" stroke-width="1.4" fill="none" opacity=".7"/>',
    `<path d="M168 50c-3-20-20-31-38-29-18 2-30 14-38 28-10 16-30 34-44 62-3 8 0 18 10 22 28 10 62 6 84-16 14-14 24-34 27-52Z" fill="url(#${id})"/>`,
    '<path d="M168 50c-3-20-20-31-38-29-18 2-30 14-38 28-10 16-30 34-44 62" fill="none" stroke="#9db4ff" stroke-width="2" stroke-linecap="round" opacity=".85"/>',
    '<path d="M116 74C92 74 66 92 40 124c34 6 66-2 82-24 8-12 5-24-6-26Z" fill="#2836a8"/>',
    `<path d="${barbs}" stroke="#7f9bff" stroke-width="1.6" stroke-linecap="round" fill="none" opacity=".75"/>`,
    '<path d="M122 28c10-5 24-3 32 6" stroke="#cdd9ff" stroke-width="2" stroke-linecap="round" fill="none" opacity=".55"/>',
    upperBeak,
    '<path d="M165 56c9 1 18 0 25-2-5 6-15 9-24 9Z" fill="#c3c19c"/><path d="M160 41c3-1 6-1 8 1l-1 17c-3 1-6 1-8-1 2-5 2-12 1-17Z" fill="#26248a"/>',
    '<circle cx="148" cy="45" r="8.2" fill="#7a4dff" stroke="#c9b5ff" stroke-width="1.6"/><circle cx="149" cy="45" r="4.2" fill="#0b0622"/><circle cx="151" cy="42.6" r="1.6" fill="#fff"/>',
    carried === 'straw' &&
      `<path d="M158 63C182 57 218 46 258 27" stroke="#e8c872" stroke-width="3.4" stroke-linecap="round" fill="none"/>${upperBeak}`,
    carried !== null &&
      carried !== 'straw' &&
      `<g transform="translate(200 68) rotate(12) scale(1.15) translate(-24 -24)">${carried}</g>${upperBeak}`,
  ]
    .filter(Boolean)
    .join('');
}

/** A quest line as a point of the crown: a stone for each course, and how many of them are finished. */
type CrownPoint = { courses: number; finished: number };

const radius = 112;
/** The extent of the crown, in degrees. */
const span = 138;
const flat = 0.74;

/**
 * The crown over the arch (P63), round 0,0: a point for every quest line. A line not begun is a dotted outline, a begun
 * one fills up stone by stone from below, a finished one is whole and carries a gem.
 */
function crownMarkup(points: readonly CrownPoint[]): string {
  const any = points.some(({ finished }) => finished > 0);
  const band = any
    ? `<g fill="none"><path d="${arc(radius - 5)}" stroke="#e8c872" stroke-width="2.6"/><path d="${arc(radius - 10)}" stroke="#b98a35" stroke-width="1.6"/></g>`
    : `<path d="${arc(radius - 5)}" fill="none" stroke="#8fb0ff" stroke-opacity=".3" stroke-width="1.4" stroke-dasharray="2 5"/>`;
  return `<g>${band}${points.map((point, at) => placed(point, at, points.length)).join('')}</g>`;
}

function placed(point: CrownPoint, at: number, count: number): string {
  const middle = (count - 1) / 2;
  const degrees = count === 1 ? -90 : -90 - span / 2 + (span * at) / (count - 1);
  const height = 30 + 20 * (count === 1 ? 1 : 1 - Math.abs(at - middle) / middle);
  const angle = (degrees * Math.PI) / 180;
  const place = `translate(${(Math.cos(angle) * radius).toFixed(1)} ${(Math.sin(angle) * radius * flat).toFixed(1)})`;
  return `<g transform="${place} rotate(${((degrees + 90) * 0.62).toFixed(1)})">${pointMarkup(point, height)}</g>`;
}

function pointMarkup({ courses, finished }: CrownPoint, height: number): string {
  if (finished === 0) {
    return `<path d="M-9.5 0L0 -${height.toFixed(1)}L9.5 0" fill="#8fb0ff" fill-opacity=".05" stroke="#8fb0ff" stroke-opacity=".5" stroke-width="1.2" stroke-dasharray="1.5 3.5" stroke-linecap="round" stroke-linejoin="round"/>`;
  }
  const whole = finished >= courses;
  const halfWidth = (part: number) => 9.5 * (1 - part) + 1;
  const stones = Array.from({ length: courses }, (_, stone) => {
    const [from, to] = [stone / courses, (stone + 1) / courses];
    const [low, high] = [-from * height - 0.45, -to * height + 0.45].map((y) => y.toFixed(1));
    const [wide, narrow] = [halfWidth(from), halfWidth(to)].map((x) => x.toFixed(1));
    const d = `M-${wide} ${low}L-${narrow} ${high}H${narrow}L${wide} ${low}Z`;
    if (stone >= finished)
      return `<path d="${d}" fill="#8fb0ff" fill-opacity=".05" stroke="#8fb0ff" stroke-opacity=".8"/>`;
    return whole ? `<path d="${d}" fill="#efcf7e"/>` : `<path d="${d}" fill="#e8c872" fill-opacity=".82"/>`;
  });
  const gem = whole
    ? `<g transform="translate(0 ${(-height - 9).toFixed(1)})"><path d="M0-8 7 0 0 9-7 0Z" fill="#7fa2ff"/><path d="M0-8 7 0H-7Z" fill="#c4d4ff"/></g>`
    : '';
  return stones.join('') + gem;
}

function arc(r: number): string {
  const end = (degrees: number) => {
    const angle = (degrees * Math.PI) / 180;
    return `${(Math.cos(angle) * r).toFixed(1)} ${(Math.sin(angle) * r * flat).toFixed(1)}`;
  };
  return `M${end(-90 - span / 2 - 5)}A${r} ${(r * flat).toFixed(1)} 0 0 1 ${end(-90 + span / 2 + 5)}`;
}

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
  /** Whether the newest straw falls into its place: a day was marked today. */
  falls?: boolean;
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
    `<g transform="translate(${left.toFixed(1)} ${top.toFixed(1)}) scale(${scale})">${straws(facts.hours, seedOf(facts.seed), facts.falls)}</g>`,
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
