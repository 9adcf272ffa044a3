import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newReference } from '#app/http/references.server.ts';
import { enquiryForm, formKinds } from './schema.ts';

const context = { isOffered: (item: string) => item === 'course:cissp' };
const person = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };
const errorsOf = (kind: Parameters<typeof enquiryForm>[0], values: Record<string, string>) => {
  const result = enquiryForm(kind, context).parse(values);
  return result.ok ? {} : result.errors;
};

test('P23: first name, last name, email and message are required; phone and interest are not', () => {
  expect(Object.keys(errorsOf('contact', {})).sort()).toEqual(['email', 'firstName', 'lastName', 'message']);
  expect(errorsOf('contact', { ...person, message: 'Hello' })).toEqual({});
  expect(Object.keys(errorsOf('contact', { ...person, email: 'ada at home', message: 'x', phone: 'call me' }))).toEqual(
    ['email', 'phone'],
  );
});

test('a text over its length is told its length, the limit and the difference, in code points', () => {
  const send = (parts: Record<string, string>) => errorsOf('contact', { ...person, message: 'Hello', ...parts });
  expect(send({ message: '😀'.repeat(5000) })).toEqual({});
  expect(send({ message: 'a'.repeat(7000) })).toEqual({
    message: 'This is 7,000 characters long; the limit is 5,000. Shorten it by 2,000.',
  });
  expect(send({ firstName: '😀'.repeat(81) })).toEqual({
    firstName: 'This is 81 characters long; the limit is 80. Shorten it by 1.',
  });
  // Line breaks count once, as on the page, however the browser sends them.
  expect(send({ message: `${'a\r\n'.repeat(2499)}aa` })).toEqual({});
});

test.each(['\u200b\u2060', '\u3164', '\u2800 \u00ad', '\ufeff', '\u202e\u200f', ' \u00a0 '])(
  'a name of which nothing can be seen is none: %j',
  (firstName) => {
    expect(errorsOf('contact', { ...person, message: 'Hello', firstName })).toEqual({
      firstName: 'Enter your first name.',
    });
  },
);

test('text becomes valid Unicode without NUL, and keeps the joiners of emoji and letters', () => {
  const form = enquiryForm('contact', context);
  const result = form.parse({ ...person, firstName: 'A\ud83d\u0000da', message: '👩\u200d💻 می\u200cخواهم' });
  expect(result).toMatchObject({ ok: true, data: { firstName: 'A\ufffdda', message: '👩\u200d💻 می\u200cخواهم' } });
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
  const kind = fc.constantFrom(...formKinds);
  const names = fc.constantFrom('firstName', 'email', 'day', 'time', 'item', 'attendees', 'message');
  const values = fc.dictionary(
    names,
    fc.string({ unit: fc.oneof(fc.constant('\ud83d'), fc.constant('\0'), fc.string()) }),
  );
  fc.assert(fc.property(kind, values, (which, given) => void enquiryForm(which, context).parse(given)));
});

test('P23: a reference is BB- and six characters that cannot be misread', () => {
  for (let drawn = 0; drawn < 500; drawn++) expect(newReference()).toMatch(/^BB-[2-9A-HJ-NP-Z]{6}$/);
});
