import type { Judged, Run } from './history.ts';

/** A figure over the runs that measured it. */
type Series = { name: string; unit: string; goal: Judged['goal']; points: Point[] };
type Point = { value: number; commit: string; day: string; busy: boolean };

const width = 380;
const height = 204;
const plot = { left: 16, right: 364, top: 82, bottom: 156 };

/** One drawing of each part, by its name: a panel for each figure. The same history gives the same bytes. */
export function charts(history: readonly Run[]): Map<string, string> {
  const parts = [...new Set(history.map(({ part }) => part))];
  return new Map(parts.map((part) => [part, drawing(part, seriesOf(history.filter((run) => run.part === part)))]));
}

/** Figures of pages are one series: the worst page of each run. */
function seriesOf(runs: readonly Run[]): Series[] {
  const all = new Map<string, Series>();
  for (const { figures, commit, date, load } of runs) {
    const worst = new Map<string, Judged>();
    for (const figure of figures) {
      if (figure.name.endsWith(': failed')) continue;
      const name = nameOf(figure.name);
      const other = worst.get(name);
      if (!other || isWorse(figure, other)) worst.set(name, figure);
    }
    for (const [name, { unit, goal, value }] of worst) {
      const series = all.get(name) ?? { name, unit, goal, points: [] };
      all.set(name, series);
      series.goal = goal;
      series.points.push({ value, commit: commit.slice(0, 7), day: date.slice(0, 10), busy: load > 0.5 });
    }
  }
  return [...all.values()];
}

/** `Lighthouse /faq: blocked` is one of many pages: `blocked, worst page`. */
const nameOf = (name: string) => name.replace(/^(Lighthouse )?\/\S*: (.+)$/, '$2, worst page');

const isWorse = (one: Judged, other: Judged) =>
  'atMost' in one.goal ? one.value > other.value : one.value < other.value;

function drawing(part: string, series: Series[]): string {
  const rows = Math.ceil(series.length / 2);
  const [whole, tall] = [width * Math.min(2, series.length), height * rows];
  const panels = series.map((each, at) => panel(each, (at % 2) * width, Math.floor(at / 2) * height));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${whole} ${tall}" width="${whole}" height="${tall}" role="img" aria-label="${escaped(`Figures of the part ${part} over the runs of the bench`)}">`,
    '<style>',
    'svg{font:12px system-ui,sans-serif;fill:#221d3d}.paper{fill:#fff;stroke:#d8d4e6}.name{font-weight:700}.value{paint-order:stroke;stroke:#fff;stroke-width:4}.mute{fill:#5d5875}',
    '.line{fill:none;stroke:#4a3fb0;stroke-width:2}.dot{fill:#4a3fb0;stroke:#4a3fb0;stroke-width:2}.busy{fill:#fff}',
    '.goal{stroke:#8a6100;stroke-width:1.5;stroke-dasharray:5 4}.wish{fill:#8a6100}',
    '@media(prefers-color-scheme:dark){svg{fill:#efedf8}.paper{fill:#171332;stroke:#3b3562}.mute{fill:#b9b4d3}.value{stroke:#171332}',
    '.line,.dot{stroke:#a79dff}.dot{fill:#a79dff}.busy{fill:#171332}.goal{stroke:#f2c14e}.wish{fill:#f2c14e}}',
    '</style>',
    ...panels,
    '</svg>',
    '',
  ].join('\n');
}

function panel({ name, unit, goal, points }: Series, x: number, y: number): string {
  const wanted = 'atMost' in goal ? goal.atMost : goal.atLeast;
  const most = Math.max(wanted, ...points.map(({ value }) => value)) * 1.1 || 1;
  const up = (value: number) => round(plot.bottom - (value / most) * (plot.bottom - plot.top));
  const along = (at: number) =>
    round(
      points.length === 1 ? width / 2 : plot.left + 24 + (at / (points.length - 1)) * (plot.right - plot.left - 48),
    );
  const places = points.map(({ value }, at) => `${along(at)},${up(value)}`);
  const wish = `${'atMost' in goal ? 'at most' : 'at least'} ${shown(wanted)}${unit && ` ${unit}`}`;
  // Many runs: their labels would lie over one another.
  const labelled = (at: number) => points.length <= 4 || at === 0 || at === points.length - 1;
  return [
    `<g transform="translate(${x} ${y})">`,
    `<rect class="paper" x="4" y="4" width="${width - 8}" height="${height - 8}" rx="8"/>`,
    ...lines(name).map((line, at) => `<text class="name" x="16" y="${24 + at * 15}">${escaped(line)}</text>`),
    `<text class="wish" x="16" y="56">goal: ${escaped(wish)}</text>`,
    `<line class="goal" x1="${plot.left}" x2="${plot.right}" y1="${up(wanted)}" y2="${up(wanted)}"/>`,
    `<polyline class="line" points="${places.join(' ')}"/>`,
    ...points.flatMap(({ value, commit, day, busy }, at) => [
      `<circle class="dot${busy ? ' busy' : ''}" cx="${along(at)}" cy="${up(value)}" r="4"><title>${escaped(`${shown(value)} ${unit}, ${day}, ${commit}`)}</title></circle>`,
      ...(labelled(at)
        ? [
            `<text class="value" x="${along(at)}" y="${round(up(value) - 9)}" text-anchor="middle">${shown(value)}</text>`,
            `<text class="mute" x="${along(at)}" y="175" text-anchor="middle">${day.slice(5)}</text>`,
            `<text class="mute" x="${along(at)}" y="189" text-anchor="middle">${escaped(commit)}</text>`,
          ]
        : []),
    ]),
    '</g>',
  ].join('\n');
}

const round = (value: number) => Number(value.toFixed(1));
const shown = (value: number) => String(Number(value.toPrecision(3)));
/** One or two lines of a panel's width. */
const lines = (name: string) => (/^(.{1,48})(?: (.+))?$/.exec(name)?.slice(1) ?? [name]).filter(Boolean);
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
