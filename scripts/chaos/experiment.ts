/** One experiment of `npm run chaos`, independent of the others and with its own data. */
export type Experiment = {
  name: string;
  run(say: (line: string) => void): Promise<Result>;
};

/** `figures` go into the summary in this order; `harm` is what must be 0. */
export type Result = { harm: number; figures: Record<string, string | number> };
