import { expect, test } from 'vitest';
import { sendForm } from './send-form.ts';

const sent = () => new Request('http://localhost/', { method: 'POST', body: new URLSearchParams({ name: 'Ada' }) });
const form = { values: { name: 'Ada' }, errors: {}, fault: 'Taken', heading: 'Not sent yet', token: '' } as const;

test('after an answer that the page is stale, the page’s data is read again: the answer goes on as a 200', async () => {
  const answer = { form, stale: true };
  expect(await sendForm(sent(), async () => answer)).toMatchObject({ data: answer, init: { status: 200 } });
});

test('any other answer goes on as it came, and nothing is read again after a fault', async () => {
  const answer = { form, stale: false };
  expect(await sendForm(sent(), async () => answer)).toBe(answer);
});

test('a form that reached nobody stays on its page, and nothing is read from a server that is away', async () => {
  const unreachable = () => Promise.reject(new TypeError('Failed to fetch'));
  expect(await sendForm(sent(), unreachable)).toMatchObject({
    data: { form: { values: { name: 'Ada' } }, stale: false },
    init: { status: 503 },
  });
});
