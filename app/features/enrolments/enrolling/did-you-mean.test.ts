import { expect, test } from 'vitest';
import { didYouMean } from './did-you-mean.ts';

test.each([
  ['bob@gmial.com', 'bob@gmail.com'],
  ['bob@gmail.con', 'bob@gmail.com'],
  ['Bob.B@GMAIL.CMO', 'Bob.B@gmail.com'],
  ['bob@gmai.com', 'bob@gmail.com'],
  ['bob@gmail.comm', 'bob@gmail.com'],
  ['bob@hotmial.com.au', 'bob@hotmail.com.au'],
  ['bob@bigpnd.com', 'bob@bigpond.com'],
  ['bob@gmail.com', null],
  ['bob@ymail.com', null],
  ['bob@yahoo.com.ar', null],
  ['bob@moretonfreight.example', null],
  ['gmial.com', null],
  ['', null],
])('%s: did you mean %s', (typed, meant) => expect(didYouMean(typed)).toBe(meant));
