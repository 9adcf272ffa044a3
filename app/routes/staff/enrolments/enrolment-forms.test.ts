import { expect, test } from 'vitest';
import { firstFaults } from '#app/http/form-texts.ts';
import { addressRemark, attendeeOfLine, buyerForm, placeForm } from './enrolment-forms.ts';

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

const called = { form: crypto.randomUUID(), seen: '0', act: 'enrol', buyerName: 'Tess', email: 'tess@example.org' };

test('P71: what only an organisation has is not taken without its name', () => {
  for (const field of [{ abn: '51 824 753 556' }, { purchaseOrder: 'PO-1' }, { accountsEmail: 'pay@example.org' }]) {
    const { error } = buyerForm.safeParse({ ...called, ...field });
    expect(error && Object.keys(firstFaults(error)), Object.keys(field).join('')).toEqual(['organisation']);
    expect(buyerForm.safeParse({ ...called, ...field, organisation: 'Bower' }).success).toBe(true);
  }
});

test('P71: where a person pays, what was typed for an organisation before does not count', () => {
  const { data } = buyerForm.safeParse({
    ...called,
    payer: 'person',
    organisation: 'Bower',
    abn: '1',
    purchaseOrder: 'PO-1',
  });
  expect(data).toMatchObject({ organisation: null, abn: null, purchaseOrder: null });
});

test('the form by hand names all its faults at once, each in words', () => {
  const { error } = placeForm.safeParse({
    ...called,
    ...{ phone: '07 3333', purchaseOrder: 'PO-1', discountCents: '-50', attendees: '?', shown: '0', hold: '' },
    ...{ contact: 'they-contacted-us', accepted: 'spoken' },
  });
  expect(error && firstFaults(error)).toEqual({
    phone: 'Enter a phone number with its area code, or leave this empty.',
    discountCents: 'Enter an amount in dollars such as 2,299.00.',
    discountWhy: 'Enter the reason of the discount.',
    organisation:
      'ABN, purchase order and copies of invoices belong to an organisation. Enter its name, or empty them.',
  });
});

test('an address that looks mistyped is asked about once', () => {
  const typed = { email: 'tess@gmial.com', asTyped: '' };
  expect(addressRemark(typed)).toMatchObject({ values: { asTyped: 'tess@gmial.com' } });
  expect(addressRemark({ ...typed, asTyped: 'tess@gmial.com' })).toBeNull();
});
