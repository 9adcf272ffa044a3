import { expect, test } from 'vitest';
import { isSenderProof, signSenderProof } from './sender-proof.server.ts';

const now = new Date('2025-09-08T00:00:00Z');
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const proof = signSenderProof('secret', 'BB-7KQ2MX', now);
const [endsAt = '', signed = ''] = proof.split('.');

test('a proof holds for its reference for 30 minutes', () => {
  expect(isSenderProof('secret', 'BB-7KQ2MX', now, proof)).toBe(true);
  expect(isSenderProof('secret', 'BB-7KQ2MX', later(29), proof)).toBe(true);
  expect(isSenderProof('secret', 'BB-7KQ2MX', later(30), proof)).toBe(false);
});

test('it proves nothing for another reference, under another key, or changed', () => {
  expect(isSenderProof('secret', 'BB-7KQ2MY', now, proof)).toBe(false);
  expect(isSenderProof('other', 'BB-7KQ2MX', now, proof)).toBe(false);
  const changed = [null, '', '.', `${Number(endsAt) + 1}.${signed}`, `${proof}.x`, `${endsAt}.${'é'.repeat(43)}`];
  for (const other of changed) expect(isSenderProof('secret', 'BB-7KQ2MX', now, other)).toBe(false);
});
