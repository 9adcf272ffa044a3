type Props = {
  /** The title of the chart, also for screen readers. */
  title: string;
  bars: readonly { label: string; value: number; text: string }[];
};

const [width, height, edge] = [640, 90, 1];

/** A bar for each row of the table below it; below the line where a value is below zero. */
export function BarChart({ title, bars }: Props) {
  const highest = Math.max(0, ...bars.map(({ value }) => value));
  const lowest = Math.min(0, ...bars.map(({ value }) => value));
  const span = highest - lowest || 1;
  const yOf = (value: number) => short(((highest - value) / span) * (height - 2 * edge) + edge);
  const step = width / Math.max(1, bars.length);
  const [first, last] = [bars[0], bars.at(-1)];
  const top = bars.find(({ value }) => value === highest && value > 0);
  return (
    <figure className="max-w-2xl">
      <figcaption className="mb-1 text-sm">
        <span className="font-semibold">{title}</span>
        {top && <span className="block text-xs">Highest: {top.text}</span>}
      </figcaption>
      <svg
        role="img"
        aria-label={`${title}; the table has the figures`}
        viewBox={`0 0 ${width} ${height}`}
        className="block w-full"
      >
        {bars.map(({ label, value, text }, at) => (
          <rect
            key={label}
            x={short(at * step + step * 0.15)}
            width={short(step * 0.7)}
            y={Math.min(yOf(value), yOf(0))}
            height={short(Math.abs(yOf(value) - yOf(0)))}
            className={value < 0 ? 'fill-fault' : 'fill-stalk'}
          >
            <title>{`${label}: ${text}`}</title>
          </rect>
        ))}
        <path d={`M0 ${yOf(0)}H${width}`} className="stroke-rule" />
      </svg>
      {/* Beside the drawing, which is as wide as there is room: on a phone its letters would be half as high. */}
      <p className="flex justify-between gap-4 text-xs text-mute">
        <span>{first?.label}</span>
        {bars.length > 1 && <span>{last?.label}</span>}
      </p>
    </figure>
  );
}

/** The run of a figure, a small bar for each week; the figure itself is beside it. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const highest = Math.max(...values) || 1;
  const bars = values.map((value, at) => `M${at * 8 + 3} 40V${short(40 - (Math.max(0, value) / highest) * 38)}`);
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${values.length * 8} 40`} className="h-10 shrink-0">
      <path d={bars.join('')} strokeWidth="6" className="stroke-stalk" />
    </svg>
  );
}

const short = (value: number) => Number(value.toFixed(1));
