import { iconMarkup } from './icon-drawings.ts';
import type { IconName } from './icons.ts';
import { seeded, seedOf } from './seeded.ts';

/** The facts of a drawing; the same facts give the same drawing. */
export type Drawing = {
  /** Decides everything that the other facts leave open. */
  seed: string;
  icon: IconName;
  /** Smaller treasures on the floor, two at most. */
  beside: readonly IconName[];
  /** Gems along the edge, one to four, and their colour as six hex digits after `#`. */
  gems: number;
  gemColour: string;
  /** Straws in each wall, 8 to 22. */
  straws: number;
};

/** Hue of each family's ground, in degrees: from teal through blue to plum, as brand.md has it. */
const hues: Record<IconName, number> = {
  chip: 187,
  compass: 176,
  cloud: 203,
  key: 212,
  network: 199,
  gem: 220,
  magnifier: 226,
  shield: 232,
  terminal: 240,
  lock: 246,
  eye: 256,
  scroll: 266,
  flag: 277,
  crown: 290,
};
const hueRange = 30;

const [width, height] = [400, 225];
const arrangements = ['avenue', 'leaning', 'fan', 'ring'] as const;

/**
 * A whole SVG file, 16 by 9, of 2 to 5 KB: a bower's straws, a disc of light, the main treasure near the middle, so
 * that a square cut from it still shows it, and lesser ones on the floor.
 */
