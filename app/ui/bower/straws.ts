import { compareText } from '#app/lib/compare-text.ts';
import { seeded } from '#app/ui/seeded.ts';

/** The straws' own space: 640 by 560, with the floor at 481.6. */
export const wallWidth = 640;
const wallHeight = 560;
export const wallFloor = wallHeight * 0.86;

const colours = ['#e8c872', '#d9ae4e', '#f6e6b4', '#a67a2c', '#c79a45', '#7d5a1f', '#e0bb5f'] as const;

/** Up to this many straws one is drawn for each hour; above it one for two hours, and the page says so. */
const mostStraws = 600;

/** How many hours one straw of a bower counts (P63). */
export const hoursPerStraw = (hours: number) => (hours > mostStraws ? 2 : 1);

/**
 * Both walls of a bower: a straw for each whole hour studied, at most 1,200 hours' worth. The first straws are inside,
 * later ones thicken the walls outwards, and the wall has its full breadth at 300. Straws of one colour and thickness
 * share a path, which makes 400 straws about 20 KB. With `falls` the last one falls into its place.
 */
export function straws(hours: number, seed: number, falls = false): string {
  const count = Math.min(mostStraws, Math.floor(hours / hoursPerStraw(hours)));
  const random = seeded(seed);
  const reach = Math.min(1, 0.38 + (0.62 * count) / 300);
  const groups = new Map<string, string[]>();
  const thicknesses = count > 200 ? [1, 1.5, 2.2] : [1.5, 2.1, 2.9];
  for (let at = 0; at < count; at += 1) {
    const far = at % 5 < 2 && count > 20;
    const colour = colours[Math.floor(random() * colours.length)] ?? colours[0];
    const thickness = thicknesses[Math.floor(random() * 3)] ?? 1.5;
    const spread = far ? 0.8 + 0.06 * (at % 3) : 1;
    const d = straw(at % 2 === 0 ? -1 : 1, spreadOut(at >> 1) * reach, spread, random);
    // Far ones sort first and are painted first.
    const last = falls && at === count - 1 ? '|falls' : '';
    const key = `${far ? 0 : 1}|${(far ? thickness * 0.8 : thickness).toFixed(1)}|${colour}${last}`;
    groups.set(key, [...(groups.get(key) ?? []), d]);
  }
  const paths = [...groups]
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, ds]) => {
      const [near, thickness, colour, fall] = key.split('|');
      return `${fall ? falling : ''}<path ${fall ? 'class="falls" ' : ''}d="${ds.join('')}" stroke="${colour}" stroke-opacity="${near === '0' ? 0.4 : 0.92}" stroke-width="${thickness}"/>`;
    });
  return `<g fill="none" stroke-linecap="round">${count < 60 ? outline() : ''}${paths.join('')}</g>`;
}

const falling =
  '<style>.falls{animation:falls 1.4s .6s cubic-bezier(.3,0,.3,1) both}@keyframes falls{from{transform:translate(60px,-520px) rotate(14deg);opacity:0}40%,80%{opacity:1;stroke-opacity:1}}</style>';

/** The outline of the walls to come, in dots: shown while a bower has fewer than 60 straws. */
function outline(): string {
  const random = seeded(7);
  const ds = Array.from({ length: 11 }, (_, at) => [-1, 1].map((side) => straw(side, at / 10, 1, random)).join(''));
  return `<path d="${ds.join('')}" stroke="#e8c872" stroke-opacity=".5" stroke-width="2" stroke-dasharray="1 8"/>`;
}

/**
 * One straw: planted on the floor, bellied outwards, leaning in to cross the other wall at the top. `t` runs outwards,
 * 0 to 1.
 */
function straw(side: number, t: number, spread: number, random: () => number): string {
  const wobble = (range: number) => (random() - 0.5) * range;
  const x = (part: number) => (wallWidth / 2 + side * part * spread).toFixed(0);
  const foot = wallWidth * (0.13 + 0.27 * t) + wobble(12);
  const top = wallHeight * (0.1 + 0.26 * t) + wobble(wallHeight * 0.1);
  const tip = wallWidth * (0.22 * t - 0.075) + wobble(34);
  const belly = foot + wallWidth * 0.06 + random() * 26;
  const shoulder = tip + wallWidth * 0.085 * (1 - t) + random() * 20;
  const [low, high] = [wallFloor - (wallFloor - top) * 0.42, top + (wallFloor - top) * 0.22];
  return `M${x(foot)} ${(wallFloor + wobble(16)).toFixed(0)}C${x(belly)} ${low.toFixed(0)} ${x(shoulder)} ${high.toFixed(0)} ${x(tip)} ${top.toFixed(0)}`;
}

/**
 * The van der Corput row in base 2: each next place lies in the widest gap, so that few straws already look like a
 * wall.
 */
function spreadOut(index: number): number {
  let [value, part] = [0, 1];
  for (let rest = index + 1; rest > 0; rest >>= 1) {
    part *= 2;
    value += (rest % 2) / part;
  }
  return value;
}
