import type { comparisons } from '#app/features/content/site-schemas.ts';
import { businessHours } from '#app/lib/business-hours.ts';
import { formatCount } from '#app/lib/money.ts';
import { formatTime } from '#app/lib/wall-clock.ts';

type Comparison = (typeof comparisons)[number];

/** Counts of the site's own records at the moment. Rates are per cent. */
export type OwnFigures = {
  courses: number;
  certifications: number;
  instructors: number;
  /** The sum of the courses' learners (P41). */
  learners: number;
  passRates: readonly number[];
  ratings: readonly number[];
};

const range = (values: readonly number[], show: (value: number) => string) =>
  `${show(Math.min(...values))} to ${show(Math.max(...values))}`;

/** A sentence that sets the site's own figure beside a claim's, for the `compare` of claims.yaml (P6). */
export function ownRecord(compare: Comparison, own: OwnFigures): string {
  switch (compare) {
    case 'courses':
      return `The catalogue holds ${formatCount(own.courses)} courses.`;
    case 'certifications':
      return `The site has pages for ${formatCount(own.certifications)} certifications.`;
    case 'instructors':
      return `The site names ${formatCount(own.instructors)} instructors.`;
    case 'learners':
      return `The courses count ${formatCount(own.learners)} learners in all; someone who took two counts twice.`;
    case 'pass-rates':
      return `The pass rates shown for single certifications run from ${range(own.passRates, (rate) => `${rate}%`)}.`;
    case 'ratings':
      return `The ratings shown for single courses run from ${range(own.ratings, (rating) => rating.toFixed(1))}.`;
    case 'office-hours':
      return `Staff answer ${businessHours.map(({ days, from, to }) => `${days} from ${formatTime(from)} to ${formatTime(to)}`).join(' and ')}, Brisbane time; the site itself is open at any hour.`;
  }
}

export type OwnCounts = Pick<OwnFigures, 'courses' | 'certifications' | 'instructors' | 'learners'>;

/** Whether the site's own records show less than a claim says, so that no proof can settle it (P106). */
export function isContradicted(
  { value, compare }: { value: string; compare?: Comparison | undefined },
  own: OwnCounts,
): boolean {
  switch (compare) {
    case 'courses':
    case 'certifications':
    case 'instructors':
    case 'learners':
      return Number(value.replaceAll(/\D/g, '')) > own[compare];
    case 'office-hours':
      return value === '24/7';
    default:
      return false;
  }
}
