import { hex } from './course-art.ts';
import { iconMarkup } from './icon-drawings.ts';
import type { IconName } from './icons.ts';
import { seeded, seedOf } from './seeded.ts';

const barbs = 15;

/**
 * A square SVG file of about 3 KB for a person, because we show no photographs: a feather of the satin bowerbird, and
 * the treasure of their field. The same on every call.
 */
export function portraitArt({ seed, icon }: { seed: string; icon: IconName }): string {
  const random = seeded(seedOf(seed));
  const hue = 205 + random() * 75;
  const ground = hex(hue, 0.5, 0.2);
  const lit = hex(hue + 12, 0.85, 0.7);
  const turn = Math.round(14 + random() * 30);
  const width = 13 + random() * 7;
  const curve = Math.round(4 + random() * 8);
  const flip = random() < 0.5 ? -1 : 1;
  const vane = Array.from({ length: barbs }, (_, at) => {
    const t = at / (barbs - 1);
    const y = 14 + t * 52;
    const reach = width * Math.sin(Math.PI * (0.16 + 0.78 * t)) + random() * 2.5;
    const x = 48 + curve * Math.sin(Math.PI * t);
    const colour = hex(hue + (random() - 0.5) * 40, 0.8, 0.58 + random() * 0.2);
    const barb = (side: number) =>
      `M${x.toFixed(0)} ${(y + 6).toFixed(0)}q${(side * reach * 0.6).toFixed(0)}-1 ${(side * reach).toFixed(0)}-10`;
    return `<path d="${barb(-1)}${barb(1)}" stroke="${colour}"/>`;
  });
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">',
    `<path fill="${ground}" d="M0 0h96v96H0z"/><circle cx="48" cy="46" r="36" fill="${lit}" opacity=".22"/>`,
    `<g fill="none" stroke-width="4.2" stroke-linecap="round" transform="rotate(${flip * turn} 48 48) scale(1)">`,
    ...vane,
    `<path d="M48 10q${curve * 2} 30 0 76" stroke="#e8c872" stroke-width="2.4"/></g>`,
    `<circle cx="${48 + flip * 25}" cy="71" r="17" fill="${ground}"/>`,
    `<g transform="translate(${48 + flip * 25} 71) scale(.54) translate(-24 -24)">`,
    iconMarkup(icon, { body: '#f7f3e6', ink: ground }),
    '</g></svg>',
  ].join('');
}
