/** A quest line as a point of the crown: a stone for each course, and how many of them are finished. */
export type CrownPoint = { courses: number; finished: number };

const radius = 112;
/** The extent of the crown, in degrees. */
const span = 138;
const flat = 0.74;

/**
 * The crown over the arch (P63), round 0,0: a point for every quest line. A line not begun is a dotted outline, a begun
 * one fills up stone by stone from below, a finished one is whole and carries a gem.
 */
export function crownMarkup(points: readonly CrownPoint[]): string {
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
