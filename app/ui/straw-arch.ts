import { compareText } from '#app/lib/compare-text.ts';
import { seeded, seedOf } from './seeded.ts';

/** Straws of one look, joined: paths of the sheet of a certificate, 1440 by 1018. */
export type StrawGroup = { colour: string; thickness: number; d: string };

/** Straw in ink, for paper. */
const colours = ['#8c6a2a', '#a07528', '#d8b765', '#b98a35', '#c9a24a'] as const;
const thicknesses = [1.4, 2, 2.8] as const;
const middle = 720;

/**
 * The arch that frames a certificate: so many straws, by turns left and right, planted at the foot of the sheet and
 * crossing above. The same for the same seed.
 */
export function strawArch(count: number, seed: string): StrawGroup[] {
  const random = seeded(seedOf(seed));
  const groups = new Map<string, StrawGroup>();
  for (let at = 0; at < count; at += 1) {
    const colour = pick(colours, random);
    const thickness = pick(thicknesses, random);
    const key = `${colour} ${thickness}`;
    const group = groups.get(key) ?? { colour, thickness, d: '' };
    group.d += straw(at % 2 === 0 ? -1 : 1, spread(at >> 1), random);
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => a.thickness - b.thickness || compareText(a.colour, b.colour));
}

/** One straw; `t` runs outwards from 0 to 1. */
function straw(side: number, t: number, random: () => number): string {
  const wobble = (range: number) => (random() - 0.5) * range;
  const x = (part: number) => (middle + side * part).toFixed(0);
  const foot = 494 + 162 * t + wobble(14);
  const top = 44 + 250 * t + wobble(54);
  const tip = -118 + 440 * t + wobble(60);
  const belly = foot + 26 + random() * 22;
  const shoulder = tip + 340 - 150 * t + random() * 24;
  return `M${x(foot)} ${(970 + wobble(16)).toFixed(0)}C${x(belly)} ${(650 + wobble(24)).toFixed(0)} ${x(shoulder)} ${(top + 150).toFixed(0)} ${x(tip)} ${top.toFixed(0)}`;
}

/** Places from 0 to 1 that fill it evenly however many there are (van der Corput's row). */
function spread(index: number): number {
  let [value, part] = [0, 0.5];
  for (let left = index + 1; left > 0; left >>= 1) {
    if (left % 2 === 1) value += part;
    part /= 2;
  }
  return value;
}

const pick = <Item>(items: readonly [Item, ...Item[]], random: () => number): Item =>
  items[Math.floor(random() * items.length)] ?? items[0];
