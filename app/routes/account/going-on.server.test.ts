import { expect, test } from 'vitest';
import { nextModule } from './going-on.server.ts';

type Place = Parameters<typeof nextModule>[0]['place'];

test('P56: guided study names the module that comes next, before its Monday too', () => {
  const next = (opened: number, handedIn: number, today: string) => {
    const modules = [1, 2].map((number) => ({ number, openedAt: number <= opened ? new Date() : null }));
    const place = { id: 7, way: 'guided', courseDate: null, guidedFrom: '2026-12-07', modules } as unknown as Place;
    const studied = [1, 2].map((number) => ({
      ...{ number, title: 'Logs', mark: null },
      answerId: number <= handedIn ? number : null,
    }));
    const { begins, module, act, page } = nextModule({ place, token: 'a' }, studied, today);
    return [begins, module, act, page.endsWith('/module/1')];
  };
  expect(next(0, 0, '2026-11-29')).toEqual(['Monday 7 December 2026', 'Module 1: Logs', 'Open module 1 early', false]);
  expect(next(1, 0, '2026-11-29')).toEqual([null, 'Module 1: Logs', 'Continue module 1', true]);
  expect(next(1, 1, '2026-12-07')).toEqual([null, 'Module 2: Logs', 'Open module 2', false]);
  expect(next(2, 2, '2026-12-07')).toEqual([null, null, 'Go to your modules', false]);
});
