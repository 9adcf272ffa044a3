import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newReference } from './commands.server.ts';
import { bookingTimes } from './options.ts';
import { parseEnquiry } from './schema.ts';

const context = { today: '2025-09-08', isOffered: (item: string) => item === 'course:cissp' };
const person = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };
const errorsOf = (kind: Parameters<typeof parseEnquiry>[0], values: Record<string, string>) => {
  const result = parseEnquiry(kind, values, context);
  return result.ok ? {} : result.errors;
};

test('P23: first name, last name, e-mail and message are required; phone and interest are not', () => {
  expect(Object.keys(errorsOf('contact', {})).sort()).toEqual(['email', 'firstName', 'lastName', 'message']);
  expect(errorsOf('contact', { ...person, message: 'Hello' })).toEqual({});
  expect(Object.keys(errorsOf('contact', { ...person, email: 'ada at home', message: 'x', phone: 'call me' }))).toEqual(
    [...['email', 'phone']],
  );
});

test('P20: a time must lie inside business hours of its day', () => {
  const ask = (day: string, time: string) => errorsOf('booking', { ...person, day, time });
  expect(ask('2025-09-15', '09:00')).toEqual({});
  expect(ask('2025-09-20', '15:30')).toEqual({});
  expect(ask('2025-09-20', '09:00')).toHaveProperty('time');
  expect(ask('2025-09-21', '11:00')).toHaveProperty('time');
  expect(ask('2025-09-08', '11:00')).toHaveProperty('day');
  expect(bookingTimes('2025-09-15').at(-1)).toBe('17:30');
});

test('an enrolment request names something on offer, a number of people, and who pays', () => {
  const enrol = (parts: Record<string, string>) =>
    errorsOf('enrolment', { ...person, item: 'course:cissp', attendees: '2', payer: 'myself', ...parts });
  expect(enrol({})).toEqual({});
  expect(enrol({ item: 'course:none' })).toHaveProperty('item');
  for (const attendees of ['0', '-1', '51', '1.5', 'two', '']) expect(enrol({ attendees })).toHaveProperty('attendees');
  expect(enrol({ payer: 'employer' })).toHaveProperty('company');
  expect(enrol({ payer: 'employer', company: 'Council' })).toEqual({});
});

test('any values at all are answered, never thrown at', () => {
  const kind = fc.constantFrom('contact', 'booking', 'tour', 'chat', 'enrolment' as const);
  const values = fc.dictionary(fc.constantFrom('firstName', 'email', 'day', 'time', 'item', 'attendees'), fc.string());
  fc.assert(fc.property(kind, values, (which, given) => void parseEnquiry(which, given, context)));
});

test('P23: a reference is BB- and six characters that cannot be misread', () => {
  for (let drawn = 0; drawn < 500; drawn++) expect(newReference()).toMatch(/^BB-[2-9A-HJ-NP-Z]{6}$/);
});
