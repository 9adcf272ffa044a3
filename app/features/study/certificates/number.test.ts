import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newNumber } from './issue.server.ts';
import { checkCharacterOf, inFours, numberOf } from './number.ts';

const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

test('P64: a number has twelve characters of the alphabet of references and a check character, and is shown in fours', () => {
  const number = newNumber();
  expect(number).toMatch(/^[2-9A-HJ-NP-Z]{13}$/);
  expect(inFours('7HK4M2QX9TRCP')).toBe('7HK4 M2QX 9TRC P');
  expect(numberOf(number)).toBe(number);
  expect(numberOf(` ${inFours(number).toLowerCase().replaceAll(' ', '-')} `)).toBe(number);
  expect(new Set(Array.from({ length: 1000 }, newNumber)).size).toBe(1000);
});

test('P64: the check character, by hand', () => {
  // Twelve zeros of the field, which the alphabet writes as 2.
  expect(checkCharacterOf('222222222222')).toBe('2');
  // A one in the last place is doubled once: element 2, the third letter.
  expect(checkCharacterOf('222222222223')).toBe('4');
  // Element 16 doubled is 32, less 37 (x⁵ + x² + 1): 5.
  expect(checkCharacterOf('22222222222J')).toBe('7');
});

test('P64: one wrong character and two that changed places are always noticed', () => {
  const drawn = fc.array(fc.constantFrom(...alphabet), { minLength: 12, maxLength: 12 }).map((all) => all.join(''));
  fc.assert(
    fc.property(drawn, fc.nat(12), fc.nat(12), fc.constantFrom(...alphabet), (text, at, other, instead) => {
      const number = text + checkCharacterOf(text);
      const wrong = number.slice(0, at) + instead + number.slice(at + 1);
      expect(numberOf(wrong) === null).toBe(wrong !== number);
      const letters = [...number];
      [letters[at], letters[other]] = [letters[other] ?? '', letters[at] ?? ''];
      const swapped = letters.join('');
      expect(numberOf(swapped) === null).toBe(swapped !== number);
    }),
  );
  for (const none of ['', '7HK4', 'O'.repeat(13), '7HK4 M2QX 9TRC P 2', '7HK4M2QX9TRC0', 'x'.repeat(5000)]) {
    expect(numberOf(none)).toBeNull();
  }
});

test('P65: a number is found however it is pasted: after words, in an address, with signs around and between', () => {
  const number = `C63NUH4B3N7B${checkCharacterOf('C63NUH4B3N7B')}`;
  const shown = inFours(number);
  const wide = shown.replaceAll(/[^ ]/g, (one) => String.fromCodePoint((one.codePointAt(0) ?? 0) + 0xfee0));
  const between = [',', '—', '−', '_', '\u200b', '\u00a0'].map((sign) => shown.replaceAll(' ', sign));
  for (const pasted of [
    `Certificate ${shown}`,
    `No. ${shown}`,
    `Number: ${shown},`,
    `“${shown}”`,
    `(#${number.toLowerCase()}).`,
    `https://academy.example/certificates/${number}`,
    `https://academy.example/certificates/${number}/`,
    wide,
    ...between,
  ]) {
    expect(numberOf(pasted), pasted).toBe(number);
  }
  for (const none of [`${shown} 2`, `2${shown}`, `O${number}`, number.slice(1)])
    expect(numberOf(none), none).toBeNull();
});
