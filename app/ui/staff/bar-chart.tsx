type Props = {
  /** The title of the chart, also for screen readers. */
  title: string;
  bars: readonly { label: string; value: number; text: string }[];
};

const [width, height, foot] = [640, 120, 16];

/** A bar for each row of the table that stands under it; below the line where a value is below zero. */
export function BarChart({ title, bars }: Props) {
  const highest = Math.max(0, ...bars.map(({ value }) => value));
  const lowest = Math.min(0, ...bars.map(({ value }) => value));
  const span = highest - lowest || 1;
  const yOf = (value: number) => short(((highest - value) / span) * (height - 2 * foot) + foot);
  const step = width / Math.max(1, bars.length);
  const [first, last] = [bars[0], bars.at(-1)];
  const top = bars.find(({ value }) => value === highest && value > 0);
  return (
    <figure className="max-w-2xl">
      <figcaption className="text-sm font-semibold">{title}</figcaption>
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
        {top && (
          <text x="0" y="11" className="fill-ink text-xs">
            Highest: {top.text}
          </text>
        )}
        <text x="0" y={height - 2} className="fill-mute text-xs">
          {first?.label}
        </text>
        {bars.length > 1 && (
          <text x={width} y={height - 2} textAnchor="end" className="fill-mute text-xs">
            {last?.label}
          </text>
        )}
      </svg>
    </figure>
  );
}

const short = (value: number) => Number(value.toFixed(1));
