import { createContext } from 'react-router';
import { z } from 'zod';

/**
 * The report of a browser about one visit: the pattern of its first page, and Core Web Vitals in milliseconds (CLS
 * without a unit). Nothing in it tells visitors apart.
 */
export const vitalsSchema = z.strictObject({
  route: z.string().max(100),
  vitals: z
    .array(
      z.strictObject({
        name: z.enum(['CLS', 'FCP', 'INP', 'LCP', 'TTFB']),
        value: z.number().min(0).max(600_000),
        rating: z.enum(['good', 'needs-improvement', 'poor']),
      }),
    )
    .min(1)
    .max(5),
});

export type VisitVitals = z.output<typeof vitalsSchema>;

/** Characters that a report may have at most; a whole one has about 350. */
export const longestVitals = 1024;

/** The recipient of reports, and the share of visits (0 to 1) that is asked for one; null when nobody measures. */
export type Vitals = { share: number; record(visit: VisitVitals): void };
export const vitalsContext = createContext<Vitals | null>();
