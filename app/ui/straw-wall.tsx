import { seeded } from './seeded.ts';

type Props = {
  /** From 0 to 1: the height of the straws, or, with `filled`, the part of the wall that is built. */
  share: number;
  /** The wall fills up from the left; a row of dots marks the missing part. */
  filled?: boolean;
};

const [width, height, pitch] = [360, 44, 5];

/**
 * A wall of straw that shows a share of money. Decoration: the amount is always beside it. A path for each of three
 * shades keeps it small.
 */
export function StrawWall({ share, filled = false }: Props) {
  const random = seeded(7);
  const stems = Math.round((width / pitch) * (filled ? share : 1));
  const tall = (filled ? 1 : share) * (height - 4);
  const shades = ['', '', ''];
  for (let at = 0; at < stems && tall > 0; at++) {
    const x = at * pitch + 2 + random() * 2;
    const lean = (random() - 0.5) * 6;
    const top = height - tall * (0.78 + random() * 0.22);
    shades[at % 3] +=
      `M${x.toFixed(1)} ${height}Q${x.toFixed(1)} ${(top + 12).toFixed(1)} ${(x + lean).toFixed(1)} ${top.toFixed(1)}`;
  }
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMinYMax slice"
      className="block h-9 w-full"
      fill="none"
      strokeLinecap="round"
      strokeWidth="2.4"
    >
      {filled && <path d={`M2 ${height - 3}H${width}`} className="stroke-edge" strokeWidth="4" strokeDasharray="1 7" />}
      {shades.map((d, at) => d && <path key={colours[at]} d={d} className={colours[at]} />)}
    </svg>
  );
}

const colours = ['stroke-straw', 'stroke-[#c79a45]', 'stroke-[#d9ae4e]'];
