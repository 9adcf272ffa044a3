import { iconMarkup } from './icon-drawings.ts';
import type { IconName } from './icons.ts';
import { seeded } from './seeded.ts';

const [width, height] = [640, 560];
const floor = height * 0.86;
const straws = ['#e8c872', '#d9ae4e', '#f2dda0', '#b98a35', '#c79a45'] as const;

/** The treasures before the bower: icon, place, size, turn and colour. The middle is free for the slide's own. */
const iconsOnTheFloor: [IconName, number, number, number, number, string][] = [
  ['eye', 92, 484, 0.95, -8, '#4f7bff'],
  ['chip', 168, 508, 1.1, -22, '#7d6bff'],
  ['shield', 248, 476, 1.5, -14, '#3e6bff'],
  ['key', 404, 482, 1.4, 16, '#8fb0ff'],
  ['cloud', 486, 512, 1.2, 8, '#5a8bff'],
  ['flag', 556, 474, 1, 14, '#9f8bff'],
];

/**
 * The bower of the hero as a whole SVG file: two walls of arched straw seen end-on, the far layer fainter, and blue
 * treasures on the floor before it. The same on every call. One that builds itself draws its straws in two seconds.
 */
export function bowerArt(how?: 'builds'): string {
  const icons = iconsOnTheFloor.map((item) => treasureOnTheFloor(item));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    '<defs><radialGradient id="g" cx=".5" cy=".6" r=".5"><stop offset="0" stop-color="#4f7bff" stop-opacity=".78"/>',
    '<stop offset=".5" stop-color="#3b49d8" stop-opacity=".26"/><stop offset="1" stop-color="#1a1440" stop-opacity="0"/>',
    `</radialGradient></defs><path fill="url(#g)" d="M0 0h${width}v${height}H0z"/>`,
    how ? building() : '',
    `<g fill="none" stroke-linecap="round">${bowerStraws().map(strawMarkup).join('')}</g>`,
    ...icons,
    '</svg>',
  ].join('');
}

/** Styles by which each straw grows from the floor, and the treasures come last. */
function building(): string {
  const turns = 9;
  const delays = Array.from({ length: turns }, (_, at) => {
    return `path:nth-child(${turns}n+${at + 1}){animation-delay:${((at * 4) % turns) * 0.12}s}`;
  });
  const straw = '@keyframes s{from{stroke-dasharray:0 700;opacity:0}8%{opacity:1}to{stroke-dasharray:700 0}}';
  const rules = ['g[fill=none] path{animation:s 1s ease-out both}', ...delays.map((rule) => `g[fill=none] ${rule}`)];
  return `<style>${straw}@keyframes t{from{opacity:0}}${rules.join('')}g[transform]{animation:t .5s 1.5s both}</style>`;
}

/** The straws of both walls, the far layer first, in a space of 640 by 560. The same on every call. */
function bowerStraws(): Straw[] {
  const random = seeded(11);
  const wall = (count: number, look: Wall) =>
    [-1, 1].flatMap((side) => Array.from({ length: count }, (_, at) => straw(side, at / (count - 1), look, random)));
  return [
    ...wall(22, { spread: 0.82, opacity: 0.35, thickness: 2.2 }),
    ...wall(40, { spread: 1, opacity: 0.9, thickness: 2.6 }),
  ];
}

function treasureOnTheFloor([name, x, y, size, turn, colour]: (typeof iconsOnTheFloor)[number]): string {
  const place = `translate(${x} ${y}) rotate(${turn}) scale(${size}) translate(-24 -24)`;
  return `<g transform="${place}">${iconMarkup(name, { body: colour, ink: '#0f0a2c' })}</g>`;
}

/**
 * One wall of the bower alone, with three treasures at its foot: a quiet piece for the heads of inner pages. A whole SVG
 * file on a clear ground, the same on every call.
 */
export function wallArt(): string {
  const random = seeded(29);
  const layer = (count: number, look: Wall) =>
    Array.from({ length: count }, (_, at) => strawMarkup(straw(1, at / (count - 1), look, random))).join('');
  const [left, top, visible] = [width / 2 - 20, 40, width / 2 + 20];
  const icons = iconsOnTheFloor.slice(3).map((item) => treasureOnTheFloor(item));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} ${top} ${visible} ${height - top}" width="${visible}" height="${height - top}">`,
    `<g fill="none" stroke-linecap="round">${layer(12, { spread: 0.82, opacity: 0.3, thickness: 2.2 })}`,
    `${layer(22, { spread: 1, opacity: 0.75, thickness: 2.6 })}</g>`,
    ...icons,
    '</svg>',
  ].join('');
}

type Straw = { d: string; colour: string; opacity: number; thickness: string };

const strawMarkup = ({ d, colour, opacity, thickness }: Straw) =>
  `<path d="${d}" stroke="${colour}" stroke-opacity="${opacity}" stroke-width="${thickness}"/>`;

type Wall = { spread: number; opacity: number; thickness: number };

/** One straw: planted on the floor, bellied outwards, leaning in to cross at the top. `t` runs outwards. */
function straw(side: number, t: number, { spread, opacity, thickness }: Wall, random: () => number): Straw {
  const wobble = (range: number) => (random() - 0.5) * range;
  const x = (part: number) => (width / 2 + side * part * spread).toFixed(0);
  const foot = width * (0.13 + 0.27 * t) + wobble(12);
  const top = height * (0.1 + 0.26 * t) + wobble(height * 0.1);
  const tip = width * (0.22 * t - 0.075) + wobble(34);
  const belly = foot + width * 0.06 + random() * 26;
  const shoulder = tip + width * 0.085 * (1 - t) + random() * 20;
  const [low, high] = [floor - (floor - top) * 0.42, top + (floor - top) * 0.22];
  const d = `M${x(foot)} ${(floor + wobble(16)).toFixed(0)}C${x(belly)} ${low.toFixed(0)} ${x(shoulder)} ${high.toFixed(0)} ${x(tip)} ${top.toFixed(0)}`;
  const colour = straws[Math.floor(random() * straws.length)] ?? straws[0];
  return { d, colour, opacity, thickness: (thickness * (0.6 + random() * 0.9)).toFixed(1) };
}
