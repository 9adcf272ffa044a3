import { expect, test } from 'vitest';
import { challengeMadeAt, makeChallenge } from './passkeys.server.ts';

const at = new Date('2025-09-08T09:00:00+10:00');
const minute = 60_000;
const after = (ms: number) => new Date(at.getTime() + ms);
/** As a browser sends a challenge. */
const sent = (challenge: string) => Buffer.from(challenge).toString('base64url');
const challenge = makeChallenge('secret', 'staff', at);

test.each([
  [0, at],
  [5 * minute - 1, at],
  [5 * minute, null],
  // Made by a process whose clock is ahead.
  [-minute, at],
  [-minute - 1, null],
])('P96: %i ms after it was made a challenge is worth %s', (ms, madeAt) => {
  expect(challengeMadeAt('secret', 'staff', sent(challenge), after(ms))).toEqual(madeAt);
});

test('P96: a challenge is for one purpose: one audience, or adding a passkey in one sign-in', () => {
  const own = sent(makeChallenge('secret', 'add in 12', at));
  const purposes = ['player', 'staff', 'add in 1', 'add in 12', 'add in 123'] as const;
  expect(purposes.filter((purpose) => challengeMadeAt('secret', purpose, own, at))).toEqual(['add in 12']);
});

test('P96: a challenge that we did not sign, or that was changed, is worth nothing', () => {
  const later = challenge.replace(String(at.getTime()), String(at.getTime() + 1));
  const foreign = makeChallenge('other secret', 'staff', at);
  for (const forged of [
    later,
    foreign,
    `${challenge}.`,
    `${challenge}x`,
    `.${challenge}`,
    '',
    '..',
    `${at.getTime()}`,
  ]) {
    expect([forged, challengeMadeAt('secret', 'staff', sent(forged), at)]).toEqual([forged, null]);
  }
});

test('P96: two challenges of one moment differ', () => {
  expect(makeChallenge('secret', 'staff', at)).not.toBe(challenge);
});
