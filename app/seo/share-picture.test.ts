import { expect, test } from 'vitest';
import { coursePicture, versioned } from './share-picture.ts';

const course = { title: 'Threat Hunting', category: { name: 'SOC' }, level: 'Advanced', hours: 40 };

test('an edited title gives a picture another address; other edits leave it', () => {
  const address = (one: typeof course) => versioned('/share/course/threat-hunting.png', coursePicture(one));
  expect(address(course)).toMatch(/^\/share\/course\/threat-hunting\.png\?v=[0-9a-z]+$/);
  expect(address({ ...course })).toBe(address(course));
  expect(address({ ...course, title: 'Threat Hunting 2' })).not.toBe(address(course));
});
