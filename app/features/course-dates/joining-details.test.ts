import { expect, test } from 'vitest';
import { mapOf, missingJoiningDetails } from './joining-details.ts';

test('P39: online needs the link, a room its name and street, and both ways all three', () => {
  const none = { room: null, street: null, joiningLink: null };
  expect(missingJoiningDetails({ ...none, delivery: 'online' })).toBe('link');
  expect(missingJoiningDetails({ ...none, delivery: 'in-person' })).toBe('room and street');
  expect(missingJoiningDetails({ ...none, delivery: 'both' })).toBe('room, street and link');
  const known = { room: 'Room 4.2', street: '120 Edward Street', joiningLink: 'https://class.example/1' };
  for (const delivery of ['online', 'in-person', 'both'] as const)
    expect(missingJoiningDetails({ ...known, delivery })).toBe('');
  expect(missingJoiningDetails({ ...known, joiningLink: null, delivery: 'in-person' })).toBe('');
  expect(missingJoiningDetails({ ...known, street: null, delivery: 'both' })).toBe('street');
});

test('P56: a class with a street has a map, a class online and one whose street is not set have none', () => {
  expect(mapOf({ street: '120 Edward Street', venue: 'Brisbane' })).toBe(
    'https://www.openstreetmap.org/search?query=120+Edward+Street%2C+Brisbane%2C+Australia',
  );
  expect(mapOf({ street: null, venue: 'Brisbane' })).toBeNull();
  expect(mapOf({ street: '120 Edward Street', venue: null })).toBeNull();
});
