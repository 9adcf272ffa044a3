import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#app/env.server.ts';
import type { Figure } from './figure.ts';

export const historyFile = path.join(projectRoot, 'bench/history.jsonl');

/** One measured figure that has a goal. */
export type Judged = { name: string; unit: string; value: number; goal: NonNullable<Figure['goal']> };

/** A part of one run: a line of bench/history.jsonl, the oldest first. */
export type Run = {
  part: string;
  /** The measured commit; `with changes` when files differed from it. */
  commit: string;
  /** When the part had ended, in UTC. */
  date: string;
  /** Processes that wanted the processor when it began: above 0.5 the milliseconds say little. */
  load: number;
  machine: string;
  /** Where a line comes from that was written before there was a history. */
  from?: string;
  figures: Judged[];
};

/** A measured part as a line of the history; it keeps neither figures without a goal nor figures that were left out. */
export function lineOf(run: Omit<Run, 'figures'>, figures: readonly Figure[]): string {
  const judged = figures.flatMap(({ name, unit, value, goal }) =>
    value === null || !goal ? [] : [{ name, unit, value: Number(value.toPrecision(6)), goal }],
  );
  return `${JSON.stringify({ ...run, figures: judged })}\n`;
}

export function readHistory(): Run[] {
  const lines = readFileSync(historyFile, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}
