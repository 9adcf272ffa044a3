import { expect, test } from 'vitest';
import { deliveries } from '#app/lib/delivery.ts';
import { attendingOf } from './rules.ts';

test('a course date says how to join wherever one can take part in it', () => {
  const texts = {
    online: { joining: 'By a link.', bring: ['A microphone'] },
    room: { joining: 'At the door.', bring: ['A laptop'] },
  };
  expect(deliveries.map((delivery) => attendingOf({ delivery }, texts).map(({ where }) => where))).toEqual([
    ['Online'],
    ['In the room'],
    ['Online', 'In the room'],
  ]);
  expect(attendingOf({ delivery: 'in-person' }, texts)).toEqual([{ where: 'In the room', ...texts.room }]);
  expect(attendingOf({ delivery: 'both' }, null)).toEqual([]);
});
