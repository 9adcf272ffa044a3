import { test } from 'vitest';

/** What `npm test` leaves out and `npm run torture` runs: it takes long, and everyday changes do not break it. */
export const tagged = { tags: ['torture'] };

/** A test of that kind. */
export const torture = (name: string, run: () => Promise<void> | void) => test(name, tagged, run);

/** How often `npm run torture` does a thing, and how often with `TORTURE=long`, which takes many minutes. */
export const times = (short: number, long: number) => (process.env.TORTURE === 'long' ? long : short);

/** The same for kills; `KILLS` names another number. */
export const killCount = (short: number, long: number) => Number(process.env.KILLS ?? times(short, long));

/** The time that kills may take, in milliseconds. */
export const killsMs = (kills: number) => Math.max(20, kills) * 60_000;
