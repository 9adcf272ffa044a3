import { type IconName, iconMarkup, iconNames } from './icons.ts';
import { seeded } from './seeded.ts';

/** Ground and light of each family; all of them dark, so that white stands out and the straw glows. */
const grounds: Record<IconName, { ground: string; light: string }> = {
  shield: { ground: '#1c2a7a', light: '#5b8cff' },
  eye: { ground: '#2b1c6b', light: '#9a7bff' },
  cloud: { ground: '#0f3b5c', light: '#4fc3ff' },
  key: { ground: '#16324f', light: '#5fb4e8' },
  lock: { ground: '#232060', light: '#7c86ff' },
  chip: { ground: '#0e3d4a', light: '#45d0c8' },
  flag: { ground: '#3a1d5e', light: '#c07bff' },
  gem: { ground: '#102f6b', light: '#6fa8ff' },
  scroll: { ground: '#33264f', light: '#b79ce8' },
  compass: { ground: '#173a45', light: '#67c7b4' },
  magnifier: { ground: '#1b2f66', light: '#7fb2ff' },
  terminal: { ground: '#161b45', light: '#6c7bff' },
  network: { ground: '#0d3558', light: '#58b0ff' },
  crown: { ground: '#3b1b52', light: '#d38cf5' },
};

const [width, height] = [400, 225];
const sticksPerSide = 15;

/** A whole SVG file, 16 by 9: the bower's mouth, a disc of light, and the icon in it. The same on every call. */
export function courseArt(icon: IconName): string {
  const { ground, light } = grounds[icon];
  const random = seeded(iconNames.indexOf(icon) + 3);
  const sticks = [-1, 1].flatMap((side) =>
    Array.from({ length: sticksPerSide }, (_, at) => stick(side, at / (sticksPerSide - 1), random)),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<defs><radialGradient id="g" cx=".5" cy=".62" r=".62"><stop offset="0" stop-color="${light}" stop-opacity=".62"/>`,
    `<stop offset=".5" stop-color="${light}" stop-opacity=".2"/><stop offset="1" stop-color="${light}" stop-opacity="0"/>`,
    `</radialGradient></defs><path fill="${ground}" d="M0 0h${width}v${height}H0z"/>`,
    `<path fill="url(#g)" d="M0 0h${width}v${height}H0z"/><circle cx="200" cy="142" r="86" fill="${light}" opacity=".3"/>`,
    `<g fill="none" stroke="#e8c872" stroke-linecap="round">${sticks.join('')}</g>`,
    `<g transform="translate(200 138) rotate(-5) scale(2.15) translate(-24 -24)">`,
    iconMarkup(icon, { body: '#f7f3e6', ink: ground }),
    '</g></svg>',
  ].join('');
}

/** One straw of a wall, from the floor to where the walls lean together; `t` runs from the avenue outwards. */
function stick(side: number, t: number, random: () => number): string {
  const wobble = (range: number) => (random() - 0.5) * range;
  const foot = 200 + side * (104 + 96 * t + wobble(10));
  const tip = 200 + side * (-14 + 118 * t + wobble(26));
  const top = 22 + 74 * t + wobble(26);
  const belly = foot + side * (22 + wobble(14));
  const shoulder = tip + side * (34 * (1 - t) + 10 + wobble(10));
  const curve = `M${foot.toFixed(0)} 232C${belly.toFixed(0)} ${(150 + 12 * t).toFixed(0)} ${shoulder.toFixed(0)} ${(top + 46).toFixed(0)} ${tip.toFixed(0)} ${top.toFixed(0)}`;
  return `<path d="${curve}" stroke-width="${(1.6 + random() * 1.6).toFixed(1)}" opacity="${(0.4 + random() * 0.4).toFixed(2)}"/>`;
}
