import { expect, test } from 'vitest';
import type { Attended } from '#app/features/enrolments/account.server.ts';
import type { PlaceCourseDate } from '#app/features/enrolments/enrolment.ts';
import { nextClass } from './next-class.ts';

/** A class from Monday 16 to Wednesday 18 February 2026, 9:00 AM to 2:30 PM in Brisbane. */
const classOf = (courseDate: Partial<PlaceCourseDate> = {}, more: object = {}) =>
  ({
    reference: 'BB-222222',
    token: 'f00d',
    place: {
      id: 7,
      way: 'date',
      state: 'active',
      courseTitle: 'CCNA',
      courseDate: {
        state: 'confirmed',
        startsOn: '2026-02-16',
        endsOn: '2026-02-18',
        startsAt: '09:00',
        endsAt: '14:30',
        zone: 'Australia/Brisbane',
        delivery: 'online',
        venue: null,
        room: null,
        street: null,
        joiningLink: 'https://class.example/7',
        ...courseDate,
      },
      ...more,
    },
  }) as unknown as Attended;

const at = (text: string) => new Date(`${text}:00+10:00`);
const next = (when: string, ...attended: Attended[]) => nextClass(attended, { now: at(when), texts: null });

test.each([
  ['2026-02-11T12:00', 'In 5 days', 'Mon 16 Feb, 9:00 AM AEST', 'CCNA, day 1 of 3'],
  ['2026-02-15T23:59', 'Tomorrow', 'Mon 16 Feb, 9:00 AM AEST', 'CCNA, day 1 of 3'],
  ['2026-02-16T14:29', 'Today', 'Mon 16 Feb, 9:00 AM AEST', 'CCNA, day 1 of 3'],
  ['2026-02-16T14:30', 'Tomorrow', 'Tue 17 Feb, 9:00 AM AEST', 'CCNA, day 2 of 3'],
  ['2026-02-18T00:00', 'Today', 'Wed 18 Feb, 9:00 AM AEST', 'CCNA, day 3 of 3'],
  ['2026-02-18T14:29', 'Today', 'Wed 18 Feb, 9:00 AM AEST', 'CCNA, day 3 of 3'],
])('P56: at %s the next class is %s, %s', (when, soon, day, what) => {
  expect(next(when, classOf())).toMatchObject({ soon, when: day, what, until: '2:30 PM AEST' });
});

test('P56: on the evening of the last day no class is next', () => {
  expect(next('2026-02-18T14:30', classOf())).toBeNull();
});

test('P56: one joins from 15 minutes before the class until its end', () => {
  const join = (when: string) => next(when, classOf())?.join;
  expect(join('2026-02-16T08:44')).toBeNull();
  expect(join('2026-02-16T08:45')).toBe('https://class.example/7');
  expect(join('2026-02-16T14:29')).toBe('https://class.example/7');
  expect(join('2026-02-16T14:31')).toBeNull();
  expect(next('2026-02-16T09:00', classOf({ joiningLink: null }))?.join).toBeNull();
});

test('P56: days and times are those of the class’s own zone', () => {
  // 9:00 AM in Sydney is 8:00 am in Brisbane in summer; 9:00 am in Perth is 11:00 am.
  const [sydney, perth] = [classOf({ zone: 'Australia/Sydney' }), classOf({ zone: 'Australia/Perth' })];
  expect(next('2026-02-16T07:44', sydney)).toMatchObject({ join: null, until: '2:30 PM AEDT' });
  expect(next('2026-02-16T07:45', sydney)?.join).toBe('https://class.example/7');
  // Half past midnight in Brisbane is still the evening before in Perth.
  expect(next('2026-02-16T00:30', perth)).toMatchObject({ soon: 'Tomorrow', until: '2:30 PM AWST' });
  expect(next('2026-02-18T16:29', perth)).toMatchObject({ soon: 'Today', what: 'CCNA, day 3 of 3' });
  expect(next('2026-02-18T16:30', perth)).toBeNull();
  // Of two classes at 9:00 AM the one further east is first.
  expect(next('2026-02-15T12:00', perth, sydney)?.until).toBe('2:30 PM AEDT');
});

test('P56: a cancelled date, a cancelled place, guided study and a place without a date are not next', () => {
  const others = [
    classOf({ state: 'cancelled' }),
    classOf({}, { state: 'cancelled' }),
    classOf({}, { way: 'guided', courseDate: null, guidedFrom: '2026-02-16' }),
    classOf({}, { way: 'next-date', courseDate: null }),
  ];
  expect(next('2026-02-11T12:00', ...others)).toBeNull();
  const later = classOf({ startsOn: '2026-03-02', endsOn: '2026-03-02' });
  expect(next('2026-02-11T12:00', ...others, later)).toMatchObject({ what: 'CCNA', when: 'Mon 2 Mar, 9:00 AM AEST' });
});

test('P56: a class in a room shows the beginning of the text on what to bring', () => {
  const bring = [
    'A laptop with 8.5 GB free; the prerequisites say what is installed. Tell us.',
    'What you need to take part.',
  ];
  const texts = { online: { joining: '', bring: [] }, room: { joining: '', bring } };
  const asOf = { now: at('2026-02-11T12:00'), texts };
  expect(nextClass([classOf({ delivery: 'in-person' })], asOf)?.bring).toBe('A laptop with 8.5 GB free');
  expect(nextClass([classOf()], asOf)?.bring).toBeNull();
});
