import type { CourseCard } from '#app/features/catalogue/catalogue.ts';

/** Two or three courses that belong together, at a discount while the promotion runs (P17). */
export type Combo = {
  id: number;
  slug: string;
  title: string;
  description: string;
  courses: CourseCard[];
  discountPercent: number;
};

/** `endsAt` is an instant, ISO in UTC (P16). */
export type Promotion = { subject: string; endsAt: string };