export function courseArt({ seed, icon, beside, gems, gemColour, straws }: Drawing): string {
  const random = seeded(seedOf(seed));
  const wobble = (range: number) => (random() - 0.5) * range;
  const hue = hues[icon] + wobble(hueRange);
  // Teal looks brighter than violet of the same lightness.
  const ground = hex(hue, 0.52 + random() * 0.12, (hue < 205 ? 0.14 : 0.19) + random() * 0.06);
  const light = hex(hue + wobble(30), 0.9, 0.68);
  const arrangement = arrangements[Math.floor(random() * arrangements.length)] ?? 'avenue';
  const side = random() < 0.5 ? -1 : 1;
  const x = Math.round(200 + side * random() * 26);
  const y = Math.round(arrangement === 'fan' ? 104 + wobble(10) : 126 + wobble(12));
  const radius = Math.round(70 + random() * 24);
  const scale = (2 + random() * 0.35).toFixed(2);
  const companions = beside.slice(0, 2).map((name, at) => {
    const place = side * (at === 0 ? -1 : 1);
    const left = Math.round(200 + place * (112 + random() * 36));
    const size = (0.85 + random() * 0.35).toFixed(2);
    const body = at === 0 ? hex(hue - 18, 0.95, 0.76) : hex(hue + 34, 0.85, 0.78);
    return treasure(name, left, Math.round(178 + wobble(14)), wobble(44), size, { body, ink: ground });
  });
  const row = Array.from({ length: gems }, (_, at) => gem(200 + (at - (gems - 1) / 2) * 17, 211, gemColour));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<defs><radialGradient id="g" cx="${(x / width).toFixed(2)}" cy=".6" r=".62"><stop offset="0" stop-color="${light}" stop-opacity=".6"/>`,
    `<stop offset=".5" stop-color="${light}" stop-opacity=".2"/><stop offset="1" stop-color="${light}" stop-opacity="0"/>`,
    `</radialGradient></defs><path fill="${ground}" d="M0 0h${width}v${height}H0z"/>`,
    `<path fill="url(#g)" d="M0 0h${width}v${height}H0z"/>`,
    `<g fill="${light}" stroke="${light}">${lightAround(x, y, radius, random)}</g>`,
    `<g fill="none" stroke="#e8c872" stroke-linecap="round">${strawsOf(arrangement, straws, side, random)}</g>`,
    ...companions,
    ...row,
    treasure(icon, x, y, wobble(24), scale, { body: '#f7f3e6', ink: ground }),
    '</svg>',
  ].join('');
}

/** The light behind the main treasure: a disc, a disc with a ring, or rings alone. */
function lightAround(x: number, y: number, radius: number, random: () => number): string {
  const kind = Math.floor(random() * 3);
  const circle = (r: number, rest: string) => `<circle cx="${x}" cy="${y}" r="${r}" ${rest}/>`;
  const ring = (r: number, opacity: number) => circle(r, `fill="none" stroke-width="2" opacity="${opacity}"`);
  if (kind === 0) return circle(radius, 'stroke="none" opacity=".3"');
  if (kind === 1) return circle(radius - 14, 'stroke="none" opacity=".32"') + ring(radius, 0.5);
  return ring(radius - 16, 0.6) + ring(radius, 0.4) + ring(radius + 16, 0.25);
}

function treasure(
  name: IconName,
  x: number,
  y: number,
  turn: number,
  scale: string,
  colours: { body: string; ink: string },
) {
  const place = `translate(${x} ${y}) rotate(${turn.toFixed(0)}) scale(${scale}) translate(-24 -24)`;
  return `<g transform="${place}">${iconMarkup(name, colours)}</g>`;
}

const gem = (x: number, y: number, colour: string) => `<path d="M${x - 6} ${y - 2}l3-4h6l3 4-6 8Z" fill="${colour}"/>`;

function strawsOf(arrangement: (typeof arrangements)[number], count: number, side: number, random: () => number) {
  const straws: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const t = count === 1 ? 0 : at / (count - 1);
    if (arrangement === 'avenue') straws.push(arch(-1, t, 0, random), arch(1, t, 0, random));
    else if (arrangement === 'leaning') straws.push(arch(-1, t, side * 46, random), arch(1, t, side * 46, random));
    else if (arrangement === 'fan') straws.push(ray(t / 2, random), ray(0.5 + t / 2, random));
    else straws.push(bow(-1, t, random), bow(1, t, random));
  }
  return straws.join('');
}

/** One straw of an avenue seen from its end, planted on the floor; `lean` moves the tips. `t` runs outwards. */
function arch(side: number, t: number, lean: number, random: () => number): string {
  const wobble = (range: number) => (random() - 0.5) * range;
  const foot = 200 + side * (104 + 96 * t + wobble(10));
  const tip = 200 + lean + side * (-14 + 118 * t + wobble(26));
  const top = 18 + 74 * t + wobble(26);
  const belly = foot + side * (22 + wobble(14));
  const shoulder = tip + side * (34 * (1 - t) + 10 + wobble(10));
  return path([foot, 232], [belly, 150 + 12 * t], [shoulder, top + 46], [tip, top], random);
}

/** One straw of a fan that opens from the floor upwards; `t` runs from left to right. */
function ray(t: number, random: () => number): string {
  const angle = Math.PI * (0.04 + 0.92 * t) + (random() - 0.5) * 0.08;
  const reach = 176 + random() * 44;
  const [x, y] = [200 - Math.cos(angle) * reach, 236 - Math.sin(angle) * reach];
  const bend = (random() - 0.5) * 26;
  const at = (part: number, off: number): Point => [200 + (x - 200) * part + off, 236 + (y - 236) * part];
  return path(at(0.34, 0), at(0.55, bend), at(0.8, bend), [x, y], random);
}

/** One straw bent round the light, like a bowl with the treasure in it; `t` runs outwards. */
function bow(side: number, t: number, random: () => number): string {
  const wobble = (range: number) => (random() - 0.5) * range;
  const reach = 88 + 74 * t + wobble(14);
  const end: Point = [200 + side * (reach + 34 + wobble(24)), 76 - 40 * t + wobble(40)];
  return path(
    [200 - side * (24 + wobble(60)), 206 + 12 * t + wobble(8)],
    [200 + side * reach * 0.45, 226],
    [200 + side * reach, 190],
    end,
    random,
  );
}

type Point = readonly [number, number];

function path(from: Point, first: Point, second: Point, to: Point, random: () => number): string {
  const text = ([x, y]: Point) => `${x.toFixed(0)} ${y.toFixed(0)}`;
  const look = `stroke-width="${(1.6 + random() * 1.6).toFixed(1)}" opacity="${(0.4 + random() * 0.4).toFixed(2)}"`;
  return `<path d="M${text(from)}C${text(first)} ${text(second)} ${text(to)}" ${look}/>`;
}

/** Hue in degrees, saturation and lightness from 0 to 1, as `#rrggbb`. */
export function hex(hue: number, saturation: number, lightness: number): string {
  const spread = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset: number) => {
    const step = (offset + hue / 30 + 12) % 12;
    const value = lightness - spread * Math.max(-1, Math.min(step - 3, 9 - step, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}
