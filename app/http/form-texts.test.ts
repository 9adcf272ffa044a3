import { expect, test } from 'vitest';
import { cleanForm, firstCharacters } from './form-texts.ts';

test('a long text that is cut for storing ends with a whole character', () => {
  const emoji = `${'a'.repeat(199)}😀😀`;
  expect(firstCharacters(emoji, 200)).toBe(`${'a'.repeat(199)}😀`);
  expect(firstCharacters('😀'.repeat(300), 200)).toBe('😀'.repeat(200));
  expect(firstCharacters('short', 200)).toBe('short');
  for (const max of [0, 1, 199, 200, 201]) expect(firstCharacters(emoji, max).isWellFormed()).toBe(true);
});

test('a form loses control characters and halves of characters, and keeps line breaks, tabs and files', async () => {
  const form = new FormData();
  form.append('message', 'one\r\ntwo\tthree\0\u0007\u001b[2J\u009f\u007f');
  form.append('na\0me', 'Ada');
  form.append('twice', '1');
  form.append('twice', '2');
  form.append('file', new File(['a\0b'], 'statement.csv'));
  const clean = cleanForm(form);
  expect([...clean.keys()]).toEqual(['message', 'name', 'twice', 'twice', 'file']);
  expect(clean.get('message')).toBe('one\r\ntwo\tthree[2J');
  expect(clean.getAll('twice')).toEqual(['1', '2']);
  expect(await (clean.get('file') as File).text()).toBe('a\0b');
});
