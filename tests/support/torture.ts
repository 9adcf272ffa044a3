import { test } from 'vitest';

/** What `npm test` leaves out and `npm run torture` runs: it takes long, and everyday changes do not break it. */
export const tagged = { tags: ['torture'] };

/** A test of that kind. */
export const torture = (name: string, run: () => Promise<void> | void) => test(name, tagged, run);

/** How often `npm run torture` does a thing, and how often with `TORTURE=long`, which takes many minutes. */
export const times = (short: number, long: number) => (process.env.TORTURE === 'long' ? long : short);
