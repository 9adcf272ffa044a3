/** One measured figure; a goal says which way it counts. Skipped ones have a reason instead of a value. */
export type Figure = {
  name: string;
  unit: string;
  value: number | null;
  goal?: { atMost: number } | { atLeast: number };
  note?: string;
};

/** One part of `npm run bench`, independent of the others. */
export type Part = { name: string; run(say: (line: string) => void): Promise<Figure[]> };

export function isMet({ value, goal }: Figure): boolean | null {
  if (value === null || !goal) return null;
  return 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast;
}

/** A figure that could not be measured on this machine, and why. */
export function skipped(name: string, reason: string): Figure {
  return { name, unit: '', value: null, note: reason };
}

/** The value below which this share (0 to 1) of the values lies; 0 when there are none. */
export function percentile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}

export const median = (values: number[]) => percentile(values, 0.5);
