import type { Figure, Part } from './figure.ts';
import { connections, load, memoryOf, offServerCore, onServerCore, withProgram } from './programs.ts';

const seconds = 8;
const pages: [string, string, number | null][] = [
  ['home', '/', 150],
  ['courses with a filter', '/courses?category=soc&level=intermediate', null],
  ['course', '/course/cissp', null],
];

/**
 * Pages that are rendered for each request. Visitors who closed the banner by form carry a cookie that keeps their
 * pages out of the shared memory, so every request with it is a render.
 */
export const freshRender: Part = {
  name: 'render',
  run: () =>
    withProgram(async ({ url, process: { pid = 0 } }) => {
      const figures: Figure[] = [];
      for (const [name, path, goal] of pages) {
        const headers = { 'Accept-Encoding': 'identity', Cookie: 'promo-banner=left-out' };
        const result = await offServerCore(() => load(url, pid, seconds, { path, headers }));
        figures.push(
          {
            name: `${name} rendered: a second`,
            unit: '/s',
            value: result.rate,
            ...(goal && { goal: { atLeast: goal } }),
          },
          { name: `${name} rendered: p50 at ${connections} connections`, unit: 'ms', value: result.p50 },
          { name: `${name} rendered: p99`, unit: 'ms', value: result.p99, goal: { atMost: 100 } },
          { name: `${name} rendered: failed`, unit: '', value: result.failures, goal: { atMost: 0 } },
        );
      }
      return [...figures, { name: 'memory after renders', unit: 'MB', value: memoryOf(pid) }];
    }, onServerCore()),
};
