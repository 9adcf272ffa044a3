import { expect, test } from 'vitest';
import { attendeeOfLine } from './enrolment-forms.ts';

test('P82: a line for a person is a name, with an email address behind a comma or as mail programs copy it', () => {
  const tess = { name: 'Tess Caller', email: 'tess@example.org' };
  for (const line of [
    'Tess Caller, tess@example.org',
    'Tess Caller <tess@example.org>',
    'Tess Caller,tess@example.org ',
  ]) {
    expect(attendeeOfLine(line), line).toEqual(tess);
  }
  expect(attendeeOfLine('"Caller, Tess" <mailto:tess@example.org>')).toEqual({ ...tess, name: 'Caller, Tess' });
  expect(attendeeOfLine('Tess')).toEqual({ name: 'Tess', email: null });
  expect(attendeeOfLine('?')).toEqual({ name: null, email: null });
  expect(attendeeOfLine('?, tess@example.org')).toEqual({ name: null, email: 'tess@example.org' });
});

test('P82: a line from which a name or an address would be lost is refused', () => {
  for (const line of [
    'Caller, Tess',
    'Tess, tess@example',
    'tess@example.org',
    'Tess <tess@example.org',
    'T, a@b.cd, e',
  ]) {
    expect(attendeeOfLine(line), line).toBeNull();
  }
});
