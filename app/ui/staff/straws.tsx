import { seeded } from '#app/ui/seeded.ts';

type Props = {
  sold: number;
  /** Kept for a buyer in checkout, or offered to somebody who waits. */
  held?: number;
  total: number;
  /** The minimum of the course date; null for none. */
  minimum: number | null;
  /** Twice the size, for the head of a record. */
  large?: boolean;
};

/** How many straws are drawn side by side at most; with more seats one straw is two. */
const most = 24;

/** The counts of straws for a course date. */
export function strawsOf({ sold, held = 0, total, minimum }: Omit<Props, 'large'>) {
  const seats = Math.max(total, sold);
  const each = seats > most ? Math.ceil(seats / most / 2) * 2 : 1;
  const count = Math.ceil(seats / each);
  const standing = Math.min(count, Math.ceil(sold / each));
  const dotted = Math.min(count - standing, Math.ceil((sold + held) / each) - standing);
  const reached = minimum !== null && sold >= minimum;
  const said = [
    `${sold} of ${total} seats sold`,
    ...(held > 0 ? [`${held} held`] : []),
    ...(minimum ? [`minimum ${minimum}${reached ? '' : ' not'} reached`] : []),
  ];
  return {
    /** How many seats a straw is. */
    each,
    straws: Array.from({ length: count }, (_, at) =>
      at < standing ? ('sold' as const) : at < standing + dotted ? ('held' as const) : ('free' as const),
    ),
    /** After how many straws the minimum lies; null for none, or beyond the last. */
    treasure: minimum && minimum <= seats ? { after: minimum / each, reached } : null,
    title: said.join(', ') + (each > 1 ? `; one straw is ${each} seats` : ''),
  };
}

/**
 * The seats of a course date, a straw each: whole when sold, dotted when held, a stub when free. A treasure marks the
 * minimum, hollow until it is reached. The figures beside it are in words.
 */
export function Straws({ large = false, ...seats }: Props) {
  const { straws, treasure, title } = strawsOf(seats);
  const size = large ? 2 : 1;
  const [step, height] = [6.5 * size, 18 * size];
  const width = straws.length * step + 4;
  const foot = 5 * Math.sqrt(size);
  const random = seeded(seats.sold * 31 + seats.total * 7 + (seats.minimum ?? 0));
  const drawn = straws.map((kind, at) => {
    const x = 2 + step / 2 + at * step;
    const lean = straws.length > 1 ? (at / (straws.length - 1)) * 2 - 1 : 0;
    const bend = (random() - 0.5) * 2 * size;
    const top = (2 + random() * 2.4) * size;
    if (kind === 'free') return { kind, path: `M${short(x)} ${height}v${-3.5 * size}` };
    const [middle, end] = [x + lean * 0.9 * size + bend * 0.3, x - lean * 2.2 * size + bend * 1.1];
    return {
      kind,
      path: `M${short(x)} ${height}Q${short(middle)} ${short(height * 0.55)} ${short(end)} ${short(top)}`,
    };
  });
  // A path for all of a kind: one for each straw would be half of a page with sixty course dates.
  const pathOf = (wanted: 'sold' | 'held' | 'free') =>
    drawn.flatMap(({ kind, path }) => (kind === wanted ? path : [])).join('') || null;
  const [sold, held, free] = [pathOf('sold'), pathOf('held'), pathOf('free')];
  return (
    <svg
      role="img"
      width={width}
      height={height + 2 * foot}
      viewBox={`0 0 ${width} ${height + 2 * foot}`}
      className="block max-w-full overflow-visible"
      fill="none"
      strokeLinecap="round"
    >
      <title>{title}</title>
      <path d={`M0 ${height + 0.5}H${width}`} className="stroke-line" />
      {sold && <path d={sold} className="stroke-stalk" strokeWidth={1.6 + size} />}
      {held && <path d={held} className="stroke-stalk" strokeWidth={1 + size} strokeDasharray={`.5 ${4 * size}`} />}
      {free && <path d={free} className="stroke-stub" strokeWidth={1 + size} />}
      {treasure && (
        <Treasure x={2 + treasure.after * step} y={height + foot} size={0.68 * foot} full={treasure.reached} />
      )}
    </svg>
  );
}

const short = (value: number) => Number(value.toFixed(1));

function Treasure({ x, y, size, full }: { x: number; y: number; size: number; full: boolean }) {
  const tall = size + 0.6;
  return (
    <path
      d={`M${short(x)} ${short(y - tall)}l${short(size)} ${short(tall)}-${short(size)} ${short(tall)}-${short(size)}-${short(tall)}Z`}
      className={full ? 'fill-link' : 'fill-paper stroke-fault'}
      strokeWidth={full ? undefined : 1.4}
    />
  );
}

/** The key of the signs, shown once below pictures of straws. */
export function StrawsKey({ pairs = false }: { pairs?: boolean }) {
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 pt-2 text-xs text-mute">
      {keys.map(([text, sign]) => (
        <span key={text} className="flex items-center gap-1.5">
          <svg aria-hidden="true" width="9" height="14" viewBox="0 0 9 14" fill="none" strokeLinecap="round">
            {sign}
          </svg>
          {text}
        </span>
      ))}
      {pairs && <span>more than {most} seats: one straw is two or more</span>}
    </p>
  );
}

const keys = [
  ['sold', <path key="sold" d="M4.5 13V2" className="stroke-stalk" strokeWidth="2.6" />],
  [
    'held or offered',
    <path key="held" d="M4.5 13V2" className="stroke-stalk" strokeWidth="2" strokeDasharray=".5 4" />,
  ],
  ['free', <path key="free" d="M4.5 13V9" className="stroke-stub" strokeWidth="2" />],
  ['minimum reached', <Treasure key="reached" x={4.5} y={7} size={3.4} full />],
  ['not yet', <Treasure key="missed" x={4.5} y={7} size={3.2} full={false} />],
] as const;
