import { expect, test } from 'vitest';
import { mergeFields, shownFields } from './merge-fields.ts';

const labels = { name: 'Name', email: 'Email address', needs: 'Needs' };
const ada = { name: 'Ada', email: 'ada@example.com', needs: null as string | null, under18: false };
const merge = (typed: Partial<typeof ada>, now: Partial<typeof ada>, whole: ('name' | 'email')[] = []) =>
  mergeFields({ typed: { ...ada, ...typed }, was: shownFields(ada), now: { ...ada, ...now } }, { whole, labels });

test('a form changes the fields that were typed, and leaves what others changed meanwhile', () => {
  expect(merge({ needs: 'Captions' }, { email: 'ada@work.example' })).toEqual({
    ok: true,
    fields: { ...ada, needs: 'Captions', email: 'ada@work.example' },
  });
  expect(merge({ under18: true }, {})).toEqual({ ok: true, fields: { ...ada, under18: true } });
});

test('a field that both changed is refused once, with what the other wrote', () => {
  const first = merge({ email: 'ada@home.example' }, { email: 'ada@work.example', needs: 'Captions' });
  if (first.ok) return expect.unreachable();
  expect(first.fault).toContain('Somebody changed this after you opened the page: Email address.');
  expect(first.errors?.email).toBe('Somebody changed this in the meantime, to “ada@work.example”.');
  expect(first.values).toMatchObject({ email: 'ada@home.example', needs: 'Captions' });
  const now = { ...ada, email: 'ada@work.example', needs: 'Captions' };
  const typed = { ...now, email: 'ada@home.example' };
  expect(mergeFields({ typed, was: first.values?.was ?? '', now }, { labels })).toEqual({ ok: true, fields: typed });
});

test('somebody else is named meanwhile: nothing typed for the one before reaches them unseen', () => {
  const result = merge({ needs: 'Captions' }, { name: 'Bob', email: 'bob@example.com' }, ['name', 'email']);
  if (result.ok) return expect.unreachable();
  expect(result.values).toMatchObject({ name: 'Bob', email: 'bob@example.com', needs: 'Captions' });
});

test('a form without its hidden field counts as a whole', () => {
  const typed = { ...ada, needs: 'Captions' };
  expect(mergeFields({ typed, was: '', now: { ...ada, name: 'Bob' } }, { labels })).toEqual({
    ok: true,
    fields: typed,
  });
});
