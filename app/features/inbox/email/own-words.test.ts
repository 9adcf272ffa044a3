import { expect, test } from 'vitest';
import { ownWordsOf } from './own-words.ts';

test.each([
  [
    'what mail programs quote below',
    'Yes.\n\nOn Mon, 8 Sept 2025 at 9:00, Ada wrote:\n> Shall we?\n>\n> Ada\n',
    'Yes.',
  ],
  [
    'a line about it in two',
    'Yes.\n\nOn Mon, 8 Sept 2025 at 9:00 AM Ada Byron\n<ada@example.com> wrote:\n> Shall we?',
    'Yes.',
  ],
  ['another language', 'Ja.\n\nAm 8. Sept. 2025 um 9:00 schrieb Ada:\n> Wollen wir?', 'Ja.'],
  ['what Outlook repeats', 'Yes.\n\n-----Original Message-----\nFrom: Ada\nShall we?', 'Yes.'],
  ['its head alone', 'Yes.\n\nFrom: Ada\nSent: Monday\nTo: Mary\nSubject: A seat\n\nShall we?', 'Yes.'],
  [
    'what Yahoo repeats',
    'Yes.\n\n  On Monday 8 September 2025 at 09:00, Ada <a@b.example> wrote:\n\n  Shall we?',
    'Yes.',
  ],
  ['what stands above a signature', 'Yes.\n\nOn Monday, Ada wrote:\n> Shall we?\n\n-- \nMary', 'Yes.'],
  ['its line', 'Yes.\n\n________________________________\nFrom: Ada\nShall we?', 'Yes.'],
])('%s is apart from what was written', (_, text, own) => {
  const split = ownWordsOf(text);
  expect(split.own).toBe(own);
  // Every word is in one of the two.
  expect(`${split.own} ${split.repeated}`.split(/\s+/)).toEqual(text.trim().split(/\s+/));
});

test.each([
  ['answers between quoted lines', '> Shall we?\nYes.\n> When?\nOn Monday.'],
  ['nothing but quoted lines', '> Shall we?\n> When?'],
  ['a quoted line above', '> Shall we?\nYes, and this:\n\nthat.'],
  ['a line that somebody drew', 'Here they are:\n____________________________\nAda\nGrace'],
  ['no quoted line', 'On Monday I wrote:\nplease call me.'],
  ['nothing', ''],
])('%s stays whole', (_, text) => {
  expect(ownWordsOf(text)).toEqual({ own: text, repeated: '' });
});
