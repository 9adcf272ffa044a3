import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { charts } from './charts.ts';
import { lineOf, type Run, readHistory } from './history.ts';

const run = (part: string, load: number, figures: Run['figures']): Run => ({
  part,
  commit: 'abcdef0',
  date: '2026-11-22T02:59:36.653Z',
  load,
  machine: 'two cores',
  figures,
});

test('the drawings in docs/performance are those of the history, and the page shows each', () => {
  const drawn = charts(readHistory());
  const folder = path.join(projectRoot, 'docs/performance');
  const page = readFileSync(path.join(projectRoot, 'docs/performance.md'), 'utf8');
  expect(readdirSync(folder).sort()).toEqual([...drawn.keys()].map((part) => `${part}.svg`).sort());
  for (const [part, svg] of drawn) {
    expect(readFileSync(path.join(folder, `${part}.svg`), 'utf8')).toBe(svg);
    expect(page).toContain(`performance/${part}.svg`);
  }
});

test('a figure of many pages is drawn as its worst page, beside its goal, and a busy machine leaves a hollow mark', () => {
  const goal = { atMost: 50 };
  const pages = [
    { name: 'Lighthouse /: blocked', unit: 'ms', value: 120, goal },
    { name: 'Lighthouse /faq: blocked', unit: 'ms', value: 200, goal },
    { name: 'cached /courses: failed', unit: '', value: 0, goal: { atMost: 0 } },
  ];
  const svg = charts([run('lighthouse', 2, pages), run('lighthouse', 0.2, pages.slice(0, 1))]).get('lighthouse') ?? '';
  expect(svg.match(/class="name"/g)).toHaveLength(1);
  expect(svg).toContain('>blocked, worst page</text>');
  expect(svg).toContain('>goal: at most 50 ms</text>');
  expect([...svg.matchAll(/class="(dot[^"]*)".*?<title>([^,]+)/g)].map(([, kind, value]) => [kind, value])).toEqual([
    ['dot busy', '200 ms'],
    ['dot', '120 ms'],
  ]);
});

test('a figure with a minimum is worst at its smallest', () => {
  const figures = [90, 70, 100].map((value, at) => ({
    name: `Lighthouse /page-${at}: performance`,
    unit: '',
    value,
    goal: { atLeast: 99 },
  }));
  expect(charts([run('lighthouse', 0, figures)]).get('lighthouse')).toContain('<title>70 ,');
});

test('a line of the history keeps the figures that have a goal and were measured', () => {
  const { figures: _, ...facts } = run('cached', 0.4, []);
  const line = lineOf(facts, [
    { name: 'p99', unit: 'ms', value: 4.123456789, goal: { atMost: 5 } },
    { name: 'memory', unit: 'MB', value: 300 },
    { name: 'nginx', unit: '', value: null, goal: { atLeast: 0.5 }, note: 'is not installed' },
  ]);
  expect(JSON.parse(line).figures).toEqual([{ name: 'p99', unit: 'ms', value: 4.12346, goal: { atMost: 5 } }]);
});
